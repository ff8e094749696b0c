import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { wakeLoops } from '../../platform/jobs/loop.ts'
import type { MailboxesTable, MailboxFoldersTable, ReadFailureKind } from './tables.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { hasRows, idsOf, rowOf, rowsOf } from '../../platform/database/rows.ts'

export type Mailbox = Selectable<MailboxesTable>
export type MailboxFolder = Selectable<MailboxFoldersTable>
export type NewMailbox = Omit<Insertable<MailboxesTable>, 'user_id' | 'id'>
export type MailboxChanges = Omit<Updateable<MailboxesTable>, 'user_id' | 'id'>

/** Folders of one account that are shown and read, at most. */
const FOLDERS_MAX = 500

/** The account that the user sends with, shown on the settings page. */
export async function primaryMailbox(db: Queryable, userId: number): Promise<Mailbox | undefined> {
  return rowOf<Mailbox>(db)`
    SELECT * FROM mailboxes WHERE user_id = ${userId} AND is_primary AND disconnected_at IS NULL`
}

/** One mailbox of the user, even if disconnected: its mails are still there. */
export async function mailbox(db: Queryable, userId: number, id: number): Promise<Mailbox | undefined> {
  return rowOf<Mailbox>(db)`
    SELECT * FROM mailboxes WHERE user_id = ${userId} AND id = ${id}`
}

/** All mailboxes of the user, including disconnected ones: the primary one first, then the newest. */
export async function mailboxesOf(db: Queryable, userId: number): Promise<Mailbox[]> {
  return rowsOf<Mailbox>(db)`
    SELECT * FROM mailboxes WHERE user_id = ${userId} ORDER BY is_primary DESC, id DESC`
}

/**
 * Locks the user's mailboxes until the transaction ends, so that exactly one stays primary, even when there is none
 * yet.
 */
