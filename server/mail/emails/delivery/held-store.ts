import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { enqueueDue } from './enqueue-scheduled.ts'
import { finalizeSent } from './settlements-store.ts'
import { idsOf, rowsOf } from '../../../platform/database/rows.ts'

const SCHEDULED_AT_ONCE = 500
const LEFT_OUT = 'It may have left before Howl was restored from a backup, so it was not sent again.'

/**
 * After a restore: holds every email that waited when the backup was taken, because the house that went on may have sent
 * it. Once its owner's mail is resumed it is looked up in Sent by its Message-ID, and sent only if it is not there. What the
 * mail server was still to be told is forgotten: the server is newer than the backup.
 *
 * @param at the time of the restore; what was due by then may have left
 */
export async function holdWaitingMails(tx: Tx, at: Date): Promise<void> {
  // Scheduled mails whose time came before the restore: from here on they are mails that may have left.
  for (let due = SCHEDULED_AT_ONCE; due === SCHEDULED_AT_ONCE;)
    due = (await enqueueDue(tx, at, SCHEDULED_AT_ONCE)).length
  // Mails of runs: they are released with their run.
  await sql`UPDATE deliveries SET after_crash = true WHERE queue = 'held' AND state = 'held'`.execute(tx)
  await sql`
    WITH waiting AS (
      SELECT d.user_id, d.email_id, d.next_try_at FROM deliveries d JOIN users u ON u.id = d.user_id AND NOT u.is_system
      WHERE d.queue = 'due' AND (d.state IN ('claimed', 'committed') OR d.state IN ('queued', 'deferred') AND d.next_try_at <= ${at})
        OR d.queue = 'unsure' AND d.state = 'unsure'
    ), held AS (
      UPDATE deliveries d SET state = 'unsure', queue = 'unsure', worker_id = NULL, after_crash = true, next_try_at = ${at},
        reason = 'It waits since Howl was restored from a backup.'
      FROM waiting w WHERE d.user_id = w.user_id AND d.email_id = w.email_id
    )
    INSERT INTO held_mails (user_id, email_id, due_at)
    SELECT w.user_id, w.email_id, coalesce(e.schedule_at, w.next_try_at)
    FROM waiting w JOIN emails e ON e.user_id = w.user_id AND e.id = w.email_id
    ON CONFLICT (user_id, email_id) DO NOTHING`.execute(tx)
  // What was about to be put into Sent has been there since, or nowhere: it is not put there twice.
  await sql`UPDATE deliveries SET in_sent_folder = true WHERE state = 'sent' AND NOT in_sent_folder
    `.execute(tx)
  await sql`DELETE FROM pending_actions`.execute(tx)
}

/** Removes the emails of the system user. @returns those that had left */
export async function removeSystemEmails(tx: Tx): Promise<number[]> {
  return idsOf(tx)`
    WITH left_already AS (
      SELECT d.email_id AS id FROM deliveries d JOIN users u ON u.id = d.user_id AND u.is_system WHERE d.state = 'sent'
    ), removed AS (
      DELETE FROM emails e USING users u WHERE u.is_system AND e.user_id = u.id
    )
    SELECT id FROM left_already`
}

/** An email that is known to have left, from what outlived the backup. */
export type LeftEmail = { userId: number; emailId: number; messageId: string; at: Date }

/** Settles held emails that are known to have left. Returns how many. */
export async function settleLeft(tx: Tx, left: readonly LeftEmail[]): Promise<number> {
  const { rows } = await sql<{ userId: number; mailboxId: number }>`
    WITH known AS (
      SELECT "userId" AS user_id, "emailId" AS email_id, "messageId" AS message_id, at
      FROM json_to_recordset(${JSON.stringify(left)}::json)
        AS k("userId" bigint, "emailId" bigint, "messageId" text, at timestamptz)
    ), settled AS (
      UPDATE deliveries d SET state = 'sent', queue = 'due', reason = NULL, worker_id = NULL, after_crash = false,
        settled_at = k.at, in_sent_folder = true
      FROM known k JOIN emails e ON e.user_id = k.user_id AND e.id = k.email_id AND e.message_id = k.message_id
      WHERE d.user_id = k.user_id AND d.email_id = k.email_id AND d.state <> 'sent'
      RETURNING d.user_id, d.email_id, d.mailbox_id
    ), released AS (
      DELETE FROM held_mails h USING settled s WHERE h.user_id = s.user_id AND h.email_id = s.email_id
    )
    SELECT user_id AS "userId", mailbox_id AS "mailboxId" FROM settled`.execute(tx)
  const mailboxes = new Map(rows.map((row) => [`${row.userId}/${row.mailboxId}`, row]))
  for (const { userId, mailboxId } of mailboxes.values()) await finalizeSent(tx, userId, mailboxId)
  return rows.length
}

