const listeners = new Set<() => void>()

/** Opens the list of shortcuts from anywhere; the frame around the page shows it (`KeysHost`). */
export function showKeys(): void {
  for (const listener of listeners) listener()
}

/** Calls `listener` whenever the list is requested. Returns a function that ends this. */
export function onShowKeys(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
