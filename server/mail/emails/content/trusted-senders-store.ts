import { sql } from 'kysely'
import type { Queryable } from '../../../platform/database/handles.ts'
import { hasRows } from '../../../platform/database/rows.ts'

/** Lets this sender's mails load remote pictures. */
export async function addTrustedSender(db: Queryable, userId: number, key: string, now: Date): Promise<void> {
  await sql`
    INSERT INTO trusted_senders (user_id, address_key, trusted_at) VALUES (${userId}, ${key}, ${now})
    ON CONFLICT DO NOTHING`.execute(db)
}

/** No longer lets this sender's mails load remote pictures. */
export async function removeTrustedSender(db: Queryable, userId: number, key: string): Promise<void> {
  await sql`DELETE FROM trusted_senders WHERE user_id = ${userId} AND address_key = ${key}`.execute(db)
}

/** Whether this sender's mails may load remote pictures. */
export async function isTrustedSender(db: Queryable, userId: number, key: string): Promise<boolean> {
  return hasRows(db)`
    SELECT FROM trusted_senders WHERE user_id = ${userId} AND address_key = ${key}`
}

/** Trusts no sender any more. False if none was trusted. */
export async function forgetTrustedSenders(db: Queryable, userId: number): Promise<boolean> {
  return hasRows(db)`DELETE FROM trusted_senders WHERE user_id = ${userId} RETURNING 1`
}
