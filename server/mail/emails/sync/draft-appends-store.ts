import { sql } from 'kysely'
import { VERSIONS } from '../ingest/ingest-store.ts'
import { insertLocations } from '../messages/locations-store.ts'
import type { Account } from './pending-actions-store.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { idsOf, rowsOf } from '../../../platform/database/rows.ts'

/** A draft to append on the server, with everything needed to render it. */
export type DraftToAppend = {
  userId: number
  emailId: number
  version: number
  messageId: string
  fromName: string
  fromAddress: string
  toLine: string
  subject: string
  text: string
  inReplyTo: string | null
  changedAt: Date
  /** The digests of the versions that were appended before. */
  versions: string[]
}

/** Accounts with drafts that are due to be appended, unless none can be for now. */
export async function accountsWithDueDrafts(db: Queryable, now: Date, limit: number): Promise<Account[]> {
  return rowsOf<Account>(db)`
    SELECT DISTINCT e.user_id AS "userId", e.mailbox_id AS "mailboxId"
    FROM compositions c
    JOIN emails e ON e.user_id = c.user_id AND e.id = c.email_id AND e.folder = 'drafts'
    JOIN mailboxes m ON m.user_id = e.user_id AND m.id = e.mailbox_id AND m.disconnected_at IS NULL
      AND NOT m.is_practice AND m.imap_host <> ''
    WHERE c.file_at <= ${now}
      AND NOT EXISTS (SELECT FROM mailbox_troubles t WHERE t.user_id = m.user_id AND t.mailbox_id = m.id
        AND t.kind = 'drafts' AND t.next_try_at > ${now})
    LIMIT ${limit}`
}

/** An account's drafts that are due to be appended, those that have waited longest first. */
export async function draftsToAppend(
  db: Queryable,
  { userId, mailboxId }: Account,
  now: Date,
  limit: number,
): Promise<DraftToAppend[]> {
  return rowsOf<DraftToAppend>(db)`
    SELECT e.user_id AS "userId", e.id AS "emailId", c.version, e.message_id AS "messageId", e.from_name AS "fromName",
      e.from_address AS "fromAddress", e.to_line AS "toLine", e.subject, b.text, e.in_reply_to AS "inReplyTo",
      e.occurred_at AS "changedAt", ${VERSIONS} AS versions
    FROM compositions c
    JOIN emails e ON e.user_id = c.user_id AND e.id = c.email_id
    JOIN email_bodies b ON b.user_id = c.user_id AND b.email_id = c.email_id
    WHERE c.user_id = ${userId} AND c.file_at <= ${now} AND e.mailbox_id = ${mailboxId} AND e.folder = 'drafts'
    ORDER BY c.file_at, c.email_id LIMIT ${limit}`
}

/** Versions of a draft that are remembered: of older ones no copy is left on the server. */
const VERSIONS_KEPT = 10

/** Notes what is about to be appended: if the connection is lost, its copy can still be told from another program's. */
export async function noteDraftVersion(
  tx: Tx,
  { userId, emailId }: DraftToAppend,
  digest: string,
): Promise<void> {
  await sql`
    UPDATE compositions
    SET appended_digests = (ARRAY[${digest}::text] || array_remove(appended_digests, ${digest}::text))[1:${VERSIONS_KEPT}::int]
    WHERE user_id = ${userId} AND email_id = ${emailId}`.execute(tx)
}

/** Records another location of the draft. */
export async function addDraftLocation(
  tx: Tx,
  { userId, emailId }: DraftToAppend,
  location: { mailboxId: number; path: string; uidValidity: string; uid: number | undefined },
): Promise<void> {
  const { mailboxId, path, uidValidity, uid } = location
  await sql`
    INSERT INTO email_locations (user_id, mailbox_id, path, uid_validity, uid, email_id)
    SELECT user_id, ${mailboxId}::bigint, ${path}::text, ${uidValidity}::text, ${uid ?? null}::bigint, id FROM emails
    WHERE user_id = ${userId} AND id = ${emailId} AND ${uid ?? null}::bigint IS NOT NULL
    ON CONFLICT DO NOTHING`.execute(tx)
}

/**
 * Records the draft's only location in a server folder. Returns whether it still is a draft of this account; its row stays
 * locked.
 */
export async function moveDraftLocation(
  tx: Tx,
  { userId, emailId }: DraftToAppend,
  location: { mailboxId: number; path: string; uidValidity: string; uid: number | undefined },
): Promise<boolean> {
  const { mailboxId, path, uidValidity, uid } = location
  const { rows } = await sql<{ is_draft: boolean }>`
    SELECT folder = 'drafts' AND mailbox_id IS NOT DISTINCT FROM ${mailboxId} AS is_draft FROM emails
    WHERE user_id = ${userId} AND id = ${emailId} FOR NO KEY UPDATE`.execute(tx)
  const [mail] = rows
  if (mail === undefined) return false
  await sql`
    DELETE FROM email_locations
    WHERE user_id = ${userId} AND email_id = ${emailId} AND mailbox_id = ${mailboxId} AND path = ${path}
    `.execute(tx)
  const at = { userId, mailboxId, path, uidValidity }
  await insertLocations(tx, at, uid === undefined ? [] : [{ uid, emailId }])
  return mail.is_draft
}

/** The server has this version; a newer one is appended at `again`. */
export async function noteDraftAppended(tx: Tx, draft: DraftToAppend, again: Date): Promise<void> {
  await sql`
    UPDATE compositions SET file_at = CASE WHEN version > ${draft.version} THEN ${again}::timestamptz END
    WHERE user_id = ${draft.userId} AND email_id = ${draft.emailId}`.execute(tx)
}

/** Appends the draft at `again`, not before. */
export async function postponeDraft(db: Queryable, draft: DraftToAppend, again: Date): Promise<void> {
  await sql`
    UPDATE compositions SET file_at = ${again}
    WHERE user_id = ${draft.userId} AND email_id = ${draft.emailId} AND file_at IS NOT NULL`.execute(db)
}

/** Makes the user's drafts due now that are to be appended at all. */
export async function hastenDrafts(db: Queryable, userId: number, now: Date): Promise<void> {
  await sql`
    UPDATE compositions SET file_at = ${now} WHERE user_id = ${userId} AND file_at > ${now}`.execute(db)
}

/** Which of these emails are still drafts of the account. */
export async function stillDrafts(
  db: Queryable,
  { userId, mailboxId }: Account,
  emailIds: readonly number[],
): Promise<Set<number>> {
  return new Set(
    await idsOf(db)`
    SELECT id FROM emails WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND folder = 'drafts'
      AND id = ANY(${[...emailIds]}::bigint[])`,
  )
}
