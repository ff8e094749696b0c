import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { hasRows } from '../../platform/database/rows.ts'

/** Whether Howl has made access codes. */
export async function hasAccessCodes(db: Queryable): Promise<boolean> {
  return (
    (await db.selectFrom('admin_access_codes').select('signature').limit(1).executeTakeFirst()) !== undefined
  )
}

export async function isAccessCode(db: Queryable, signature: string) {
  return hasRows(db)`SELECT FROM admin_access_codes WHERE signature = ${signature}`
}

/** Keeps new access codes in place of all earlier ones. */
export async function replaceAccessCodes(tx: Tx, signatures: readonly string[], now: Date): Promise<void> {
  await tx.deleteFrom('admin_access_codes').execute()
  await tx
    .insertInto('admin_access_codes')
    .values(signatures.map((signature) => ({ signature, made_at: now })))
    .execute()
}

export async function addClaim(db: Queryable, signature: string, expiresAt: Date): Promise<void> {
  await db.insertInto('admin_claims').values({ signature, expires_at: expiresAt }).execute()
}

/** Makes every claim link void. */
export async function removeClaims(tx: Tx): Promise<void> {
  await tx.deleteFrom('admin_claims').execute()
}

/** Uses a claim link up, and all others with it. False when it was used, or has expired. */
export async function takeClaim(tx: Tx, signature: string, now: Date): Promise<boolean> {
  const taken = await tx
    .deleteFrom('admin_claims')
    .where('signature', '=', signature)
    .where('expires_at', '>', now)
    .returning('signature')
    .executeTakeFirst()
  if (taken === undefined) return false
  await tx.deleteFrom('admin_claims').execute()
  return true
}
