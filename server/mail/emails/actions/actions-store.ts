import { sql } from 'kysely'
import type { MailState, MailPosition } from '../messages/folders.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { idsOf, rowsOf } from '../../../platform/database/rows.ts'

/** A mail that an action is applied to, locked until the transaction ends. */
export type LockedMail = MailState & { id: number; is_read: boolean; is_starred: boolean }

/** At most this many mails that are collapsed under the chosen ones are included. */
const COLLAPSED_MAX = 10_000

/** Locks the user's mails with these ids, deleted ones included. */
export async function lockMails(tx: Tx, userId: number, ids: readonly number[]): Promise<LockedMail[]> {
  return rowsOf<LockedMail>(tx)`
    SELECT e.id, e.direction, e.folder, e.original_folder, e.trashed_from, e.is_read, e.is_starred,
      (SELECT d.state FROM deliveries d WHERE d.user_id = e.user_id AND d.email_id = e.id) AS delivery_state
    FROM emails e WHERE e.user_id = ${userId} AND e.id = ANY(${[...ids]}::bigint[])
    ORDER BY e.id FOR NO KEY UPDATE OF e`
}

/** These ids and, for those in the inbox, all mails that the inbox shows collapsed under them. */
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

/** Moves mails to their new positions. `purgeAt`: when the content of deleted ones is purged. */
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

/** Sets or clears the read or starred flag of mails. */
export async function changeFlags(
  tx: Tx,
  userId: number,
  ids: readonly number[],
  flags: FlagChange,
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('emails')
    .set(flags)
    .where('user_id', '=', userId)
    .where('id', '=', sql<number>`ANY(${[...ids]}::bigint[])`)
    .execute()
}

/** Deletes everything in the trash for good. @returns the ids of the deleted mails */
export async function deleteTrash(tx: Tx, userId: number, purgeAt: Date): Promise<number[]> {
  return idsOf(tx)`
    UPDATE emails SET folder = 'deleted', purge_at = ${purgeAt}
    WHERE user_id = ${userId} AND folder = 'trash' RETURNING id`
}

/** What has changed about a mail, as its IMAP server must hear it. */
export type ChangedAspects = { read?: boolean; starred?: boolean; moved?: boolean }

/**
 * Queues the changes for every connected account that has the mail, or into which it is still to be appended. Changes
 * queued before stay queued; changes that had been given up are tried again.
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
      -- on its way into Sent, or moved from one folder to another
      SELECT mailbox_id, email_id FROM deliveries
      WHERE user_id = ${userId} AND email_id = ANY(${[...ids]}::bigint[]) AND NOT in_sent_folder
      UNION
      SELECT mailbox_id, email_id FROM relocations
      WHERE user_id = ${userId} AND email_id = ANY(${[...ids]}::bigint[])
    ) w
    WHERE w.mailbox_id = ANY(${[...mailboxIds]}::bigint[])
    ORDER BY 2, 3
    ON CONFLICT (user_id, mailbox_id, email_id) DO UPDATE SET
      read = p.read OR excluded.read, starred = p.starred OR excluded.starred, moved = p.moved OR excluded.moved,
      version = p.version + 1, attempts = 0, refusals = 0, next_try_at = excluded.next_try_at,
      created_at = excluded.created_at, path = NULL, last_error = NULL, given_up_at = NULL`.execute(tx)
}
