/** The bearer token is in local storage, so that all tabs share it and it survives a reload. */
const TOKEN_KEY = 'token'

type Listener = () => void
const changed = new Set<Listener>()
const doubted = new Set<Listener>()

export function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY)
  } catch {
    // Storage may be blocked: then nobody is signed in.
    return null
  }
}

export function storeToken(token: string): void {
  localStorage.setItem(TOKEN_KEY, token)
  tell(changed)
}

export function clearToken(): void {
  if (readToken() === null) return
  localStorage.removeItem(TOKEN_KEY)
  tell(changed)
}

/** Calls `listener` when the token changes, in this tab or another. Returns a function that ends this. */
export function onTokenChange(listener: Listener): () => void {
  // The key is null if the whole storage was cleared.
  const elsewhere = (event: StorageEvent) => {
    if (event.key === TOKEN_KEY || event.key === null) listener()
  }
  changed.add(listener)
  window.addEventListener('storage', elsewhere)
  return () => {
    changed.delete(listener)
    window.removeEventListener('storage', elsewhere)
  }
}

/** Reports that the server rejected this session, so that it is checked again. */
export function doubtSession(): void {
  tell(doubted)
}

export function onSessionDoubt(listener: Listener): () => void {
  doubted.add(listener)
  return () => void doubted.delete(listener)
}

function tell(listeners: ReadonlySet<Listener>): void {
  for (const listener of listeners) listener()
}
