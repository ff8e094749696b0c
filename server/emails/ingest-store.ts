import { sql } from 'kysely'
import type { Queryable, Tx } from '../database/connect.ts'
import type { IncomingMail } from './ingest-mail.ts'

/** A folder of an account in the numbering that its UIDs are of. */
export type UidSpace = { userId: number; mailboxId: number; path: string; uidValidity: string }

/** Mails with a person that are looked at for the same subject. */
const SUBJECTS_PER_PERSON = 30

/** One mail of the user at a time is put into threads; held until the transaction ends. */
export async function lockIngest(tx: Tx, userId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('ingest', ${userId}))`.execute(tx)
}

/** Ids for new mails; one that is not used is a gap and nothing else. */
export async function nextEmailIds(db: Queryable, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT nextval('emails_id_seq') AS id FROM generate_series(1, ${count}::int)`.execute(db)
  return rows.map((row) => row.id)
}

export type NamedMail = {
  id: number
  messageId: string
  threadId: number
  direction: 'in' | 'out'
  correspondentKey: string
  isDraft: boolean
  /** It is in this folder already, under another UID. */
  here: boolean
}

/** The user's mails with these Message-IDs, oldest first. */
export async function mailsNamed(
  db: Queryable,
  userId: number,
  messageIds: readonly string[],
  at: UidSpace | null,
): Promise<NamedMail[]> {
  if (messageIds.length === 0) return []
  const { rows } = await sql<NamedMail>`
    SELECT e.id, e.message_id AS "messageId", e.thread_id AS "threadId", e.direction, e.correspondent_key AS "correspondentKey",
      e.folder = 'drafts' AS "isDraft",
      EXISTS (SELECT FROM email_locations l WHERE l.user_id = e.user_id AND l.email_id = e.id
        AND l.mailbox_id = ${at?.mailboxId ?? null}::bigint AND l.path = ${at?.path ?? null}::text
        AND l.uid_validity = ${at?.uidValidity ?? null}::text) AS here
    FROM emails e WHERE e.user_id = ${userId} AND e.message_id = ANY(${[...messageIds]}::text[]) ORDER BY e.id`.execute(
    db,
  )
  return rows
}

/** Threads of the mails that answer these Message-IDs. */
export async function answersTo(
  db: Queryable,
  userId: number,
  messageIds: readonly string[],
): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ parent: string; threads: number[] }>`
    SELECT in_reply_to AS parent, array_agg(DISTINCT thread_id) AS threads FROM emails
    WHERE user_id = ${userId} AND in_reply_to = ANY(${[...messageIds]}::text[]) GROUP BY 1`.execute(db)
  return new Map(rows.map((row) => [row.parent, row.threads.map(Number)]))
}

export type SubjectRow = { key: string; subject: string; threadId: number; occurredAt: Date }

/** The newest mails with each of these people between two instants. */
export async function subjectsWith(
  db: Queryable,
  userId: number,
  keys: readonly string[],
  from: Date,
  to: Date,
): Promise<SubjectRow[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<SubjectRow>`
    SELECT k.key, m.subject, m.thread_id AS "threadId", m.occurred_at AS "occurredAt"
    FROM unnest(${[...keys]}::text[]) AS k(key) CROSS JOIN LATERAL (
      SELECT subject, thread_id, occurred_at FROM emails
      WHERE user_id = ${userId} AND correspondent_key = k.key AND occurred_at BETWEEN ${from} AND ${to}
      ORDER BY occurred_at DESC LIMIT ${SUBJECTS_PER_PERSON}
    ) m`.execute(db)
  return rows
}

/** A mail ready to be written down. */
export type StoredMail = {
  id: number
  threadId: number
  intent: string | null
  mail: IncomingMail
  rawKey: string | null
}

const MAIL_COLUMNS =
  sql.raw(`(id bigint, direction text, folder text, original_folder text, kind text, intent text, message_id text,
  thread_id bigint, in_reply_to text, reference_ids text[], from_name text, from_address text, to_line text, correspondent_key text,
  subject text, snippet text, collapse_key text, is_read boolean, is_starred boolean, attachment_names text[], size int,
  has_body boolean, occurred_at timestamptz)`)

/** What only the whole mail tells. */
const JUDGED = [
  'kind',
  'intent',
  'message_id',
  'thread_id',
  'in_reply_to',
  'reference_ids',
  'from_name',
  'from_address',
  'to_line',
  'correspondent_key',
  'subject',
  'snippet',
  'collapse_key',
  'attachment_names',
  'size',
  'has_body',
]
const SET_JUDGED = sql.raw(JUDGED.map((column) => `${column} = m.${column}`).join(', '))

