/** The bearer token lives in local storage, so that every tab has it and a reload keeps it. */
const TOKEN_KEY = 'token'

type Listener = () => void
const changed = new Set<Listener>()
const doubted = new Set<Listener>()

export function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY)
  } catch {
    // Storage may be forbidden: then nobody is signed in.
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

/** Calls back when the token has changed, in this tab or in another. Returns the way to stop. */
export function onTokenChange(listener: Listener): () => void {
  // A null key means that the whole storage was emptied.
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

/** Says that the server has turned this session away: whoever keeps the session should ask for it again. */
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
