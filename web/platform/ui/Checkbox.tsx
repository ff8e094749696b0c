import { useId, type ComponentProps, type ReactNode } from 'react'
import { cx } from './cx.ts'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode
  error?: string | undefined
}

/** A checkbox with its label on the right. */
export function Checkbox({ label, error, className, ...rest }: CheckboxProps) {
  const noteId = useId()
  return (
    <span className={cx('flex flex-col gap-1', className)}>
      <label className="inline-flex items-start gap-2.5 pointer-coarse:min-h-11 pointer-coarse:items-center">
        <input
          type="checkbox"
          {...rest}
          aria-invalid={Boolean(error) || undefined}
          aria-describedby={error ? noteId : rest['aria-describedby']}
          className="mt-0.5 size-4 shrink-0 accent-accent pointer-coarse:mt-0 pointer-coarse:size-5"
        />
        <span>{label}</span>
      </label>
      {error ? (
        <span id={noteId} className="text-sm text-danger">
          {error}
        </span>
      ) : null}
    </span>
  )
}
