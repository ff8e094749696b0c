import { sql } from 'kysely'
import { anyUser } from '../../../platform/database/any-user.ts'
import { inTransaction, runSql } from '../../../platform/database/transaction.ts'
import type { ClaimKey, Settlement } from '../../../platform/jobs/delivery.ts'
import type { WrittenMail } from '../messages/sent-copies.ts'
import type { DeliveryState } from '../tables.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import { execute, idsOf, rowsOf } from '../../../platform/database/rows.ts'

/**
 * Writes how attempts ended, and marks the emails whose final dot is next as committed: one statement, so one commit.
 *
 * An email is marked only while this worker holds this attempt. An email that a server accepted counts as sent even if its
 * worker was taken for dead in the meantime, unless somebody is sending it again at this moment. A worker that has only
 * claimed it finds its claim lost. Repeating the call changes nothing, so it is safe when its answer was lost.
 *
 * @returns the claims that were marked: of two attempts at one email in the same call at most one is
 */
export async function settleAndMark(
  db: Queryable,
  workerId: string,
  settlements: readonly Settlement[],
  marks: readonly ClaimKey[],
): Promise<ReadonlySet<ClaimKey>> {
  const changes = JSON.stringify([
    ...settlements.map((each) => ({
      user_id: each.userId,
      email_id: each.emailId,
      attempt: each.attempt,
      state: each.state,
      reason: each.reason?.toWellFormed(),
      next_try_at: changedNextTry(each),
      at: each.at,
      in_sent_folder: each.state !== 'sent' || each.inSentFolder,
    })),
    ...marks.map(({ userId, emailId, attempt }) => ({
      user_id: userId,
      email_id: emailId,
      attempt,
      state: 'committed',
      in_sent_folder: true,
    })),
  ])
  const { rows } = await runSql(db, SETTLE_AND_MARK, [changes, workerId])
  const written = rows as { id: number; attempt: number; state: DeliveryState }[]
  if (written.length < settlements.length + marks.length) {
    const settled = attemptsIn(written)
    await settleAccepted(
      db,
      settlements.filter((each) => each.state === 'sent' && !settled(each)),
    )
  }
  return new Set(marks.filter(attemptsIn(written.filter((row) => row.state === 'committed'))))
}

/** Compares attempts too: an email that was held and released may be claimed again while its first attempt is still open. */
function attemptsIn(rows: readonly { id: number; attempt: number }[]) {
  const attempts = new Map(rows.map(({ id, attempt }) => [id, attempt]))
  return ({ emailId, attempt }: ClaimKey) => attempts.get(emailId) === attempt
}

/**
 * A constant, because it runs for every few emails and building its text would take time. The three conditions that always
 * hold lower the planner's row estimate. So the plan that it keeps uses the key even if it was made while the table was
 * empty.
 */
const SETTLE_AND_MARK = `
  UPDATE deliveries d SET state = n.state, queue = CASE WHEN n.state IN ('unsure', 'failed') THEN n.state ELSE 'due' END,
    reason = CASE WHEN n.state = 'committed' THEN d.reason ELSE n.reason END,
    next_try_at = coalesce(n.next_try_at, d.next_try_at),
    worker_id = CASE WHEN n.state = 'committed' THEN d.worker_id END,
    after_crash = d.after_crash AND n.state = 'committed',
    settled_at = CASE WHEN n.state IN ('sent', 'failed') THEN n.at END,
    in_sent_folder = n.in_sent_folder
  FROM json_to_recordset($1::json) AS n(user_id bigint, email_id bigint, attempt int, state text, reason text,
    next_try_at timestamptz, at timestamptz, in_sent_folder boolean)
  WHERE n.user_id > 0 AND n.email_id > 0 AND n.attempt > 0
    AND d.user_id = n.user_id AND d.email_id = n.email_id AND d.attempt = n.attempt
    AND d.worker_id = $2 AND d.state IN ('claimed', 'committed')
  RETURNING d.email_id AS id, d.attempt, d.state`

/** Null if it does not change: a row whose indexed columns change is written to every index. */
function changedNextTry({ state, nextTryAt }: Settlement): Date | null {
  return state === 'deferred' || state === 'unsure' ? nextTryAt : null
}

/**
 * Does what is left to do for the sent emails of a mailbox, many at a time: they leave the index of open deliveries, their
 * recipients count as mailed, and lists show them under the time when they left. Emails that this was not done for are
 * found by the next call, whoever makes it.
 */
