import { sql } from 'kysely'
import { inSpace, type UidSpace } from '../messages/locations-store.ts'
import { type Growth, waitAfter } from './poll-intervals.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { hasRows, numberOf, rowsOf } from '../../../platform/database/rows.ts'

export type PutAside = { uid: number; reason: string; size: number; growth: Growth }

/** Puts unreadable messages aside so that the rest can be read. They are tried again after growing pauses. */
export async function putAside(tx: Tx, at: UidSpace, mails: readonly PutAside[], now: Date): Promise<void> {
  if (mails.length === 0) return
  const tries = await triesOf(tx, at, uidsOf(mails))
  const rows = mails.map(({ uid, reason, size, growth }) => {
    const tried = (tries.get(uid) ?? 0) + 1
    return { uid, reason, size, tried, again: new Date(now.getTime() + waitAfter(growth, tried)) }
  })
  await sql`
    INSERT INTO quarantined_mails (user_id, mailbox_id, path, uid_validity, uid, reason, size, put_aside_at, tries, next_try_at)
    SELECT ${at.userId}::bigint, ${at.mailboxId}::bigint, ${at.path}::text, ${at.uidValidity}::text, uid, reason, size,
      ${now}::timestamptz, tries, again
    FROM unnest(${uidsOf(rows)}::bigint[], ${rows.map(({ reason }) => reason)}::text[], ${rows.map(({ size }) => size)}::int[],
      ${rows.map(({ tried }) => tried)}::int[], ${rows.map(({ again }) => again)}::timestamptz[]) AS q(uid, reason, size, tries, again)
    ON CONFLICT (user_id, mailbox_id, path, uid_validity, uid) DO UPDATE
      SET reason = excluded.reason, tries = excluded.tries, next_try_at = excluded.next_try_at`.execute(tx)
}

async function triesOf(tx: Tx, at: UidSpace, uids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ uid: number; tries: number }>`
    SELECT uid, tries FROM quarantined_mails WHERE ${inSpace(at)} AND uid = ANY(${[...uids]}::bigint[])
    `.execute(tx)
  return new Map(rows.map(({ uid, tries }) => [uid, tries]))
}

/** Messages put aside that are due to be tried again: those that wait the longest first, then the newest. */
export async function dueAside(db: Queryable, at: UidSpace, now: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ uid: number }>`
    SELECT uid FROM quarantined_mails WHERE ${inSpace(at)} AND next_try_at <= ${now}
    ORDER BY next_try_at, uid DESC LIMIT ${limit}`.execute(db)
  return uidsOf(rows)
}

/** Forgets that messages were put aside. */
export async function takeBack(tx: Tx, at: UidSpace, uids: readonly number[]): Promise<void> {
  if (uids.length === 0) return
  await sql`DELETE FROM quarantined_mails WHERE ${inSpace(at)} AND uid = ANY(${[...uids]}::bigint[])
    `.execute(tx)
}

/** Rows of these messages that wait for their bodies, by UID. */
export async function bodiless(
  db: Queryable,
  at: UidSpace,
  uids: readonly number[],
): Promise<Map<number, { emailId: number; threadId: number }>> {
  const { rows } = await sql<{ uid: number; emailId: number; threadId: number }>`
    SELECT l.uid, e.id AS "emailId", e.thread_id AS "threadId"
    FROM email_locations l JOIN emails e ON e.user_id = l.user_id AND e.id = l.email_id AND NOT e.has_body
    WHERE ${inSpace(at, 'l')} AND l.uid = ANY(${[...uids]}::bigint[])
      AND e.mailbox_id = ${at.mailboxId} AND e.folder <> 'deleted'`.execute(db)
  return new Map(rows.map(({ uid, ...mail }) => [uid, mail]))
}

/** The Message-IDs of the folder's newest messages, by UID: their own, and those that their provider gave to copies. */
export async function newestMessageIds(
  db: Queryable,
  at: UidSpace,
  limit: number,
): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ uid: number; messageIds: string[] }>`
    SELECT l.uid, e.message_id || ARRAY(SELECT r.message_id FROM rewritten_message_ids r
      WHERE r.user_id = e.user_id AND r.email_id = e.id) AS "messageIds" FROM email_locations l
    JOIN emails e ON e.user_id = l.user_id AND e.id = l.email_id
    WHERE ${inSpace(at, 'l')}
    ORDER BY l.uid DESC LIMIT ${limit}`.execute(db)
  return new Map(rows.map(({ uid, messageIds }) => [uid, messageIds]))
}

/** Makes all messages of a user that were put aside due now. */
export async function hastenPutAside(db: Queryable, userId: number, now: Date): Promise<void> {
  await sql`UPDATE quarantined_mails SET next_try_at = ${now} WHERE user_id = ${userId}`.execute(db)
}

function uidsOf(rows: readonly { uid: number }[]): number[] {
  return rows.map(({ uid }) => uid)
}

