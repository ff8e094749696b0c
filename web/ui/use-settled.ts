import { useEffect, useState } from 'react'

/** How long a search waits for the next key. */
const PAUSE_MS = 250

/** What was typed, once the typing rests. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