export async function finalizeSent(db: Queryable, userId: number, mailboxId: number): Promise<void> {
  await sql`
    WITH finalized AS (
      UPDATE deliveries SET queue = NULL
      WHERE queue = 'due' AND user_id = ${anyUser(userId)} AND mailbox_id = ${mailboxId} AND state = 'sent'
      RETURNING user_id, email_id, recipients, settled_at
    ), counted AS (
      INSERT INTO unsent_counts AS c (user_id, slot, unsent)
      SELECT user_id, pg_backend_pid() % 64, -count(*) FROM finalized GROUP BY user_id
      ON CONFLICT (user_id, slot) DO UPDATE SET unsent = c.unsent + excluded.unsent
    ), mails AS (
      SELECT f.*, e.correspondent_key, e.purpose, e.occurred_at
      FROM finalized f JOIN emails e ON e.user_id = f.user_id AND e.id = f.email_id
    ), active AS (
      -- All senders of a user share this row. It is locked last, so that nobody who holds it waits for another row.
      -- A test to oneself is mail to nobody.
      INSERT INTO mail_activity AS m (user_id, at, source, sent)
      SELECT user_id, date_bin('1 hour', settled_at, 'epoch'), 'left', quarters_of(array_agg(settled_at))
      FROM mails WHERE purpose IS DISTINCT FROM 'test' GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (user_id, at, source) DO UPDATE SET sent = plus_quarters(m.sent, excluded.sent)
    ), mailed AS (
      INSERT INTO correspondents AS c (user_id, address_key, first_sent_at, last_sent_at, follow_ups)
      SELECT user_id, key, min(settled_at), max(settled_at), count(*) FILTER (WHERE purpose = 'follow_up')
      FROM (SELECT *, CASE cardinality(recipients) WHEN 1 THEN correspondent_key ELSE lower(recipient) END AS key
            FROM mails, unnest(recipients) AS recipient WHERE purpose IS DISTINCT FROM 'test') each_one
      GROUP BY user_id, key ORDER BY user_id, key
      ON CONFLICT (user_id, address_key) DO UPDATE SET
        first_sent_at = least(c.first_sent_at, excluded.first_sent_at),
        last_sent_at = greatest(c.last_sent_at, excluded.last_sent_at),
        follow_ups = c.follow_ups + excluded.follow_ups
      RETURNING address_key, xmax = 0 AS is_stranger
    ), sending AS (
      -- What the rules of abuse look at. All senders share this row too, and lock it before the one above.
      INSERT INTO sending_days AS s (user_id, day, sent, strangers, role_addresses)
      SELECT f.user_id, date_bin('1 day', max(f.settled_at), 'epoch'), count(*),
        (SELECT count(*) FROM mailed WHERE is_stranger),
        (SELECT count(*) FROM mailed WHERE is_stranger AND is_role_address(address_key))
      FROM finalized f
      WHERE NOT (SELECT is_practice FROM mailboxes WHERE user_id = ${anyUser(userId)} AND id = ${mailboxId})
      GROUP BY f.user_id
      ON CONFLICT (user_id, day) DO UPDATE SET sent = s.sent + excluded.sent,
        strangers = s.strangers + excluded.strangers, role_addresses = s.role_addresses + excluded.role_addresses
    )
    UPDATE emails e SET occurred_at = m.settled_at FROM mails m
    WHERE m.occurred_at < m.settled_at - interval '1 minute' AND e.user_id = m.user_id AND e.id = m.email_id
    `.execute(db)
}

