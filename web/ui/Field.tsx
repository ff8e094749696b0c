import { createContext, use, useId, useMemo, type ReactNode } from 'react'
import { cx } from './cx.ts'

type FieldState = { id: string; describedBy: string | undefined; invalid: boolean; required: boolean }

const FieldContext = createContext<FieldState | null>(null)

/** What a control inside a `Field` puts on its element; nothing outside of one. */
export function useFieldControl() {
  const field = use(FieldContext)
  if (!field) return {}
  return {
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    'aria-required': field.required || undefined,
  }
}

export type FieldProps = {
  label: string
  /** Shown below, until an error takes its place. */
  help?: ReactNode
  error?: string | undefined
  required?: boolean
  /** Keeps the label for screen readers only (search boxes, filters). */
  hideLabel?: boolean
  /** Right of the label, e.g. a "Forgot password?" link or a counter. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** Label above, control, then help or error below; the control finds its id and state by itself. */
export function Field(props: FieldProps) {
  const { label, help, error, required = false, hideLabel = false, aside, className, children } = props
  const id = useId()
  const invalid = Boolean(error)
  const describedBy = error || help ? `${id}-note` : undefined
  const state = useMemo(() => ({ id, describedBy, invalid, required }), [id, describedBy, invalid, required])
  return (
    <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
      <div className={hideLabel ? 'sr-only' : 'flex items-baseline justify-between gap-3'}>
        <label htmlFor={id} className={cx('text-sm font-medium', required && 'required-mark')}>
          {label}
        </label>
        {aside ? <span className="text-sm text-ink-2">{aside}</span> : null}
      </div>
      <FieldContext value={state}>{children}</FieldContext>
      {describedBy ? (
        <p id={describedBy} className={cx('text-sm', error ? 'text-danger' : 'text-ink-2')}>
          {error || help}
        </p>
      ) : null}
    </div>
  )
}
