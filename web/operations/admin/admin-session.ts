import { useSyncExternalStore } from 'react'
import { user as userSchema, type User } from '#contract/accounts/auth.ts'
import { readJson } from '#web/platform/api/errors.ts'

// The session of an administrator is apart from that of the user, and all tabs share it.
const TOKEN_KEY = 'admin_token'
const USER_KEY = 'admin_user'
const FLAG_KEY = 'is_admin'

const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

export function readAdminToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY)
  } catch {
    // Storage may be blocked: then nobody is signed in.
    return null
  }
}

export function readAdminUser(): User | null {
  const found = userSchema.safeParse(readJson(localStorage.getItem(USER_KEY) ?? ''))
  return found.success ? found.data : null
}

/** True where token, administrator and flag are all stored. */
export function hasAdminSession(): boolean {
  return readAdminToken() !== null && localStorage.getItem(FLAG_KEY) === 'true'
}

/** Keeps the session that a log-in has opened; a picture stays away, it may fill the whole storage. */
export function storeAdminSession({ token, user }: { token: string; user: User }): void {
  localStorage.setItem(TOKEN_KEY, token)
  localStorage.setItem(USER_KEY, JSON.stringify({ ...user, profile_image_url: null }))
  localStorage.setItem(FLAG_KEY, 'true')
  tell()
}

export function clearAdminSession(): void {
  for (const key of [TOKEN_KEY, USER_KEY, FLAG_KEY]) localStorage.removeItem(key)
  tell()
}

/** The stored token, up to date when this or another tab changes it. */
export function useAdminToken(): string | null {
  return useSyncExternalStore(watch, readAdminToken)
}

function watch(listener: () => void): () => void {
  // The key is null if the whole storage was cleared.
  const elsewhere = (event: StorageEvent) => {
    if (event.key === TOKEN_KEY || event.key === null) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', elsewhere)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', elsewhere)
  }
}
