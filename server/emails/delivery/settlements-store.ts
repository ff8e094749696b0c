import { sql } from 'kysely'
import { anyUser } from '../../database/any-user.ts'
import { inTransaction, runSql } from '../../database/transaction.ts'
import type { ClaimKey, Settlement } from '../../jobs/delivery.ts'
import type { DeliveryState } from '../tables.ts'
import type { Queryable } from '../../database/handles.ts'

/**
 * Writes down, in one statement and so in one commit, how attempts ended and which mails' final dot is next.
 *
 * A mail is marked only while this worker holds this attempt. What a server took counts as sent also where the worker was
 * taken for dead meanwhile, unless somebody is sending the mail once more at this moment: who has only claimed it finds
 * the claim lost. Doing the same again changes nothing, so it may be repeated when the answer to it was lost.
 *
 * @returns the ids of the mails that are marked
 */
export async function settleAndMark(
  db: Queryable,
  workerId: string,
  settlements: readonly Settlement[],
  marks: readonly ClaimKey[],
): Promise<Set<number>> {
  const changes = JSON.stringify([
    ...settlements.map((each) => ({
      user_id: each.userId,
      email_id: each.emailId,
      attempt: each.attempt,
      state: each.state,
      reason: each.reason?.toWellFormed(),
      next_try_at: nextTry(each),
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
  const written = rows as { id: number; state: DeliveryState }[]
  if (written.length < settlements.length + marks.length) {
    const settled = new Set(written.map((row) => row.id))
    await settleAccepted(
      db,
      settlements.filter((each) => each.state === 'sent' && !settled.has(each.emailId)),
    )
  }
  return new Set(written.filter((row) => row.state === 'committed').map((row) => row.id))
}

/**
 * Written out, because it runs for every few mails: no time goes into making its text. Three conditions that always hold
 * bring the planner's guess of the rows down, so that the plan that it keeps goes by the key, also when it was made
 * while the table was empty.
 */
const SETTLE_AND_MARK = `
  UPDATE deliveries d SET state = o.state, shelf = CASE WHEN o.state IN ('unsure', 'failed') THEN o.state ELSE 'due' END,
    reason = CASE WHEN o.state = 'committed' THEN d.reason ELSE o.reason END,
    next_try_at = coalesce(o.next_try_at, d.next_try_at),
    worker_id = CASE WHEN o.state = 'committed' THEN d.worker_id END,
    after_crash = d.after_crash AND o.state = 'committed',
    settled_at = CASE WHEN o.state IN ('sent', 'failed') THEN o.at END,
    in_sent_folder = o.in_sent_folder
  FROM json_to_recordset($1::json) AS o(user_id bigint, email_id bigint, attempt int, state text, reason text,
    next_try_at timestamptz, at timestamptz, in_sent_folder boolean)
  WHERE o.user_id > 0 AND o.email_id > 0 AND o.attempt > 0
    AND d.user_id = o.user_id AND d.email_id = o.email_id AND d.attempt = o.attempt
    AND d.worker_id = $2 AND d.state IN ('claimed', 'committed')
  RETURNING d.email_id AS id, d.state`

/** Only where it is needed: a row whose place in the index changes is written to every index. */
function nextTry({ state, nextTryAt }: Settlement): Date | null {
  return state === 'deferred' || state === 'unsure' ? nextTryAt : null
}

/**
 * Finishes what sent mails of a mailbox leave to be done, for many at a time: they leave the shelf, their addressees count
 * as mailed, and each stands in the list under the time when it left. What this was not done for is found again by the
 * next call, whoever makes it.
 */
export async function finalizeSent(db: Queryable, userId: number, mailboxId: number): Promise<void> {
  await sql`
    WITH away AS (
      UPDATE deliveries SET shelf = NULL
      WHERE shelf = 'due' AND user_id = ${anyUser(userId)} AND mailbox_id = ${mailboxId} AND state = 'sent'
      RETURNING user_id, email_id, recipients, settled_at
    ), counted AS (
      INSERT INTO unsent_counts AS c (user_id, lane, unsent)
      SELECT user_id, pg_backend_pid() % 64, -count(*) FROM away GROUP BY user_id
      ON CONFLICT (user_id, lane) DO UPDATE SET unsent = c.unsent + excluded.unsent
    ), active AS (
      -- The row that all senders of a user share; it comes last, so that nobody who has it waits for another row.
      INSERT INTO mail_activity AS m (user_id, at, source, sent)
      SELECT user_id, date_bin('1 hour', settled_at, 'epoch'), 'left', quarters_of(array_agg(settled_at))
      FROM away GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (user_id, at, source) DO UPDATE SET sent = plus_quarters(m.sent, excluded.sent)
    ), mails AS (
      SELECT a.*, e.correspondent_key, e.purpose, e.occurred_at
      FROM away a JOIN emails e ON e.user_id = a.user_id AND e.id = a.email_id
    ), told AS (
      INSERT INTO correspondents AS c (user_id, address_key, first_sent_at, last_sent_at, follow_ups)
      SELECT user_id, key, min(settled_at), max(settled_at), count(*) FILTER (WHERE purpose = 'follow_up')
      FROM (SELECT *, CASE cardinality(recipients) WHEN 1 THEN correspondent_key ELSE lower(recipient) END AS key
            FROM mails, unnest(recipients) AS recipient) each_one
      GROUP BY user_id, key ORDER BY user_id, key
      ON CONFLICT (user_id, address_key) DO UPDATE SET
        first_sent_at = least(c.first_sent_at, excluded.first_sent_at),
        last_sent_at = greatest(c.last_sent_at, excluded.last_sent_at),
        follow_ups = c.follow_ups + excluded.follow_ups
    )
    UPDATE emails e SET occurred_at = m.settled_at FROM mails m
    WHERE m.occurred_at < m.settled_at - interval '1 minute' AND e.user_id = m.user_id AND e.id = m.email_id`.execute(
    db,
  )
}

/** Of these processes those that no longer hold a lease. */
export async function withoutLease(db: Queryable, workerIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM unnest(${[...workerIds]}::text[]) AS id WHERE id NOT IN (SELECT id FROM workers)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/**
 * Settles mails that a server took in these attempts, whoever had them in hand; those of which the table knows already, or
 * that have been tried once more since, stay as they are. What only waits to be tried once more need not, and who has
 * claimed it for that finds the claim lost.
 *
 * @returns the mailboxes in which there is something to be put away now
 */
export async function settleAccepted(
  db: Queryable,
  taken: readonly Omit<Settlement, 'state' | 'nextTryAt'>[],
): Promise<{ userId: number; mailboxId: number }[]> {
  if (taken.length === 0) return []
  const rows = taken.map((each) => ({
    user_id: each.userId,
    email_id: each.emailId,
    attempt: each.attempt,
    reason: each.reason?.toWellFormed() ?? null,
    at: each.at,
    in_sent_folder: each.inSentFolder,
  }))
  const settled = await sql<{ userId: number; mailboxId: number }>`
    WITH o AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS o(user_id bigint, email_id bigint, attempt int,
        reason text, at timestamptz, in_sent_folder boolean)
    ), settled AS (
      UPDATE deliveries d SET state = 'sent', shelf = 'due', reason = o.reason, worker_id = NULL, after_crash = false,
        settled_at = o.at, in_sent_folder = o.in_sent_folder
      FROM o
      WHERE d.user_id = o.user_id AND d.email_id = o.email_id
        AND (d.attempt = o.attempt AND d.state IN ('committed', 'unsure', 'queued', 'held')
          OR d.attempt = o.attempt + 1 AND d.state IN ('queued', 'held', 'claimed'))
      RETURNING d.user_id, d.mailbox_id
    )
    SELECT user_id AS "userId", mailbox_id AS "mailboxId" FROM settled
    UNION
    -- Their worker said so itself, and was killed before it put them away.
    SELECT d.user_id, d.mailbox_id FROM o JOIN deliveries d USING (user_id, email_id)
    WHERE d.state = 'sent' AND d.shelf = 'due'
    ORDER BY 1, 2`.execute(db)
  return settled.rows
}

/** A far server that takes a mail and hangs up gets it once more and never again; deaths of our own, three times at most. */
const RESENDS_AFTER_CRASH_MAX = 3
const MAY_GO_AGAIN = sql.raw(`(d.resends = 0 OR (d.after_crash AND d.resends < ${RESENDS_AFTER_CRASH_MAX}))`)

export type Unsure = { userId: number; emailId: number; mailboxId: number; messageId: string }

/** Unsure mails that may be looked up, and sent once more where they are not found. */
export async function unsureDue(db: Queryable, now: Date, limit: number): Promise<Unsure[]> {
  const { rows } = await sql<Unsure>`
    SELECT d.user_id AS "userId", d.email_id AS "emailId", d.mailbox_id AS "mailboxId", e.message_id AS "messageId"
    FROM deliveries d JOIN emails e ON e.user_id = d.user_id AND e.id = d.email_id
    WHERE d.shelf = 'unsure' AND ${MAY_GO_AGAIN} AND d.next_try_at <= ${now}
    ORDER BY d.next_try_at LIMIT ${limit}`.execute(db)
  return rows
}

/** An unsure mail was found in Sent: it did go out. */
export async function settleFound(db: Queryable, mail: Unsure, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`UPDATE deliveries SET state = 'sent', shelf = 'due', reason = NULL, settled_at = ${now}, in_sent_folder = true
      WHERE user_id = ${mail.userId} AND email_id = ${mail.emailId} AND state = 'unsure'`.execute(tx)
    await finalizeSent(tx, mail.userId, mail.mailboxId)
  })
}

/** An unsure mail goes out once more, with the Message-ID that it has. */
export async function queueAgain(db: Queryable, mail: Unsure, now: Date): Promise<void> {
  await sql`
    UPDATE deliveries d SET state = 'queued', shelf = 'due', resends = resends + 1, next_try_at = ${now}, priority = 1
    WHERE user_id = ${mail.userId} AND email_id = ${mail.emailId} AND state = 'unsure' AND ${MAY_GO_AGAIN}`.execute(
    db,
  )
}

/** Puts an unsure mail off: it could not be looked up now. */
export async function postponeLookup(db: Queryable, mail: Unsure, at: Date): Promise<void> {
  await sql`UPDATE deliveries SET next_try_at = ${at}
    WHERE user_id = ${mail.userId} AND email_id = ${mail.emailId} AND state = 'unsure'`.execute(db)
}
