import { type ReactElement, useEffect, useEffectEvent, useState } from 'react'

/** The value is reported after this pause in typing. */
const REST_MS = 300

type Control = { value: string; onChange: (event: { target: { value: string } }) => void; onBlur: () => void }

type DelayedInputProps = {
  value: string
  onRest: (value: string) => void
  /** Turns the typed text into the value to report; by default it trims it. */
  meaning?: (typed: string) => string
  children: (control: Control) => ReactElement
}

/** A text control that reports its value when the user stops typing; a new `value` from outside replaces the text. */
export function DelayedInput({ value, onRest, meaning = trimmed, children }: DelayedInputProps) {
  const [kept, setKept] = useState({ typed: value, sent: value, outside: value })
  if (value !== kept.outside) {
    // A `value` from outside may be the one reported a moment ago; text typed since then must stay.
    setKept(value === kept.sent ? { ...kept, outside: value } : { typed: value, sent: value, outside: value })
  }
  const { typed, sent } = kept
  const pass = (text: string) => {
    const meant = meaning(text)
    if (meant === sent) return
    setKept({ ...kept, sent: meant })
    onRest(meant)
  }
  const passRested = useEffectEvent(pass)
  useEffect(() => {
    const timer = setTimeout(() => passRested(typed), REST_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return children({
    value: typed,
    onChange: (event) => setKept({ ...kept, typed: event.target.value }),
    onBlur: () => pass(typed),
  })
}

const trimmed = (typed: string) => typed.trim()
