import { useState } from 'react'
import { TextInput } from '#web/platform/ui/TextInput.tsx'

type NumberInputProps = { value: number; onChange: (value: number) => void; 'aria-label'?: string }

/** A whole number as it is typed; NaN while it is none. */
export function NumberInput({ value, onChange, ...rest }: NumberInputProps) {
  const [typed, setTyped] = useState({ text: textOf(value), value })
  // A value from outside replaces what was typed.
  const shown = Object.is(typed.value, value) ? typed.text : textOf(value)
  return (
    <TextInput
      {...rest}
      inputMode="numeric"
      autoComplete="off"
      maxLength={6}
      value={shown}
      onChange={({ target }) => {
        const next = /^\s*\d+\s*$/.test(target.value) ? Number(target.value) : Number.NaN
        setTyped({ text: target.value, value: next })
        onChange(next)
      }}
    />
  )
}

const textOf = (value: number) => (Number.isFinite(value) ? String(value) : '')
