import { user as userSchema, type User } from '#contract/accounts/auth.ts'
import { readJson } from '#web/platform/api/errors.ts'

const USER_KEY = 'user'

/** Where the assistant remembers the session that this user had open last. */
export const lastAssistantSessionKey = (userId: number) => `wolfy.lastSession.${userId}`

/** Where the invoice that this user is writing is kept; a quote has a place of its own. */
export const keptInvoiceKey = (userId: number, kind: 'invoice' | 'quote' = 'invoice') =>
  `${kind}.draft.${userId}`

/** The user as last seen; null when nothing, or nothing that can be read, is kept. */
export function readStoredUser(): User | null {
  const found = userSchema.safeParse(readJson(localStorage.getItem(USER_KEY) ?? ''))
  return found.success ? found.data : null
}

/** Keeps the user for the next load; a picture stays away, since it may fill the whole storage. */
export function storeUser(user: User): void {
  try {
    localStorage.setItem(USER_KEY, JSON.stringify({ ...user, profile_image_url: null }))
  } catch {
    // A full storage costs only the quick start without a network.
  }
}

/** Forgets the user and, with them, which assistant session was open, and the invoice and quote that were being written. */
export function forgetStoredUser(user: User | null): void {
  localStorage.removeItem(USER_KEY)
  if (user === null) return
  localStorage.removeItem(lastAssistantSessionKey(user.id))
  localStorage.removeItem(keptInvoiceKey(user.id))
  localStorage.removeItem(keptInvoiceKey(user.id, 'quote'))
}
