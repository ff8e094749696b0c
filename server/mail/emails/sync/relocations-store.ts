import { sql } from 'kysely'
import type { FolderRole } from '../../../platform/gateways/imap.ts'
import { FOLDER_OF_ROLE, folderOfRole, type MailState } from '../messages/folders.ts'
import type { Account } from './pending-actions-store.ts'
import { deleteMails } from '../messages/store.ts'
import { dateHeaderOf } from '../ingest/ingest-store.ts'
import { inSpace, type UidSpace } from '../messages/locations-store.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { hasRows, rowsOf } from '../../../platform/database/rows.ts'

/** A message whose locations have changed, and where it is now in all of the user's accounts. */
export type RelocatedMail = MailState & {
  id: number
  noticedAt: Date
  mayBeGone: boolean
  heldUntil: Date | null
  /** A move made here has not been pushed to the server yet. */
  pending: boolean
  /** It has not been appended to Sent yet, or to Drafts as it is now. */
  unfiled: boolean
  locations: { mailboxId: number; path: string; uidValidity: string; uid: number; role: FolderRole | null }[]
}

/** Notes that the folder's messages have to be found again: their old UIDs are no longer valid. */
export async function noteUidValidityChanged(tx: Tx, at: UidSpace, now: Date): Promise<void> {
  await sql`
    INSERT INTO relocations (user_id, mailbox_id, email_id, noticed_at, may_be_gone)
    SELECT DISTINCT user_id, mailbox_id, email_id, ${now}::timestamptz, false FROM email_locations
    WHERE user_id = ${at.userId} AND mailbox_id = ${at.mailboxId} AND path = ${at.path} AND uid_validity <> ${at.uidValidity}
    ON CONFLICT (user_id, mailbox_id, email_id) DO UPDATE
      SET noticed_at = excluded.noticed_at, may_be_gone = false, gone_at = NULL`.execute(tx)
}

/** Whether messages are waiting to be reconciled; with `orWereGone`, also those that were recently in no folder. */
export async function hasRelocations(
  db: Queryable,
  { userId, mailboxId }: Account,
  { orWereGone = false } = {},
): Promise<boolean> {
  return hasRows(db)`
    SELECT FROM relocations WHERE user_id = ${userId} AND mailbox_id = ${mailboxId}
      AND (gone_at IS NULL OR ${orWereGone}::boolean) LIMIT 1`
}

/** Whether emails are kept although their folder is suddenly empty. */
export async function hasHeld(db: Queryable, { userId, mailboxId }: Account, now: Date): Promise<boolean> {
  return hasRows(db)`
    SELECT FROM relocations WHERE user_id = ${userId} AND mailbox_id = ${mailboxId}
      AND gone_at IS NULL AND held_until > ${now} LIMIT 1`
}

/** Two rows count as duplicates when the newer one came in this shortly before the older one went missing, or later. */
const DUPLICATE_AGE = sql.raw(`interval '10 minutes'`)

/**
 * SQL: whether `o` and `n`, which have one Message-ID, are one message; what was written here has no digest of its own. That of a
 * draft has its recipients after a dot; in other folders they do not count.
 */
const IS_SAME = sql`(CASE WHEN o.purpose IS NULL AND o.digest IS NOT NULL AND n.digest IS NOT NULL
  THEN o.digest = n.digest OR split_part(o.digest, '.', 1) = split_part(n.digest, '.', 1)
    AND '' IN (split_part(o.digest, '.', 2), split_part(n.digest, '.', 2))
  ELSE lower(o.from_address) = lower(n.from_address)
    AND abs(extract(epoch FROM ${dateHeaderOf('o')} - ${dateHeaderOf('n')})) <= 1 END)`

/**
 * A message moved to a folder where it looks like a different one (from Sent to the inbox, say) came in as a new row.
 * Joins the two rows into the older one, which keeps everything known about it. A draft and the message sent from it
 * stay two rows, and so do a draft that was written here and what another program has made of it.
 *
 * @returns the blobs that no row refers to any more
 */