/** Those of these processes that no longer hold a lease. */
export async function withoutLease(db: Queryable, workerIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM unnest(${[...workerIds]}::text[]) AS id WHERE id NOT IN (SELECT id FROM workers)
    `.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Settles emails that a server accepted in these attempts, whoever was sending them. Emails that the database already knows
 * to be sent, or that have been sent again since, stay as they are. An email that only waits to be sent again is settled,
 * and a worker that has claimed it for that finds its claim lost.
 *
 * @returns the mailboxes that now have emails to finalize
 */
export async function settleAccepted(
  db: Queryable,
  accepted: readonly Omit<Settlement, 'state' | 'nextTryAt'>[],
): Promise<{ userId: number; mailboxId: number }[]> {
  if (accepted.length === 0) return []
  const rows = accepted.map((each) => ({
    user_id: each.userId,
    email_id: each.emailId,
    attempt: each.attempt,
    reason: each.reason?.toWellFormed() ?? null,
    at: each.at,
    in_sent_folder: each.inSentFolder,
  }))
  const settled = await sql<{ userId: number; mailboxId: number }>`
    WITH accepted AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS a(user_id bigint, email_id bigint, attempt int,
        reason text, at timestamptz, in_sent_folder boolean)
    ), settled AS (
      UPDATE deliveries d SET state = 'sent', queue = 'due', reason = a.reason, worker_id = NULL, after_crash = false,
        settled_at = a.at, in_sent_folder = a.in_sent_folder
      FROM accepted a
      WHERE d.user_id = a.user_id AND d.email_id = a.email_id
        AND (d.attempt = a.attempt AND d.state IN ('committed', 'unsure', 'queued', 'held')
          OR d.attempt = a.attempt + 1 AND d.state IN ('queued', 'held', 'claimed'))
      RETURNING d.user_id, d.mailbox_id
    )
    SELECT user_id AS "userId", mailbox_id AS "mailboxId" FROM settled
    UNION
    -- Their worker settled them, and was killed before it finalized them.
    SELECT d.user_id, d.mailbox_id FROM accepted JOIN deliveries d USING (user_id, email_id)
    WHERE d.state = 'sent' AND d.queue = 'due'
    ORDER BY 1, 2`.execute(db)
  return settled.rows
}

/** A server that accepts an email and hangs up gets it one more time only. After crashes of our own it is sent again three times at most. */
const RESENDS_AFTER_CRASH_MAX = 3
const MAY_SEND_AGAIN = sql.raw(
  `(d.resends = 0 OR (d.after_crash AND d.resends < ${RESENDS_AFTER_CRASH_MAX}))`,
)

/** An email of which it is not known whether the server accepted it. */
export type Unsure = WrittenMail & { userId: number; mailboxId: number }

/** Which of these emails are still on their way: neither sent nor failed, nor given up because they may have left. */
export async function onTheWayAmong(
  db: Queryable,
  userId: number,
  emailIds: readonly number[],
): Promise<Set<number>> {
  if (emailIds.length === 0) return new Set()
  return new Set(
    await idsOf(db)`
    SELECT d.email_id AS id FROM deliveries d
    WHERE d.user_id = ${userId} AND d.email_id = ANY(${[...emailIds]}::bigint[])
      AND d.state NOT IN ('sent', 'failed') AND (d.state <> 'unsure' OR ${MAY_SEND_AGAIN})`,
  )
}

/** Unsure emails that are due to be looked up, and that may be sent again if they are not found. */
export async function unsureDue(db: Queryable, now: Date, limit: number): Promise<Unsure[]> {
  return rowsOf<Unsure>(db)`
    SELECT d.user_id AS "userId", d.email_id AS "emailId", d.mailbox_id AS "mailboxId", e.message_id AS "messageId",
      e.correspondent_key AS "correspondentKey", e.subject, coalesce(b.text, '') AS text, coalesce(b.files, '[]') AS files, e.created_at AS "writtenAt", ${now}::timestamptz AS "leftAt"
    FROM deliveries d JOIN emails e ON e.user_id = d.user_id AND e.id = d.email_id
    LEFT JOIN email_bodies b ON b.user_id = d.user_id AND b.email_id = d.email_id
    WHERE d.queue = 'unsure' AND ${MAY_SEND_AGAIN} AND d.next_try_at <= ${now}
      AND NOT mail_is_paused(d.user_id)
    ORDER BY d.next_try_at LIMIT ${limit}`
}

/** An unsure email was found in the Sent folder: it did go out. */
export async function settleFound(db: Queryable, mail: Unsure, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`UPDATE deliveries SET state = 'sent', queue = 'due', reason = NULL, settled_at = ${now}, in_sent_folder = true
      WHERE user_id = ${mail.userId} AND email_id = ${mail.emailId} AND state = 'unsure'`.execute(tx)
    await finalizeSent(tx, mail.userId, mail.mailboxId)
  })
}

/** Queues an unsure email again, with its Message-ID. Whether it may still leave is asked when it is claimed. */
export const queueAgain = (db: Queryable, { userId, emailId }: Unsure, now: Date) => execute(db)`
  UPDATE deliveries d SET state = 'queued', queue = 'due', resends = resends + 1, next_try_at = ${now}, priority = 1
  WHERE user_id = ${userId} AND email_id = ${emailId} AND state = 'unsure' AND ${MAY_SEND_AGAIN}`

/** Postpones looking up an unsure email: its account could not be reached. */
export async function postponeLookup(db: Queryable, mail: Unsure, at: Date): Promise<void> {
  await sql`UPDATE deliveries SET next_try_at = ${at}
    WHERE user_id = ${mail.userId} AND email_id = ${mail.emailId} AND state = 'unsure'`.execute(db)
}
