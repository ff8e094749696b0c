import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role'> & {
  label: ReactNode
  help?: ReactNode
}

/** A switch, for settings that take effect at once, without Save. */
export function Switch({ label, help, className, ...rest }: SwitchProps) {
  return (
    <label className={cx('inline-flex items-start gap-3 pointer-coarse:min-h-11', className)}>
      <input
        type="checkbox"
        // The browser exposes the checked state of a native checkbox itself.
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
        role="switch"
        {...rest}
        className={cx(
          'relative mt-px h-5 w-9 shrink-0 appearance-none rounded-full bg-control transition-colors checked:bg-accent',
          'before:absolute before:top-0.5 before:left-0.5 before:size-4 before:rounded-full before:bg-surface',
          'before:transition-transform checked:before:translate-x-4 disabled:opacity-50',
        )}
      />
      <span className="flex flex-col">
        {label}
        {help ? <span className="text-sm text-ink-2">{help}</span> : null}
      </span>
    </label>
  )
}
