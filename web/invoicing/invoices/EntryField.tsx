import type { ReactNode } from 'react'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'

type EntryFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  max: number
  kind?: 'text' | 'email' | 'tel' | 'date' | 'amount' | 'lines'
  required?: boolean
  error?: string | undefined
  help?: ReactNode
  aside?: ReactNode
  hideLabel?: boolean
  placeholder?: string
  autoComplete?: string
  className?: string
}

const TYPES = { email: 'email', tel: 'tel', date: 'date' } as const

/** A field of the invoice with its label. Amounts are typed as text: a number field swallows "12,5" without a word. */
export function EntryField(props: EntryFieldProps) {
  const { value, onChange, max, kind = 'text', placeholder, autoComplete = 'off', ...field } = props
  return (
    <Field {...field}>
      {kind === 'lines' ? (
        <TextArea
          value={value}
          rows={3}
          maxLength={max}
          placeholder={placeholder}
          autoComplete={autoComplete}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <TextInput
          value={value}
          type={TYPES[kind as keyof typeof TYPES] ?? 'text'}
          inputMode={kind === 'amount' ? 'decimal' : undefined}
          maxLength={max}
          max={kind === 'date' ? '9999-12-31' : undefined}
          placeholder={placeholder}
          autoComplete={autoComplete}
          className={kind === 'amount' ? 'text-right tabular-nums' : ''}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
