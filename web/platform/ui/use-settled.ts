import { useEffect, useState } from 'react'

/** How long a search waits for the next key press. */
const PAUSE_MS = 250

/** The typed text, once the user has stopped typing. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