export async function joinDuplicates(tx: Tx, { userId, mailboxId }: Account): Promise<string[]> {
  const { rows } = await sql`
    WITH duplicates AS (
      SELECT DISTINCT ON (n.id) o.id AS old_id, n.id AS new_id
      FROM relocations s
      JOIN emails o ON o.user_id = s.user_id AND o.id = s.email_id
      JOIN emails n ON n.user_id = o.user_id AND n.message_id = o.message_id AND n.id > o.id AND n.mailbox_id = s.mailbox_id
        AND n.created_at >= s.noticed_at - ${DUPLICATE_AGE} AND n.folder <> 'deleted' AND n.purpose IS NULL AND ${IS_SAME}
        AND NOT (o.folder = 'drafts' AND n.folder = 'sent') AND NOT (n.folder = 'drafts' AND o.purpose IS NOT NULL)
      WHERE s.user_id = ${userId} AND s.mailbox_id = ${mailboxId}
        AND NOT EXISTS (SELECT FROM email_locations l WHERE l.user_id = o.user_id AND l.email_id = o.id)
        AND EXISTS (SELECT FROM email_locations l WHERE l.user_id = n.user_id AND l.email_id = n.id)
      ORDER BY n.id, o.folder <> n.folder, o.id
    ), one_each AS (
      SELECT DISTINCT ON (old_id) old_id, new_id FROM duplicates ORDER BY old_id, new_id
    ), found AS (
      UPDATE relocations s SET gone_at = NULL FROM one_each t
      WHERE s.user_id = ${userId} AND s.mailbox_id = ${mailboxId} AND s.email_id = t.old_id
    )
    UPDATE email_locations l SET email_id = t.old_id FROM one_each t
    WHERE l.user_id = ${userId} AND l.email_id = t.new_id
    RETURNING t.new_id AS id`.execute(tx)
  const ids = (rows as { id: number }[]).map(({ id }) => id)
  if (ids.length === 0) return []
  return deleteMails(
    tx,
    sql`DELETE FROM emails n WHERE n.user_id = ${userId} AND n.id = ANY(${ids}::bigint[])`,
  )
}

/**
 * The opposite case: the message moved on to where it matches the older row before the two were joined. Deletes the
 * newer row, which was in no folder when all were read.
 *
 * @param readAllSince when the last sync of all folders began
 * @returns the blobs that no row refers to any more
 */
export async function dropDuplicates(
  tx: Tx,
  { userId, mailboxId }: Account,
  readAllSince: Date,
): Promise<string[]> {
  const deletion = sql`
    DELETE FROM emails n USING relocations s, emails o
    WHERE s.user_id = ${userId} AND s.mailbox_id = ${mailboxId}
      AND s.noticed_at < ${readAllSince}
      AND n.user_id = s.user_id AND n.id = s.email_id AND n.mailbox_id = s.mailbox_id
      AND n.created_at >= s.noticed_at - ${DUPLICATE_AGE} AND n.purpose IS NULL
      AND o.user_id = n.user_id AND o.message_id = n.message_id AND o.id < n.id AND o.direction <> n.direction AND ${IS_SAME}
      AND o.mailbox_id = n.mailbox_id AND o.folder NOT IN ('deleted', 'drafts')
      AND NOT EXISTS (SELECT FROM pending_actions p WHERE p.user_id = n.user_id AND p.email_id = n.id)
      AND NOT EXISTS (SELECT FROM quarantined_mails q WHERE q.user_id = s.user_id AND q.mailbox_id = s.mailbox_id
        AND q.put_aside_at >= s.noticed_at)
      AND NOT EXISTS (SELECT FROM email_locations l WHERE l.user_id = n.user_id AND l.email_id = n.id)
      AND EXISTS (SELECT FROM email_locations l WHERE l.user_id = o.user_id AND l.email_id = o.id)`
  return deleteMails(tx, deletion)
}

