import { type Selectable, sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { SystemMailsTable, SystemMailState } from './tables.ts'
import { execute } from '../../platform/database/rows.ts'

export type SystemMailRow = Selectable<SystemMailsTable>

export async function addSystemMail(
  db: Queryable,
  row: { to_address: string; content_box: string; created_at: Date; expires_at: Date },
): Promise<number> {
  const { id } = await db.insertInto('system_mails').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** The state of a mail; undefined when its row is gone. */
export async function systemMailState(db: Queryable, id: number): Promise<SystemMailState | undefined> {
  const row = await db.selectFrom('system_mails').select('state').where('id', '=', id).executeTakeFirst()
  return row?.state
}

/** True while there is a mail that has neither left nor failed. */
export async function hasOpenMails(db: Queryable): Promise<boolean> {
  const open = db.selectFrom('system_mails').select('id').where('state', 'in', ['waiting', 'sending'])
  return (await open.limit(1).executeTakeFirst()) !== undefined
}

/** Locks mails in one state, the oldest first. Another process gets others. */
export async function lockSystemMails(tx: Tx, state: 'waiting' | 'sending', limit: number) {
  return tx
    .selectFrom('system_mails')
    .selectAll()
    .where('state', '=', state)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

export async function noteSending(tx: Tx, id: number, emailId: number): Promise<void> {
  await tx
    .updateTable('system_mails')
    .set({ state: 'sending', email_id: emailId })
    .where('id', '=', id)
    .execute()
}

/** The mail has left, or never will: its content is not kept. */
export async function noteSettled(
  tx: Tx,
  id: number,
  state: 'sent' | 'failed',
  reason: string | null,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('system_mails')
    .set({ state, reason, content_box: null, email_id: null, settled_at: now })
    .where('id', '=', id)
    .execute()
}

/** After a restore: mails that wait are held until the operator says so. Those that delivery had sent (`left`) stay sent. */
export async function holdSystemMails(tx: Tx, left: readonly number[], now: Date): Promise<void> {
  await sql`
    UPDATE system_mails SET state = 'sent', content_box = NULL, email_id = NULL, settled_at = ${now}
    WHERE state = 'sending' AND email_id = ANY(${[...left]}::bigint[])`.execute(tx)
  await sql`UPDATE system_mails SET state = 'held', email_id = NULL WHERE state IN ('waiting', 'sending')`.execute(
    tx,
  )
}

/** Sends the held mails, but for those that nobody has any use for now. Returns how many. */
export async function releaseSystemMails(db: Queryable, now: Date): Promise<number> {
  await sql`DELETE FROM system_mails WHERE state = 'held' AND expires_at <= ${now}`.execute(db)
  return execute(db)`UPDATE system_mails SET state = 'waiting' WHERE state = 'held'`
}

/** Removes the held mails. */
export async function dropHeldSystemMails(db: Queryable): Promise<void> {
  await sql`DELETE FROM system_mails WHERE state = 'held'`.execute(db)
}

/** Removes rows of mails that were settled before `before`. */
export async function removeSettled(db: Queryable, before: Date): Promise<void> {
  await sql`DELETE FROM system_mails WHERE settled_at < ${before}`.execute(db)
}
