import { type ReactElement, useEffect, useEffectEvent, useState } from 'react'

/** A list is asked for when the typing rests so long. */
const REST_MS = 300

type Control = { value: string; onChange: (event: { target: { value: string } }) => void; onBlur: () => void }

type DelayedInputProps = {
  value: string
  onRest: (value: string) => void
  /** What is passed on of what was typed; without blanks around it, if not said otherwise. */
  meaning?: (typed: string) => string
  children: (control: Control) => ReactElement
}

/** A text control whose value is passed on when the typing rests; another `value` from outside takes its place. */
export function DelayedInput({ value, onRest, meaning = trimmed, children }: DelayedInputProps) {
  const [kept, setKept] = useState({ typed: value, sent: value, outside: value })
  if (value !== kept.outside) {
    // What comes back from outside may be what was typed a moment ago; the typing has gone on since.
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