/** Emails that have not left as far as the database knows, after one of them; for asking elsewhere. */
export async function openEmailsAfter(
  db: Queryable,
  after: { userId: number; emailId: number },
  limit: number,
): Promise<{ userId: number; emailId: number }[]> {
  return rowsOf<{ userId: number; emailId: number }>(db)`
    SELECT user_id AS "userId", email_id AS "emailId" FROM deliveries
    WHERE (user_id, email_id) > (${after.userId}, ${after.emailId}) AND state IN ('unsure', 'held', 'deferred', 'queued')
    ORDER BY user_id, email_id LIMIT ${limit}`
}

/** Those of these emails that have left according to a database. */
export async function leftAmong(
  db: Queryable,
  emails: readonly { userId: number; emailId: number }[],
): Promise<LeftEmail[]> {
  return rowsOf<LeftEmail>(db)`
    SELECT d.user_id AS "userId", d.email_id AS "emailId", e.message_id AS "messageId", d.settled_at AS at
    FROM unnest(${emails.map(({ userId }) => userId)}::bigint[], ${emails.map(({ emailId }) => emailId)}::bigint[])
      AS asked(user_id, email_id)
    JOIN deliveries d USING (user_id, email_id) JOIN emails e ON e.user_id = d.user_id AND e.id = d.email_id
    WHERE d.state = 'sent' AND d.settled_at IS NOT NULL`
}

/** An email that waits while its owner's mail is held. */
export type HeldMail = { subject: string; to: string; dueAt: Date; mayHaveLeft: boolean }

/** The user's emails that leave once the hold ends, first those that may have left; up to `limit`. */
export async function heldMails(
  db: Queryable,
  userId: number,
  now: Date,
  limit: number,
): Promise<{ mails: HeldMail[]; total: number; mayHaveLeft: number }> {
  const { rows } = await sql<HeldMail & { total: number; left: number }>`
    WITH waiting AS (
      SELECT h.email_id, h.due_at, true AS may_have_left FROM held_mails h
      JOIN deliveries d ON d.user_id = h.user_id AND d.email_id = h.email_id AND d.state = 'unsure'
      WHERE h.user_id = ${userId}
      UNION ALL
      SELECT d.email_id, d.next_try_at, false FROM deliveries d
      WHERE d.queue = 'due' AND d.user_id = ${userId} AND d.state IN ('queued', 'deferred')
      UNION ALL
      SELECT id, schedule_at, false FROM emails
      WHERE user_id = ${userId} AND folder = 'scheduled' AND schedule_at <= ${now}
    )
    SELECT e.subject, e.to_line AS "to", w.due_at AS "dueAt", w.may_have_left AS "mayHaveLeft",
      count(*) OVER () AS total, count(*) FILTER (WHERE w.may_have_left) OVER () AS left
    FROM waiting w JOIN emails e ON e.user_id = ${userId} AND e.id = w.email_id
    ORDER BY w.may_have_left DESC, w.due_at, w.email_id LIMIT ${limit}`.execute(db)
  return {
    mails: rows.map(({ subject, to, dueAt, mayHaveLeft }) => ({ subject, to, dueAt, mayHaveLeft })),
    total: rows[0]?.total ?? 0,
    mayHaveLeft: rows[0]?.left ?? 0,
  }
}

/** Does not send the user's emails that may have left: they become failed, and can be sent again one by one. */
export async function leaveOutHeld(tx: Tx, userId: number, now: Date): Promise<void> {
  await sql`
    UPDATE deliveries d SET state = 'failed', queue = 'failed', reason = ${LEFT_OUT}, settled_at = ${now}
    FROM held_mails h WHERE h.user_id = ${userId} AND d.user_id = h.user_id AND d.email_id = h.email_id
      AND d.state = 'unsure'`.execute(tx)
}
