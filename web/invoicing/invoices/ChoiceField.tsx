import type { ReactNode } from 'react'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'

type ChoiceFieldProps<T extends string> = {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  required?: boolean
  help?: ReactNode
  className?: string
}

/** One of several, with its label. */
export function ChoiceField<T extends string>(props: ChoiceFieldProps<T>) {
  const { value, options, onChange, ...field } = props
  return (
    <Field {...field}>
      <Select value={value} options={options} onChange={(event) => onChange(event.target.value as T)} />
    </Field>
  )
}
