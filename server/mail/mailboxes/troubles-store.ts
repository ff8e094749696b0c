import { type Selectable, sql } from 'kysely'
import type { Queryable } from '../../platform/database/handles.ts'
import type { MailboxTroublesTable, TroubleKind } from './tables.ts'
import { hasRows } from '../../platform/database/rows.ts'

export type MailboxTrouble = Omit<Selectable<MailboxTroublesTable>, 'id'>

/** Names one trouble of an account: a step, the folder and the email that it is about, if any. */
export type TroubleKey = {
  userId: number
  mailboxId: number
  kind: TroubleKind
  path: string
  emailId: number | null
}

/** What could not be done with an account so far, the oldest first. */
export async function loadTroubles(
  db: Queryable,
  userId: number,
  mailboxId: number,
): Promise<MailboxTrouble[]> {
  return db
    .selectFrom('mailbox_troubles')
    .selectAll()
    .where('user_id', '=', userId)
    .where('mailbox_id', '=', mailboxId)
    .orderBy('since')
    .orderBy('email_id')
    .execute()
}

/** Changes that a user has made to emails and the server has refused, by folder. */
export async function refusedActions(db: Queryable, userId: number, mailboxId: number) {
  return db
    .selectFrom('mailbox_refusals')
    .select(['path', 'mails', 'reason', 'next_try_at'])
    .where('user_id', '=', userId)
    .where('mailbox_id', '=', mailboxId)
    .orderBy('path')
    .execute()
}

/** Keeps a trouble with its newest reason; it is tried again at `nextTryAt`. */
export async function saveTrouble(
  db: Queryable,
  { userId, mailboxId, kind, path, emailId }: TroubleKey,
  state: { reason: string; tries: number; nextTryAt: Date },
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO mailbox_troubles (user_id, mailbox_id, kind, path, email_id, reason, tries, since, next_try_at)
    VALUES (${userId}, ${mailboxId}, ${kind}, ${path}, ${emailId}, ${state.reason}, ${state.tries}, ${now}, ${state.nextTryAt})
    ON CONFLICT (user_id, mailbox_id, kind, path, email_id) DO UPDATE
      SET reason = excluded.reason, tries = excluded.tries, next_try_at = excluded.next_try_at`.execute(db)
}

/** Forgets a trouble that is over. */
export async function removeTrouble(
  db: Queryable,
  { userId, mailboxId, kind, path, emailId }: TroubleKey,
): Promise<void> {
  await sql`
    DELETE FROM mailbox_troubles WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND kind = ${kind}
      AND path = ${path} AND email_id IS NOT DISTINCT FROM ${emailId}::bigint`.execute(db)
}

/** Forgets that a draft could not be stored, in any of the user's accounts. @returns whether that was so */
export async function removeDraftTrouble(db: Queryable, userId: number, emailId: number): Promise<boolean> {
  return hasRows(db)`
    DELETE FROM mailbox_troubles WHERE user_id = ${userId} AND email_id = ${emailId} AND kind = 'draft'
    RETURNING 1`
}

/** What the server says and is believed only if it lasts; each pass looks whether it still says so. */
export const DOUBTED: readonly TroubleKind[] = ['emptied', 'unlisted']

/** Makes all of a user's troubles due now, except those that have to last. */
export async function hastenTroubles(db: Queryable, userId: number, now: Date): Promise<void> {
  await db
    .updateTable('mailbox_troubles')
    .set({ next_try_at: now })
    .where('user_id', '=', userId)
    .where('kind', 'not in', DOUBTED)
    .execute()
}