/** Messages whose locations have changed, in the order in which that was noticed; their rows stay locked. */
export async function relocatedMails(
  tx: Tx,
  { userId, mailboxId }: Account,
  limit: number,
): Promise<RelocatedMail[]> {
  // Lock first, then read.
  await sql`
    SELECT e.id FROM emails e WHERE e.user_id = ${userId} AND e.id IN (
      SELECT email_id FROM relocations WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND gone_at IS NULL
      ORDER BY noticed_at, email_id LIMIT ${limit})
    ORDER BY e.id FOR NO KEY UPDATE`.execute(tx)
  return rowsOf<RelocatedMail>(tx)`
    SELECT e.id, e.direction, e.folder, e.original_folder, e.trashed_from, s.noticed_at AS "noticedAt",
      s.may_be_gone AS "mayBeGone", s.held_until AS "heldUntil", d.state AS delivery_state, coalesce(NOT d.in_sent_folder, false)
        OR e.folder = 'drafts' AND EXISTS (SELECT FROM compositions c
          WHERE c.user_id = e.user_id AND c.email_id = e.id AND c.file_at IS NOT NULL) AS unfiled,
      EXISTS (SELECT FROM pending_actions p WHERE p.user_id = e.user_id AND p.email_id = e.id AND p.moved
        AND p.given_up_at IS NULL) AS pending,
      coalesce((SELECT jsonb_agg(jsonb_build_object('mailboxId', l.mailbox_id, 'path', l.path, 'uidValidity', l.uid_validity,
          'uid', l.uid, 'role', f.role) ORDER BY l.path, l.uid)
        FROM email_locations l
        LEFT JOIN mailbox_folders f ON f.user_id = l.user_id AND f.mailbox_id = l.mailbox_id AND f.path = l.path
        WHERE l.user_id = e.user_id AND l.email_id = e.id), '[]') AS locations
    FROM (
      SELECT * FROM relocations WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND gone_at IS NULL
      ORDER BY noticed_at, email_id LIMIT ${limit}
    ) s
    JOIN emails e ON e.user_id = s.user_id AND e.id = s.email_id
    LEFT JOIN deliveries d ON d.user_id = e.user_id AND d.email_id = e.id
    ORDER BY e.id`
}

/** Forgets relocations that have been reconciled. */
export async function forgetRelocations(
  tx: Tx,
  { userId, mailboxId }: Account,
  emailIds: readonly number[],
): Promise<void> {
  await sql`
    DELETE FROM relocations WHERE user_id = ${userId} AND mailbox_id = ${mailboxId}
      AND email_id = ANY(${[...emailIds]}::bigint[])`.execute(tx)
}

/**
 * Remembers for a while the messages that were in no folder when all were read. A message moved while the folders are
 * being read can be missed in every one of them and turn up in the next pass.
 */
export async function noteGone(
  tx: Tx,
  { userId, mailboxId }: Account,
  emailIds: readonly number[],
  now: Date,
): Promise<void> {
  await sql`
    UPDATE relocations SET gone_at = ${now} WHERE user_id = ${userId} AND mailbox_id = ${mailboxId}
      AND email_id = ANY(${[...emailIds]}::bigint[])`.execute(tx)
  await sql`
    DELETE FROM relocations WHERE user_id = ${userId} AND mailbox_id = ${mailboxId}
      AND gone_at < ${now}::timestamptz - ${DUPLICATE_AGE}`.execute(tx)
}

/** Whether messages of the account were put aside since then; one of them may be the missing one. */
export async function putAsideSince(
  db: Queryable,
  { userId, mailboxId }: Account,
  since: Date,
): Promise<boolean> {
  return hasRows(db)`
    SELECT FROM quarantined_mails
    WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND put_aside_at >= ${since} LIMIT 1`
}

