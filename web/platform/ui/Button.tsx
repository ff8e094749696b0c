import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { buttonClass, type ButtonSize, type ButtonVariant } from './button-class.ts'
import { cx } from './cx.ts'
import { Spinner } from './Spinner.tsx'

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Work is in progress: the button keeps its width and focus, and ignores clicks. */
  busy?: boolean
  /** Replaces the label while busy ("Creating Account..."); without it a spinner is shown. */
  busyLabel?: string
  icon?: ReactNode
}

/** A button. `type` defaults to "button". */
export function Button(props: ButtonProps) {
  const { variant = 'quiet', size = 'm', busy = false, busyLabel, icon, className, children, ...rest } = props
  const label = cx('col-start-1 row-start-1 inline-flex items-center gap-1.5', busy && 'invisible')
  return (
    <button
      type="button"
      {...rest}
      onClick={busy ? refuse : rest.onClick}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      aria-label={busy && !busyLabel && typeof children === 'string' ? children : rest['aria-label']}
      className={cx(buttonClass(variant, size), className)}
    >
      <span className="inline-grid justify-items-center">
        <span className={label}>
          {icon}
          {children}
        </span>
        {busyLabel || busy ? (
          <span className={cx('col-start-1 row-start-1 inline-flex items-center', !busy && 'invisible')}>
            {busyLabel ?? <Spinner />}
          </span>
        ) : null}
      </span>
    </button>
  )
}

// A busy submit button must not send its form a second time.
const refuse = (event: MouseEvent) => event.preventDefault()
