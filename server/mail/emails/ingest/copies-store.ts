import { sql } from 'kysely'
import { anyUser } from '../../../platform/database/any-user.ts'
import { filesLine } from './incoming-message.ts'
import { recipientsLine } from '../messages/draft-versions.ts'
import type { WrittenMail } from '../messages/sent-copies.ts'
import type { StoredFile } from '../tables.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { rowsOf } from '../../../platform/database/rows.ts'

/** A mail leaves this long after it was written at most, as far as its copies are looked for. */
const LEAVES_WITHIN = sql.raw(`interval '3 days'`)
const CLOCKS_APART = sql.raw(`interval '5 minutes'`)
/** Mails with one recipient and subject that are compared. */
const COMPARED_MAX = 20

/** SQL: the subject as `subjectLine` writes it into a mail. */
const SUBJECT_LINE = sql.raw(`regexp_replace(replace(subject, '=?', '= ?'), ' {2,}', ' ', 'g')`)

export type SoughtCopy = { correspondentKey: string; subject: string; date: Date }

/** An account's mails that were written here and may have been filed as these copies. */
export async function writtenFor(
  db: Queryable,
  { userId, mailboxId }: { userId: number; mailboxId: number },
  copies: readonly SoughtCopy[],
  now: Date,
): Promise<(WrittenMail & { threadId: number })[]> {
  if (copies.length === 0) return []
  return rowsOf<WrittenMail & { threadId: number }>(db)`
    SELECT DISTINCT ON (e.id) e.id AS "emailId", e.thread_id AS "threadId", e.message_id AS "messageId",
      e.correspondent_key AS "correspondentKey", e.subject, b.text, e.created_at AS "writtenAt",
      coalesce(d.settled_at, ${now}::timestamptz) AS "leftAt",
      b.files, EXISTS (SELECT FROM email_locations l
        WHERE l.user_id = e.user_id AND l.email_id = e.id AND l.mailbox_id = e.mailbox_id) AS "hasCopy"
    FROM unnest(${copies.map(({ correspondentKey }) => correspondentKey)}::text[], ${copies.map(({ subject }) => subject)}::text[],
      ${copies.map(({ date }) => date)}::timestamptz[]) AS k(key, subject, date)
    CROSS JOIN LATERAL (
      SELECT * FROM emails
      WHERE user_id = ${anyUser(userId)} AND correspondent_key = k.key
        AND occurred_at BETWEEN k.date - ${LEAVES_WITHIN} AND k.date + ${CLOCKS_APART}
        AND (subject = k.subject OR ${SUBJECT_LINE} = k.subject) AND mailbox_id = ${mailboxId} AND direction = 'out' AND purpose IS NOT NULL
        AND folder NOT IN ('drafts', 'scheduled')
      ORDER BY occurred_at DESC LIMIT ${COMPARED_MAX}
    ) e
    JOIN email_bodies b ON b.user_id = e.user_id AND b.email_id = e.id
    LEFT JOIN deliveries d ON d.user_id = e.user_id AND d.email_id = e.id`
}

/** The text of a mail, and its files and recipients as {@link filesLine} and {@link recipientsLine} have them. */
export type Content = { text: string; files: string; recipients: string }

/** The contents of mails; those that were never downloaded or are purged are left out. */
export async function contentsOf(
  db: Queryable,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, Content>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{
    id: number
    text: string
    files: StoredFile[]
    to: string
    cc: string
    bcc: string
  }>`
    SELECT b.email_id AS id, b.text, b.files, e.to_line AS to, b.cc_line AS cc, b.bcc_line AS bcc
    FROM email_bodies b JOIN emails e ON e.user_id = b.user_id AND e.id = b.email_id
    WHERE b.user_id = ${userId} AND b.email_id = ANY(${[...ids]}::bigint[])`.execute(db)
  return new Map(
    rows.map(({ id, text, files, to, cc, bcc }) => [
      id,
      { text, files: filesLine(files), recipients: recipientsLine(to, cc, bcc) },
    ]),
  )
}

/** Gives mails of an earlier version their digests. */
export async function saveDigests(
  db: Queryable,
  userId: number,
  digests: ReadonlyMap<number, string>,
): Promise<void> {
  if (digests.size === 0) return
  await sql`
    UPDATE emails e SET digest = d.digest
    FROM unnest(${[...digests.keys()]}::bigint[], ${[...digests.values()]}::text[]) AS d(id, digest)
    WHERE e.user_id = ${userId} AND e.id = d.id`.execute(db)
}

/** Notes the Message-IDs under which a provider filed mails that were written here. */
export async function noteRewrittenIds(
  tx: Tx,
  userId: number,
  copies: readonly { messageId: string; emailId: number }[],
): Promise<void> {
  if (copies.length === 0) return
  await sql`
    INSERT INTO rewritten_message_ids (user_id, message_id, email_id)
    SELECT ${userId}::bigint, c.message_id, c.email_id
    FROM unnest(${copies.map(({ messageId }) => messageId)}::text[], ${copies.map(({ emailId }) => emailId)}::bigint[])
      AS c(message_id, email_id)
    ON CONFLICT DO NOTHING`.execute(tx)
}
