import { type ReactElement, useEffect, useEffectEvent, useState } from 'react'

/** A list is asked for when the typing rests so long. */
const REST_MS = 300

type Control = { value: string; onChange: (event: { target: { value: string } }) => void; onBlur: () => void }

/** A text control whose value is passed on when the typing rests; another `value` from outside takes its place. */
export function DelayedInput(props: {
  value: string
  onRest: (value: string) => void
  children: (control: Control) => ReactElement
}) {
  const { value, onRest, children } = props
  const [kept, setKept] = useState({ typed: value, sent: value, outside: value })
  if (value !== kept.outside) {
    // What comes back from outside may be what was typed a moment ago; the typing has gone on since.
    setKept(value === kept.sent ? { ...kept, outside: value } : { typed: value, sent: value, outside: value })
  }
  const { typed, sent } = kept
  const pass = (text: string) => {
    if (text === sent) return
    setKept({ ...kept, sent: text })
    onRest(text)
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