export async function lockMailboxes(tx: Tx, userId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('mailboxes', ${userId}))`.execute(tx)
}

export async function addMailbox(tx: Tx, userId: number, row: NewMailbox): Promise<Mailbox> {
  return tx
    .insertInto('mailboxes')
    .values({ ...row, user_id: userId })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function changeMailbox(
  db: Queryable,
  userId: number,
  id: number,
  changes: MailboxChanges,
): Promise<void> {
  await db.updateTable('mailboxes').set(changes).where('user_id', '=', userId).where('id', '=', id).execute()
}

/** Makes one mailbox the only primary one. */
export async function makePrimary(tx: Tx, userId: number, id: number): Promise<void> {
  const all = tx.updateTable('mailboxes').where('user_id', '=', userId)
  // In this order: the index allows one primary mailbox at any moment.
  await all.set({ is_primary: false }).where('id', '!=', id).where('is_primary', '=', true).execute()
  await all.set({ is_primary: true }).where('id', '=', id).execute()
}

/** Makes one mailbox the only default one. */
export async function makeDefault(tx: Tx, userId: number, id: number): Promise<void> {
  const all = tx.updateTable('mailboxes').where('user_id', '=', userId)
  // In this order, for the same reason.
  await all.set({ is_default: false }).where('id', '!=', id).where('is_default', '=', true).execute()
  await all.set({ is_default: true }).where('id', '=', id).where('is_default', '=', false).execute()
}

/** The loop that clears away what happened in practice. */
export const CLEARING = 'clear practice'

/** Ends practice if the user has it in use; what happened in it is cleared away soon. */
export async function leavePractice(tx: Tx, userId: number, now: Date): Promise<void> {
  await sql`
    UPDATE mailboxes SET is_primary = false, disconnected_at = ${now}
    WHERE user_id = ${userId} AND is_practice AND disconnected_at IS NULL`.execute(tx)
  await wakeLoops(tx, CLEARING)
}

/** Practice mailboxes that were left and are still to be cleared away. */
const left = sql`mailboxes WHERE is_practice AND disconnected_at IS NOT NULL`

/** Users whose practice was left and is still to be cleared away. */
export async function usersWhoLeft(db: Queryable): Promise<number[]> {
  return idsOf(db)`SELECT user_id AS id FROM ${left}`
}

/** The user's practice mailbox, if it was left; it cannot be taken up again until the transaction ends. */
export async function leftPractice(tx: Tx, userId: number): Promise<Mailbox | undefined> {
  await lockMailboxes(tx, userId)
  return rowOf<Mailbox>(tx)`SELECT * FROM ${left} AND user_id = ${userId}`
}

/** True while this user's practice is still being cleared away. */
export async function isBeingCleared(db: Queryable, userId: number): Promise<boolean> {
  return hasRows(db)`SELECT FROM ${left} AND user_id = ${userId}`
}

/** Deletes a mailbox and everything that belongs to it. */
export async function removeMailbox(tx: Tx, userId: number, id: number): Promise<void> {
  await tx.deleteFrom('mailboxes').where('user_id', '=', userId).where('id', '=', id).execute()
}

/** The user's mailboxes used by a run in progress. */
export async function mailboxesInRun(db: Queryable, userId: number): Promise<Set<number>> {
  return new Set(
    await idsOf(db)`
    SELECT mailbox_id AS id FROM mailboxes_in_run WHERE user_id = ${userId}`,
  )
}

/** Locks one mailbox for a change of its token bucket. */
export async function lockBucket(
  tx: Tx,
  userId: number,
  id: number,
): Promise<Pick<Mailbox, 'hourly_limit' | 'tokens' | 'tokens_at'> | undefined> {
  return rowOf<Mailbox>(tx)`
    SELECT hourly_limit, tokens, tokens_at FROM mailboxes
    WHERE user_id = ${userId} AND id = ${id} FOR NO KEY UPDATE`
}

/** Stops sending through this mailbox until `until`; `words` give the reason. True when this is news. */
export async function pauseSending(
  db: Queryable,
  userId: number,
  id: number,
  until: Date,
  words: string,
): Promise<boolean> {
  const row = await rowOf<{ news: boolean }>(db)`
    UPDATE mailboxes m SET send_pause_until = ${until}, last_error = ${words}
    FROM (SELECT last_error FROM mailboxes WHERE user_id = ${userId} AND id = ${id} FOR NO KEY UPDATE) was
    WHERE m.user_id = ${userId} AND m.id = ${id}
    RETURNING was.last_error IS DISTINCT FROM ${words} AS news`
  return row?.news ?? false
}

/** A mail was sent: earlier trouble is over. True when there was any. */
export async function noteSendOk(db: Queryable, userId: number, id: number): Promise<boolean> {
  return hasRows(db)`
    UPDATE mailboxes SET send_pause_until = NULL, last_error = NULL
    WHERE user_id = ${userId} AND id = ${id} AND (send_pause_until IS NOT NULL OR last_error IS NOT NULL)
    RETURNING 1`
}

/** The loop that syncs accounts which are due. */
export const READING = 'read mailboxes'

/**
 * Requests that the user's accounts, `except` these, are synced at once; false when there is none. An account being
 * synced right now is synced once more.
 */
export async function readSoon(
  db: Queryable,
  userId: number,
  now: Date,
  except: readonly number[] = [],
): Promise<boolean> {
  const { rows: asked } = await sql`
    UPDATE mailboxes
    SET next_read_at = CASE WHEN reader_id IS NULL THEN least(next_read_at, ${now}) ELSE ${now}::timestamptz END
    WHERE user_id = ${userId} AND id <> ALL(${[...except]}::bigint[]) AND disconnected_at IS NULL
      AND next_read_at IS NOT NULL RETURNING 1`.execute(db)
  if (asked.length > 0) await wakeLoops(db, READING)
  return asked.length > 0
}

/** Has these accounts synced at once, except those being synced or whose last sync failed. */
export async function readForActions(
  db: Queryable,
  mailboxes: readonly { userId: number; mailboxId: number }[],
  now: Date,
): Promise<void> {
  if (mailboxes.length === 0) return
  await sql`
    UPDATE mailboxes m SET next_read_at = ${now}
    FROM unnest(${mailboxes.map(({ userId }) => userId)}::bigint[], ${mailboxes.map(({ mailboxId }) => mailboxId)}::bigint[])
      AS d(user_id, id)
    WHERE m.user_id = d.user_id AND m.id = d.id AND m.next_read_at > ${now} AND m.reader_id IS NULL
      AND m.read_failures = 0 AND m.disconnected_at IS NULL`.execute(db)
}

/**
 * Claims accounts that are due for syncing, longest waiting first, for this worker alone. The claims of a worker that
 * is no longer in `workers` are free again.
 */
export async function claimDueMailboxes(
  db: Queryable,
  workerId: string,
  now: Date,
  limit: number,
): Promise<Mailbox[]> {
  return rowsOf<Mailbox>(db)`
    UPDATE mailboxes m SET reader_id = ${workerId}
    FROM (
      SELECT user_id, id FROM mailboxes
      WHERE next_read_at <= ${now} AND disconnected_at IS NULL
        AND (reader_id IS NULL OR NOT EXISTS (SELECT 1 FROM workers WHERE workers.id = reader_id))
        AND NOT mail_is_paused(user_id)
      ORDER BY next_read_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    ) due
    WHERE m.user_id = due.user_id AND m.id = due.id
    RETURNING m.*`
}

/** Takes back the claims on the mailboxes of a user whose mail was paused: their sessions end at once. */
export async function takeBackReads(tx: Tx, userId: number): Promise<void> {
  await sql`UPDATE mailboxes SET reader_id = NULL WHERE user_id = ${userId} AND reader_id IS NOT NULL
    `.execute(tx)
}

/** The accounts that this worker has claimed, except where mail was paused at the moment of the claim. */
export async function mailboxesReadBy(
  db: Queryable,
  workerId: string,
): Promise<Pick<Mailbox, 'user_id' | 'id' | 'next_read_at'>[]> {
  return rowsOf<Pick<Mailbox, 'user_id' | 'id' | 'next_read_at'>>(db)`
    SELECT user_id, id, next_read_at FROM mailboxes
    WHERE reader_id = ${workerId} AND NOT mail_is_paused(user_id)`
}

/**
 * Records that an account was synced and keeps the claim; a request made since `startedAt` is kept. False when the
 * claim was lost.
 */
export async function noteRead(
  db: Queryable,
  mailbox: { user_id: number; id: number },
  workerId: string,
  startedAt: Date,
  nextReadAt: Date,
): Promise<boolean> {
  return hasRows(db)`
    UPDATE mailboxes SET read_error = NULL, read_error_kind = NULL, read_failures = 0, is_behind = false,
      next_read_at = CASE WHEN next_read_at > ${startedAt} THEN next_read_at ELSE ${nextReadAt} END
    WHERE user_id = ${mailbox.user_id} AND id = ${mailbox.id} AND reader_id = ${workerId}
    RETURNING 1`
}

/** Why an account could not be read, with a sentence for the user. */
export type ReadFailure = { kind: ReadFailureKind; sentence: string }

/**
 * Releases an account, to be synced again at `nextReadAt`; `failure` says to the user why it could not be synced.
 * Does nothing when the claim was lost. True when the failure begins or ends. A request made since `startedAt` is
 * kept.
 */
export async function releaseMailbox(
  db: Queryable,
  userId: number,
  id: number,
  workerId: string,
  nextReadAt: Date,
  failure: ReadFailure | null,
  startedAt: Date = nextReadAt,
): Promise<boolean> {
  const sentence = failure?.sentence ?? null
  const row = await rowOf<{ news: boolean }>(db)`
    UPDATE mailboxes m SET reader_id = NULL, read_error = ${sentence}::text, read_error_kind = ${failure?.kind ?? null}::text,
      next_read_at = CASE WHEN m.next_read_at > ${startedAt} THEN m.next_read_at ELSE ${nextReadAt} END,
      read_failures = CASE WHEN ${sentence}::text IS NULL THEN 0 ELSE m.read_failures + 1 END,
      -- Nobody waits for an account that cannot be read.
      is_behind = m.is_behind AND ${sentence}::text IS NULL
    FROM (SELECT read_error FROM mailboxes WHERE user_id = ${userId} AND id = ${id} FOR NO KEY UPDATE) was
    WHERE m.user_id = ${userId} AND m.id = ${id} AND m.reader_id = ${workerId}
    RETURNING was.read_error IS DISTINCT FROM ${sentence}::text AS news`
  return row?.news ?? false
}

/**
 * True while this worker has the claim, which then holds until the transaction ends. Call this before saving cursors:
 * whoever changed the account meanwhile has reset them for a reason.
 */
export async function holdsMailbox(tx: Tx, userId: number, id: number, workerId: string): Promise<boolean> {
  return hasRows(tx)`
    SELECT FROM mailboxes
    WHERE user_id = ${userId} AND id = ${id} AND reader_id = ${workerId} AND disconnected_at IS NULL FOR SHARE
    `
}

/** The folders of an account as last read, by path. */
export async function loadFolders(
  db: Queryable,
  userId: number,
  mailboxId: number,
): Promise<MailboxFolder[]> {
  return rowsOf<MailboxFolder>(db)`
    SELECT * FROM mailbox_folders WHERE user_id = ${userId} AND mailbox_id = ${mailboxId}
    ORDER BY path LIMIT ${FOLDERS_MAX}`
}

/** The row of a folder of which nothing has been read. */
export function newFolder(
  { userId, mailboxId }: { userId: number; mailboxId: number },
  { path, role }: Pick<MailboxFolder, 'path' | 'role'>,
): MailboxFolder {
  return {
    user_id: userId,
    mailbox_id: mailboxId,
    path,
    role,
    uid_validity: null,
    low_uid: 0,
    high_uid: 0,
    mod_seq: null,
    behind: 0,
    last_read_at: null,
    last_error: null,
  }
}

/** Saves the position reached in a folder, in the transaction that saves the mails. */
export async function saveFolder(db: Queryable, folder: MailboxFolder): Promise<void> {
  const { user_id: _, mailbox_id: __, path: ___, ...state } = folder
  await db
    .insertInto('mailbox_folders')
    .values(folder)
    .onConflict((row) => row.columns(['user_id', 'mailbox_id', 'path']).doUpdateSet(state))
    .execute()
}

/** Deletes folders that are gone from the server, or all of them. */
export async function forgetFolders(
  db: Queryable,
  userId: number,
  mailboxId: number,
  paths?: readonly string[],
): Promise<void> {
  const chosen = paths === undefined ? sql`` : sql`AND path = ANY(${[...paths]}::text[])`
  for (const table of [sql`mailbox_folders`, sql`mailbox_troubles`])
    await sql`
      DELETE FROM ${table} WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} ${chosen}`.execute(db)
}

/** An account's folders for the screen, each with the number of mails that could not be read. */
export async function folderStates(
  db: Queryable,
  userId: number,
  mailboxId: number,
): Promise<(MailboxFolder & { quarantined: number; quarantine_reason: string | null })[]> {
  return rowsOf<MailboxFolder & { quarantined: number; quarantine_reason: string | null }>(db)`
    SELECT f.*, coalesce(q.mails, 0) AS quarantined, q.reason AS quarantine_reason
    FROM mailbox_folders f LEFT JOIN mailbox_quarantine q USING (user_id, mailbox_id, path)
    WHERE f.user_id = ${userId} AND f.mailbox_id = ${mailboxId} ORDER BY f.path LIMIT ${FOLDERS_MAX}
    `
}
