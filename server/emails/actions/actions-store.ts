import { sql } from 'kysely'
import type { MailState, MailPosition } from '../messages/folders.ts'
import type { Queryable, Tx } from '../../database/handles.ts'

/** A mail that something is to be done with, locked until the transaction ends. */
export type LockedMail = MailState & { id: number; is_read: boolean; is_starred: boolean }

/** Mails that the inbox shows as one with those chosen are taken along up to this many. */
const COLLAPSED_MAX = 10_000

/** The user's mails with these ids, also those that were deleted; nobody else changes them meanwhile. */
export async function lockMails(tx: Tx, userId: number, ids: readonly number[]): Promise<LockedMail[]> {
  const { rows } = await sql<LockedMail>`
    SELECT e.id, e.direction, e.folder, e.original_folder, e.trashed_from, e.is_read, e.is_starred,
      (SELECT d.state FROM deliveries d WHERE d.user_id = e.user_id AND d.email_id = e.id) AS delivery_state
    FROM emails e WHERE e.user_id = ${userId} AND e.id = ANY(${[...ids]}::bigint[])
    ORDER BY e.id FOR NO KEY UPDATE OF e`.execute(tx)
  return rows
}

/** These ids and, of those in the inbox, all that the inbox shows as one with them. */
export async function withCollapsed(
  db: Queryable,
  userId: number,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT o.id FROM emails o
    WHERE o.user_id = ${userId} AND o.folder = 'inbox' AND o.collapse_key IN (
      SELECT e.collapse_key FROM emails e
      WHERE e.user_id = ${userId} AND e.id = ANY(${[...ids]}::bigint[]) AND e.folder = 'inbox')
    LIMIT ${COLLAPSED_MAX}`.execute(db)
  return [...new Set([...ids, ...rows.map(({ id }) => id)])]
}

/** Puts mails where they belong now. `purgeAt` is when the words of deleted ones go. */
export async function moveMails(
  tx: Tx,
  userId: number,
  mails: readonly { id: number; to: MailPosition }[],
  purgeAt: Date,
): Promise<void> {
  if (mails.length === 0) return
  await sql`
    UPDATE emails e SET folder = m.folder, original_folder = m.original_folder, trashed_from = m.trashed_from,
      purge_at = CASE WHEN m.folder = 'deleted' THEN ${purgeAt}::timestamptz END
    FROM unnest(${mails.map(({ id }) => id)}::bigint[], ${mails.map(({ to }) => to.folder)}::text[],
      ${mails.map(({ to }) => to.original_folder)}::text[], ${mails.map(({ to }) => to.trashed_from)}::text[])
      AS m(id, folder, original_folder, trashed_from)
    WHERE e.user_id = ${userId} AND e.id = m.id`.execute(tx)
}

export type FlagChange = { is_read?: boolean; is_starred?: boolean }

/** Marks mails as read, unread, starred or not. */
export async function changeFlags(
  tx: Tx,
  userId: number,
  ids: readonly number[],
  mark: FlagChange,
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('emails')
    .set(mark)
    .where('user_id', '=', userId)
    .where('id', '=', sql<number>`ANY(${[...ids]}::bigint[])`)
    .execute()
}

/** Deletes everything in the trash for good; gives what that was. */
export async function deleteTrash(tx: Tx, userId: number, purgeAt: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    UPDATE emails SET folder = 'deleted', purge_at = ${purgeAt}
    WHERE user_id = ${userId} AND folder = 'trash' RETURNING id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** What of a mail its server is to be told. */
export type ChangedAspects = { read?: boolean; starred?: boolean; moved?: boolean }

/**
 * Writes down that the server is to be told: for every connected account in which a mail is, or into which it is still
 * to be put. What was to be told before stays; what was given up is tried again.
 */
export async function addPendingActions(
  tx: Tx,
  userId: number,
  change: { ids: readonly number[]; mailboxIds: readonly number[]; changed: ChangedAspects; now: Date },
): Promise<void> {
  const { ids, mailboxIds, changed, now } = change
  if (ids.length === 0 || mailboxIds.length === 0) return
  await sql`
    INSERT INTO pending_actions AS p (user_id, mailbox_id, email_id, read, starred, moved, next_try_at, created_at)
    SELECT ${userId}::bigint, w.mailbox_id, w.email_id, ${changed.read ?? false}::boolean, ${changed.starred ?? false}::boolean,
      ${changed.moved ?? false}::boolean, ${now}::timestamptz, ${now}::timestamptz
    FROM (
      SELECT mailbox_id, email_id FROM email_locations
      WHERE user_id = ${userId} AND email_id = ANY(${[...ids]}::bigint[])
      UNION
      -- on its way into Sent, or from one folder to another
      SELECT mailbox_id, email_id FROM deliveries
      WHERE user_id = ${userId} AND email_id = ANY(${[...ids]}::bigint[]) AND NOT in_sent_folder
      UNION
      SELECT mailbox_id, email_id FROM stirred_mails
      WHERE user_id = ${userId} AND email_id = ANY(${[...ids]}::bigint[])
    ) w
    WHERE w.mailbox_id = ANY(${[...mailboxIds]}::bigint[])
    ORDER BY 2, 3
    ON CONFLICT (user_id, mailbox_id, email_id) DO UPDATE SET
      read = p.read OR excluded.read, starred = p.starred OR excluded.starred, moved = p.moved OR excluded.moved,
      version = p.version + 1, attempts = 0, refusals = 0, next_try_at = excluded.next_try_at,
      created_at = excluded.created_at, path = NULL, last_error = NULL, given_up_at = NULL`.execute(tx)
}