/** Messages of the folder whose bodies are still to be fetched, newest first. */
export async function incompleteMails(
  db: Queryable,
  at: UidSpace,
  limit: number,
): Promise<{ emailId: number; threadId: number; uid: number }[]> {
  return rowsOf<{ emailId: number; threadId: number; uid: number }>(db)`
    SELECT e.id AS "emailId", e.thread_id AS "threadId", l.uid
    FROM emails e CROSS JOIN LATERAL (
      SELECT uid FROM email_locations l
      WHERE l.user_id = e.user_id AND l.email_id = e.id AND l.mailbox_id = ${at.mailboxId} AND l.path = ${at.path}
        AND l.uid_validity = ${at.uidValidity}
        AND NOT EXISTS (SELECT FROM quarantined_mails q WHERE q.user_id = l.user_id AND q.mailbox_id = l.mailbox_id
          AND q.path = l.path AND q.uid_validity = l.uid_validity AND q.uid = l.uid)
      LIMIT 1
    ) l
    WHERE e.user_id = ${at.userId} AND e.mailbox_id = ${at.mailboxId} AND NOT e.has_body
    ORDER BY e.occurred_at DESC LIMIT ${limit}`
}

/**
 * What is known of a folder: `aside` counts the messages that were put aside and have no row, `due` all that were put
 * aside and are to be tried again, `incomplete` those that lack their body.
 */
export type Known = { located: number; aside: number; due: number; incomplete: number }

/** Counts what is known of the folder. */
export async function countKnown(db: Queryable, at: UidSpace, now: Date): Promise<Known> {
  const { rows } = await sql<Known>`
    SELECT
      (SELECT count(*) FROM email_locations WHERE ${inSpace(at)}) AS located,
      (SELECT count(*) FROM quarantined_mails q WHERE ${inSpace(at)} AND NOT EXISTS (SELECT FROM email_locations l WHERE l.user_id = q.user_id
          AND l.mailbox_id = q.mailbox_id AND l.path = q.path AND l.uid_validity = q.uid_validity AND l.uid = q.uid)) AS aside,
      (SELECT count(*) FROM quarantined_mails WHERE ${inSpace(at)} AND next_try_at <= ${now}) AS due,
      (SELECT count(DISTINCT e.id) FROM emails e JOIN email_locations l ON l.user_id = e.user_id AND l.email_id = e.id
        WHERE e.user_id = ${at.userId} AND e.mailbox_id = ${at.mailboxId} AND NOT e.has_body AND l.mailbox_id = ${at.mailboxId}
          AND l.path = ${at.path} AND l.uid_validity = ${at.uidValidity}
          AND NOT EXISTS (SELECT FROM quarantined_mails q WHERE q.user_id = l.user_id AND q.mailbox_id = l.mailbox_id
            AND q.path = l.path AND q.uid_validity = l.uid_validity AND q.uid = l.uid)) AS incomplete
    `.execute(db)
  return rows[0] ?? { located: 0, aside: 0, due: 0, incomplete: 0 }
}

/**
 * Forgets the folder's locations whose UID is not in `existing`. The messages stay; they are reconciled once the other
 * folders have been read, and not before `heldUntil`.
 */
export async function dropGone(
  tx: Tx,
  at: UidSpace,
  existing: readonly number[],
  now: Date,
  heldUntil: Date | null,
): Promise<void> {
  await sql`
    WITH gone AS (
      DELETE FROM email_locations l
      WHERE ${inSpace(at, 'l')}
        AND NOT (l.uid = ANY(${[...existing]}::bigint[]))
      RETURNING l.email_id
    )
    INSERT INTO relocations (user_id, mailbox_id, email_id, noticed_at, may_be_gone, held_until)
    SELECT DISTINCT ${at.userId}::bigint, ${at.mailboxId}::bigint, email_id, ${now}::timestamptz, true, ${heldUntil}::timestamptz
    FROM gone ORDER BY 3
    ON CONFLICT (user_id, mailbox_id, email_id) DO UPDATE
      SET noticed_at = excluded.noticed_at, may_be_gone = true, gone_at = NULL, held_until = excluded.held_until
    `.execute(tx)
  await sql`
    DELETE FROM quarantined_mails q
    WHERE ${inSpace(at, 'q')}
      AND NOT (q.uid = ANY(${[...existing]}::bigint[]))`.execute(tx)
}

/** Whether emails are known in any of these folders. */
export async function holdEmails(
  db: Queryable,
  { userId, mailboxId }: Pick<UidSpace, 'userId' | 'mailboxId'>,
  paths: readonly string[],
): Promise<boolean> {
  if (paths.length === 0) return false
  return hasRows(db)`
    SELECT FROM email_locations
    WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND path = ANY(${[...paths]}::text[]) LIMIT 1
    `
}

/** Forgets the folder's UIDs under any other UIDVALIDITY: they are no longer valid. */
export async function dropOldUids(tx: Tx, at: UidSpace): Promise<void> {
  for (const table of [sql`email_locations`, sql`quarantined_mails`])
    await sql`DELETE FROM ${table} WHERE user_id = ${at.userId} AND mailbox_id = ${at.mailboxId}
      AND path = ${at.path} AND uid_validity <> ${at.uidValidity}`.execute(tx)
}

/** How many messages from others the account has received since an instant. */
export async function countArrived(
  db: Queryable,
  userId: number,
  mailboxId: number,
  since: Date,
  inboxOnly: boolean,
): Promise<number> {
  return numberOf(db)`
    SELECT count(*) AS count FROM emails
    WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND created_at >= ${since} AND direction = 'in'
      AND (folder = 'inbox' OR NOT ${inboxOnly}::boolean)`
}
