import { useCallback, useState } from 'react'

/**
 * A dialog and what it was opened with; null until then. It stays mounted while it closes, and returns the focus. With
 * `turn` as its key it starts over each time.
 */
export function useOpened<What>(first: What | null = null) {
  const [{ what, open, turn }, setState] = useState({ what: first, open: first !== null, turn: 0 })
  const show = useCallback(
    (next: What) => setState((last) => ({ what: next, open: true, turn: last.turn + 1 })),
    [],
  )
  const onClose = useCallback(() => setState((last) => ({ ...last, open: false })), [])
  return { what, turn, show, props: { open, onClose } }
}
