import { sql } from 'kysely'
import { anyUser } from '../../../platform/database/any-user.ts'
import type { UidSpace } from '../messages/locations-store.ts'
import { DELIVERY_REPORTS } from '../messages/summary.ts'
import type { EmailFolder } from '../tables.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { idsOf, rowsOf } from '../../../platform/database/rows.ts'

/** Messages per person that are searched for the same subject. */
const SUBJECTS_PER_PERSON = 30

/** Threads are assigned by one transaction at a time per user; the lock is held until it ends. */
export async function lockIngest(tx: Tx, userId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('ingest', ${userId}))`.execute(tx)
}

export type NamedMail = {
  id: number
  /** The one that was asked for: its own, or one that its provider gave a copy of it. */
  messageId: string
  threadId: number
  mailboxId: number | null
  direction: 'in' | 'out'
  correspondentKey: string
  fromAddress: string
  subject: string
  size: number
  /** That of its Date header; of a draft that was written here, the newest version's. */
  date: Date
  digest: string | null
  hasBody: boolean
  folder: EmailFolder
  /** It was written here, so its Message-ID is ours and there is no raw mail. */
  isOurs: boolean
  /** It is already in this folder, under another UID. */
  here: boolean
  /** It is in a folder of the server, as far as is known. */
  isLocated: boolean
  /** It has left the folder that it was in, and is in no other yet. */
  isLost: boolean
  /** Of a draft of ours, the digests of the versions that may be on the server. */
  versions: string[] | null
}

/** SQL: the Date header of a mail. Of one that was sent from here, `occurred_at` is when it left, after that. */
export function dateHeaderOf(alias: string) {
  return sql.raw(
    `CASE WHEN ${alias}.purpose IS NULL OR ${alias}.folder = 'drafts' THEN ${alias}.occurred_at ELSE ${alias}.created_at END`,
  )
}

/** SQL: the digests of the versions of draft `e`, with composition `c`; the last one may be another program's. */
export const VERSIONS = sql.raw(`array_remove(c.appended_digests || e.digest, NULL)`)

/** The user's messages with these Message-IDs: those without a server location first, deleted ones last. */
export async function mailsNamed(
  db: Queryable,
  userId: number,
  messageIds: readonly string[],
  at: UidSpace | null,
): Promise<NamedMail[]> {
  if (messageIds.length === 0) return []
  return rowsOf<NamedMail>(db)`
    SELECT e.id, k.message_id AS "messageId", e.thread_id AS "threadId", e.mailbox_id AS "mailboxId", e.direction,
      e.correspondent_key AS "correspondentKey", e.from_address AS "fromAddress", e.subject, e.size, e.digest,
      e.has_body AS "hasBody", e.folder, e.purpose IS NOT NULL AS "isOurs",
      ${dateHeaderOf('e')} AS date, o.email_id IS NOT NULL AS "isLocated",
      EXISTS (SELECT FROM email_locations l WHERE l.user_id = e.user_id AND l.email_id = e.id
        AND l.mailbox_id = ${at?.mailboxId ?? null}::bigint AND l.path = ${at?.path ?? null}::text
        AND l.uid_validity = ${at?.uidValidity ?? null}::text) AS here,
      o.email_id IS NULL AND EXISTS (SELECT FROM relocations s
        WHERE s.user_id = e.user_id AND s.mailbox_id = e.mailbox_id AND s.email_id = e.id) AS "isLost",
      CASE WHEN e.purpose IS NOT NULL AND e.folder = 'drafts'
        THEN (SELECT ${VERSIONS} FROM compositions c WHERE c.user_id = e.user_id AND c.email_id = e.id) END AS versions
    FROM (
      SELECT id, message_id FROM emails
      WHERE user_id = ${anyUser(userId)} AND message_id = ANY(${[...messageIds]}::text[])
      UNION ALL
      SELECT email_id, message_id FROM rewritten_message_ids
      WHERE user_id = ${anyUser(userId)} AND message_id = ANY(${[...messageIds]}::text[])
    ) k
    JOIN emails e ON e.user_id = ${anyUser(userId)} AND e.id = k.id
    LEFT JOIN LATERAL (SELECT email_id FROM email_locations WHERE user_id = e.user_id AND email_id = e.id LIMIT 1) o ON true
    ORDER BY e.folder = 'deleted', "isLocated", e.id`
}

/** Threads of the messages that answer these Message-IDs. */
export async function answersTo(
  db: Queryable,
  userId: number,
  messageIds: readonly string[],
): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ parent: string; threads: number[] }>`
    SELECT in_reply_to AS parent, array_agg(DISTINCT thread_id) AS threads FROM emails
    WHERE user_id = ${anyUser(userId)} AND in_reply_to = ANY(${[...messageIds]}::text[]) GROUP BY 1`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.parent, row.threads.map(Number)]))
}

export type SubjectRow = { key: string; subject: string; threadId: number; occurredAt: Date }

/**
 * A person, and a LIKE pattern for the subject sought. Subjects are compared with their ASCII letters in lower case.
 */
export type SubjectSought = { key: string; pattern: string }

/** Searches each person's newest messages between two instants for the subject sought. */
export async function subjectsWith(
  db: Queryable,
  userId: number,
  sought: readonly SubjectSought[],
  from: Date,
  to: Date,
): Promise<SubjectRow[]> {
  if (sought.length === 0) return []
  return rowsOf<SubjectRow>(db)`
    SELECT k.key, m.subject, m.thread_id AS "threadId", m.occurred_at AS "occurredAt"
    FROM unnest(${sought.map(({ key }) => key)}::text[], ${sought.map(({ pattern }) => pattern)}::text[]) AS k(key, pattern)
    CROSS JOIN LATERAL (
      SELECT subject, thread_id, occurred_at FROM emails
      WHERE user_id = ${anyUser(userId)} AND correspondent_key = k.key AND occurred_at BETWEEN ${from} AND ${to}
      ORDER BY occurred_at DESC LIMIT ${SUBJECTS_PER_PERSON}
    ) m
    WHERE lower(m.subject COLLATE "C") LIKE k.pattern`
}

/** Merges threads. */
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

/** Gives delivery reports the collapse key that they share. */
export async function foldUnderReports(tx: Tx, userId: number, ids: readonly number[]): Promise<void> {
  await sql`UPDATE emails SET collapse_key = ${DELIVERY_REPORTS}
    WHERE user_id = ${userId} AND id = ANY(${[...ids]}::bigint[])`.execute(tx)
}

/** Marks those of these mails read that are unread in the inbox. @returns their ids */
export async function markReadInInbox(tx: Tx, userId: number, ids: readonly number[]): Promise<number[]> {
  return idsOf(tx)`
    UPDATE emails SET is_read = true
    WHERE user_id = ${userId} AND id = ANY(${[...ids]}::bigint[]) AND folder = 'inbox' AND NOT is_read
    RETURNING id`
}
