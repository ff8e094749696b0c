import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Spinner } from './Spinner.tsx'

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  /** The accessible name, also shown as the tooltip. */
  label: string
  icon: ReactNode
  size?: 's' | 'm'
  danger?: boolean
  /** For buttons that stay pressed (Star). */
  pressed?: boolean
  busy?: boolean
}

/** A square button with an icon and a name. */
export function IconButton(props: IconButtonProps) {
  const { label, icon, size = 'm', danger = false, pressed, busy = false, className, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      onClick={busy ? undefined : rest.onClick}
      aria-label={label}
      aria-pressed={pressed}
      aria-busy={busy || undefined}
      data-tip={label}
      className={cx(
        'inline-grid shrink-0 place-items-center rounded-md text-ink-2 transition-colors hover:bg-sunken',
        'disabled:pointer-events-none disabled:opacity-40 aria-pressed:text-accent',
        'pointer-coarse:min-h-11 [&_svg]:size-4',
        size === 's' ? 'size-7 pointer-coarse:min-w-9' : 'size-8.5 pointer-coarse:min-w-11',
        danger ? 'hover:text-danger' : 'hover:text-ink',
        className,
      )}
    >
      {busy ? <Spinner /> : icon}
    </button>
  )
}
