import type { Queryable } from '../../../platform/database/handles.ts'

/** Lets this sender's mails load remote pictures. */
export async function addTrustedSender(db: Queryable, userId: number, key: string, now: Date): Promise<void> {
  await db
    .insertInto('trusted_senders')
    .values({ user_id: userId, address_key: key, trusted_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'address_key']).doNothing())
    .execute()
}

/** No longer lets this sender's mails load remote pictures. */
export async function removeTrustedSender(db: Queryable, userId: number, key: string): Promise<void> {
  await db
    .deleteFrom('trusted_senders')
    .where('user_id', '=', userId)
    .where('address_key', '=', key)
    .execute()
}

/** Whether this sender's mails may load remote pictures. */
export async function isTrustedSender(db: Queryable, userId: number, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('trusted_senders')
    .select('address_key')
    .where('user_id', '=', userId)
    .where('address_key', '=', key)
    .executeTakeFirst()
  return row !== undefined
}

/** Trusts no sender any more. False if none was trusted. */
export async function forgetTrustedSenders(db: Queryable, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('trusted_senders')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
