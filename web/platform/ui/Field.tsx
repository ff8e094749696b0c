import { createContext, use, useId, useMemo, type ReactNode } from 'react'
import { cx } from './cx.ts'

type FieldState = { id: string; describedBy: string | undefined; invalid: boolean; required: boolean }

const FieldContext = createContext<FieldState | null>(null)

/** The attributes that a control inside a `Field` puts on its element; none outside of one. */
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

type FieldProps = {
  label: string
  /** Shown below the control unless there is an error. */
  help?: ReactNode
  error?: string | undefined
  required?: boolean
  /** Shows the label to screen readers only (search boxes, filters). */
  hideLabel?: boolean
  /** To the right of the label, e.g. a "Forgot password?" link or a counter. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** A label, a control, and help or an error below; the control takes its id and state from context. */
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