/** One JSON text for all rows: the columns hold arrays, and a thousand parameters cost more than the rows. */
function mailRows(mails: readonly StoredMail[]): string {
  return JSON.stringify(
    mails.map(({ id, threadId, intent, mail }) => ({
      id,
      direction: mail.direction,
      folder: mail.folder,
      original_folder:
        mail.folder === 'trash' || mail.folder === 'archived'
          ? mail.direction === 'in'
            ? 'inbox'
            : 'sent'
          : null,
      kind: mail.kind,
      intent,
      message_id: mail.messageId,
      thread_id: threadId,
      in_reply_to: mail.inReplyTo,
      reference_ids: mail.references,
      from_name: mail.fromName,
      from_address: mail.fromAddress,
      to_line: mail.toLine,
      correspondent_key: mail.correspondentKey,
      subject: mail.subject,
      snippet: mail.snippet,
      collapse_key: mail.collapseKey,
      is_read: mail.isRead,
      is_starred: mail.isStarred,
      attachment_names: mail.attachmentNames,
      size: mail.size,
      has_body: mail.body !== null,
      occurred_at: mail.occurredAt,
    })),
  )
}

export async function insertMails(
  tx: Tx,
  of: { userId: number; mailboxId: number; now: Date },
  mails: readonly StoredMail[],
): Promise<void> {
  if (mails.length === 0) return
  await sql`
    INSERT INTO emails (user_id, mailbox_id, created_at, id, direction, folder, original_folder, kind, intent, message_id, thread_id,
      in_reply_to, reference_ids, from_name, from_address, to_line, correspondent_key, subject, snippet, collapse_key,
      is_read, is_starred, attachment_names, size, has_body, occurred_at)
    SELECT ${of.userId}::bigint, ${of.mailboxId}::bigint, ${of.now}::timestamptz, m.*
    FROM json_to_recordset(${mailRows(mails)}::json) AS m ${MAIL_COLUMNS}`.execute(tx)
}

/** Completes mails of which only the envelope was known. What the user did with them in the meantime stays. */
export async function completeMails(tx: Tx, userId: number, mails: readonly StoredMail[]): Promise<void> {
  if (mails.length === 0) return
  await sql`
    UPDATE emails e SET ${SET_JUDGED}
    FROM json_to_recordset(${mailRows(mails)}::json) AS m ${MAIL_COLUMNS}
    WHERE e.user_id = ${userId} AND e.id = m.id AND NOT e.has_body`.execute(tx)
}

/** Writes the words of mails; the small raw mails travel as one string of bytes, cut up again by the database. */
export async function insertBodies(tx: Tx, userId: number, mails: readonly StoredMail[]): Promise<void> {
  const whole = mails.flatMap(({ id, mail, rawKey }) =>
    mail.body === null ? [] : [{ id, rawKey, ...mail.body }],
  )
  if (whole.length === 0) return
  let at = 1
  const rows = whole.map(({ id, rawKey, raw, ...body }) => {
    const length = rawKey === null ? raw.length : 0
    const row = {
      email_id: id,
      text: body.text,
      html: body.html,
      cc_line: body.ccLine,
      bcc_line: body.bccLine,
      reply_to_line: body.replyToLine,
      files: body.files,
      raw_key: rawKey,
      raw_at: at,
      raw_length: length,
    }
    at += length
    return row
  })
  const bytes = Buffer.concat(whole.flatMap(({ rawKey, raw }) => (rawKey === null ? [raw] : [])))
  await sql`
    INSERT INTO email_bodies (user_id, email_id, text, html, cc_line, bcc_line, reply_to_line, files, raw_key, raw)
    SELECT ${userId}::bigint, b.email_id, b.text, b.html, b.cc_line, b.bcc_line, b.reply_to_line, b.files, b.raw_key,
      CASE WHEN b.raw_key IS NULL THEN substring(bytes.all_of_them FROM b.raw_at FOR b.raw_length) END
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS b (email_id bigint, text text, html text, cc_line text, bcc_line text,
      reply_to_line text, files jsonb, raw_key text, raw_at int, raw_length int),
      (SELECT ${bytes}::bytea AS all_of_them) bytes
    ON CONFLICT (user_id, email_id) DO NOTHING`.execute(tx)
}

/** Notes where mails are; a UID that is noted already stays. */
export async function insertLocations(
  db: Queryable,
  at: UidSpace,
  rows: readonly { uid: number; emailId: number }[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    INSERT INTO email_locations (user_id, mailbox_id, path, uid_validity, uid, email_id)
    SELECT ${at.userId}::bigint, ${at.mailboxId}::bigint, ${at.path}::text, ${at.uidValidity}::text, l.uid, l.email_id
    FROM unnest(${rows.map((row) => row.uid)}::bigint[], ${rows.map((row) => row.emailId)}::bigint[]) AS l(uid, email_id)
    ON CONFLICT DO NOTHING`.execute(db)
}

/** Makes several threads one. */
export async function mergeThreads(
  tx: Tx,
  userId: number,
  merged: readonly (readonly [number, number])[],
): Promise<void> {
  if (merged.length === 0) return
  await sql`
    UPDATE emails e SET thread_id = m.into_id
    FROM unnest(${merged.map(([from]) => from)}::bigint[], ${merged.map(([, to]) => to)}::bigint[]) AS m(from_id, into_id)
    WHERE e.user_id = ${userId} AND e.thread_id = m.from_id`.execute(tx)
}