/** The flags that a server reports for a message. */
export type SeenFlags = { uid: number; seen: boolean; flagged: boolean }

/**
 * Takes over flags that were changed in another program; flags with a pending action of ours stay. The user's own
 * messages stay read, even if the program that filed them did not say so.
 *
 * @param primaryOnly for a message in several folders, only the flags in the one where it is shown count: a comparison
 *   does not tell which of them changed
 * @returns how many messages changed
 */
export async function takeFlags(
  tx: Tx,
  at: UidSpace,
  rows: readonly SeenFlags[],
  primaryOnly = false,
): Promise<number> {
  if (rows.length === 0) return 0
  // Lock first, then read: by then any change in progress is committed.
  await sql`
    SELECT e.id FROM unnest(${rows.map((row) => row.uid)}::bigint[], ${rows.map((row) => row.seen)}::boolean[],
      ${rows.map((row) => row.flagged)}::boolean[]) AS f(uid, seen, flagged)
    JOIN email_locations l ON ${inSpace(at, 'l')} AND l.uid = f.uid
    JOIN emails e ON e.user_id = l.user_id AND e.id = l.email_id
    WHERE e.is_read <> f.seen OR e.is_starred <> f.flagged
    ORDER BY e.id FOR NO KEY UPDATE OF e`.execute(tx)
  const changed = await sql`
    UPDATE emails e SET is_read = w.is_read, is_starred = w.is_starred
    FROM (
      SELECT m.id,
        CASE WHEN coalesce(p.read, false) THEN m.is_read WHEN m.direction = 'out' THEN m.is_read OR f.seen ELSE f.seen END AS is_read,
        CASE WHEN coalesce(p.starred, false) THEN m.is_starred ELSE f.flagged END AS is_starred
      FROM unnest(${rows.map((row) => row.uid)}::bigint[], ${rows.map((row) => row.seen)}::boolean[], ${rows.map((row) => row.flagged)}::boolean[])
        AS f(uid, seen, flagged)
      JOIN email_locations l ON ${inSpace(at, 'l')} AND l.uid = f.uid
      JOIN emails m ON m.user_id = l.user_id AND m.id = l.email_id
      LEFT JOIN LATERAL (
        SELECT bool_or(read) AS read, bool_or(starred) AS starred FROM pending_actions p
        WHERE p.user_id = m.user_id AND p.email_id = m.id AND p.given_up_at IS NULL
      ) p ON true
      WHERE NOT ${primaryOnly}::boolean OR NOT EXISTS (
        SELECT FROM email_locations o
        LEFT JOIN mailbox_folders fo ON fo.user_id = o.user_id AND fo.mailbox_id = o.mailbox_id AND fo.path = o.path
        LEFT JOIN mailbox_folders fl ON fl.user_id = l.user_id AND fl.mailbox_id = l.mailbox_id AND fl.path = l.path
        WHERE o.user_id = l.user_id AND o.email_id = l.email_id
          AND (${folderOfRoleSql('fo')} IS DISTINCT FROM m.folder, o.mailbox_id, o.path, o.uid)
            < (${folderOfRoleSql('fl')} IS DISTINCT FROM m.folder, l.mailbox_id, l.path, l.uid)
      )
    ) w
    WHERE e.user_id = ${at.userId} AND e.id = w.id AND (e.is_read <> w.is_read OR e.is_starred <> w.is_starred)
    RETURNING 1`.execute(tx)
  return changed.rows.length
}

/** `folderOfRole` in SQL, for a row of `mailbox_folders` under this alias. */
function folderOfRoleSql(alias: string) {
  const cases = Object.entries(FOLDER_OF_ROLE).map(([role, folder]) => `WHEN '${role}' THEN '${folder}'`)
  return sql.raw(`CASE ${alias}.role ${cases.join(' ')} ELSE '${folderOfRole(null)}' END`)
}
