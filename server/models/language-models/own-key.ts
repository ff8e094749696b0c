import type { Context } from '../../platform/context.ts'
import type { OwnModelRow } from './store.ts'

/** A key is sealed for one user and one address: in another place it cannot be opened. */
const placeOf = (userId: number, baseUrl: string) => `own model:${userId}:${baseUrl}`

export function sealKey(
  context: Pick<Context, 'secrets'>,
  userId: number,
  baseUrl: string,
  key: string,
): string {
  return context.secrets.seal(key, placeOf(userId, baseUrl))
}

/** The saved key; null where there is none. @throws Error when it was sealed with another secret key */
export function openKey(context: Pick<Context, 'secrets'>, row: OwnModelRow): string | null {
  return row.api_key_box === null
    ? null
    : context.secrets.open(row.api_key_box, placeOf(row.user_id, row.base_url))
}

/**
 * The key to ask a server with: as typed, else the saved one if it was saved for just this address. With somebody's open
 * session it could otherwise be sent to a server that records it.
 */
export function keyFor(
  context: Pick<Context, 'secrets'>,
  saved: OwnModelRow | undefined,
  typed: { base_url: string; api_key?: string | undefined },
): string | null {
  if (typed.api_key !== undefined && typed.api_key !== '') return typed.api_key
  if (saved === undefined || saved.base_url !== typed.base_url) return null
  try {
    return openKey(context, saved)
  } catch {
    return null
  }
}
