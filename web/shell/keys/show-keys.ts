const listeners = new Set<() => void>()

/** Opens the list of keys, from anywhere; the frame around the page shows it (`KeysHost`). */
export function showKeys(): void {
  for (const listener of listeners) listener()
}

/** Calls `listener` whenever the list is asked for; gives what ends that. */
export function onShowKeys(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
