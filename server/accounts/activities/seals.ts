import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../platform/context.ts'

/**
 * Everything that is signed in the activity log, with a key made of the house's secret: whoever has only the database
 * cannot forge it.
 */
export type Seals = {
  /** Of what may be erased. The salt keeps the digest from being guessed once it is gone. */
  personDigest(salt: Uint8Array, person: Person): Buffer
  /** Of the row that stays, whatever is erased. It names the id: a copy of a row is no row. */
  rowSeal(row: SealedRow): Buffer
  /** Of a row's place: after the row with the link `before`. */
  link(before: Uint8Array, seal: Uint8Array): Buffer
  erasure(row: { id: number; person_digest: Uint8Array; erased_at: Date }): Buffer
  /** Of the chain's last link, or of the last one that was cleared. */
  end(which: 'head' | 'cleared', position: number, link: Uint8Array): Buffer
  /** Of positions that the operator accepts as gone. */
  gap(first: number, last: number, acceptedAt: Date): Buffer
}

export type Person = { user_id: number | null; ip_address: string | null; description: string }
export type SealedRow = {
  id: number
  activity_type: string
  risk_score: number
  created_at: Date
  person_digest: Uint8Array
}

/** The link before the first row. */
export const NO_LINK = Buffer.alloc(32)

const keys = new WeakMap<Context['secrets'], KeyObject>()

export function sealsOf({ secrets }: Pick<Context, 'secrets'>): Seals {
  const key = keys.get(secrets) ?? createSecretKey(secrets.keyFor('activity log'))
  keys.set(secrets, key)
  // The kind comes first, and texts stand in JSON: no two contents give the same bytes.
  const sign = (...parts: readonly (string | Uint8Array)[]) => {
    const hmac = createHmac('sha256', key)
    for (const part of parts) hmac.update(part)
    return hmac.digest()
  }
  return {
    personDigest: (salt, { user_id, ip_address, description }) =>
      sign(JSON.stringify(['person', user_id, ip_address, description]), salt),
    rowSeal: ({ id, activity_type, risk_score, created_at, person_digest }) =>
      sign(JSON.stringify(['row', id, activity_type, risk_score, created_at.getTime()]), person_digest),
    link: (before, seal) => sign('link', before, seal),
    erasure: ({ id, person_digest, erased_at }) =>
      sign(JSON.stringify(['erasure', id, erased_at.getTime()]), person_digest),
    gap: (first, last, acceptedAt) => sign(JSON.stringify(['gap', first, last, acceptedAt.getTime()])),
    end: (which, position, link) => sign(JSON.stringify([which, position]), link),
  }
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
