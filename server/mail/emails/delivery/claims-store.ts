import { type Insertable, sql } from 'kysely'
import { anyUser } from '../../../platform/database/any-user.ts'
import { insertRows } from '../../../platform/database/insert-rows.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { MIME_COLUMNS } from '../content/render-mime-store.ts'
import type { MailToRender } from '../content/render-mime.ts'
import type { ClaimKey } from '../../../platform/jobs/delivery.ts'
import { finalizeSent } from './settlements-store.ts'
import type { DeliveriesTable } from '../tables.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { hasRows, idsOf, numberOf, rowOf, rowsOf } from '../../../platform/database/rows.ts'

/** An email that this worker has claimed, with all that rendering it needs. */
export type Claim = MailToRender & {
  attempt: number
  resends: number
  groupId: number | null
  /** 0: somebody is waiting for it; 1: it is automatic. */
  priority: number
  firstTriedAt: Date
}

/** Stores the deliveries of new emails. */
export async function addDeliveries(tx: Tx, rows: readonly Insertable<DeliveriesTable>[]): Promise<void> {
  await insertRows(tx, 'deliveries', rows)
}

/** Mailboxes with emails that are due now, up to `limit`. */
export async function mailboxesWithDueMail(
  db: Queryable,
  now: Date,
  limit: number,
): Promise<{ userId: number; mailboxId: number }[]> {
  // A loose index scan: one step per mailbox, however many emails wait in each.
  return rowsOf<{ userId: number; mailboxId: number }>(db)`
    WITH RECURSIVE boxes AS (
      (SELECT user_id, mailbox_id FROM deliveries WHERE queue = 'due' ORDER BY user_id, mailbox_id LIMIT 1)
      UNION ALL
      SELECT n.user_id, n.mailbox_id FROM boxes m CROSS JOIN LATERAL (
        SELECT user_id, mailbox_id FROM deliveries
        WHERE queue = 'due' AND (user_id, mailbox_id) > (m.user_id, m.mailbox_id)
        ORDER BY user_id, mailbox_id LIMIT 1
      ) n
    )
    SELECT m.user_id AS "userId", m.mailbox_id AS "mailboxId" FROM boxes m
    WHERE EXISTS (
      SELECT FROM deliveries d WHERE d.queue = 'due' AND d.user_id = m.user_id AND d.mailbox_id = m.mailbox_id
        AND d.state IN ('queued', 'deferred') AND d.next_try_at <= ${now}
    ) AND NOT mail_is_paused(m.user_id)
    LIMIT ${limit}`
}

/** A worker, and one mailbox that it sends from. */
type WorkerMailbox = { workerId: string; userId: number; mailboxId: number }

/**
 * Registers that this worker sends from a mailbox. Locks the row, so that {@link freeOrphanedClaims} and a claim cannot run
 * at the same time.
 */
const registerWorker = ({ workerId, userId, mailboxId }: WorkerMailbox) => sql`
  INSERT INTO delivery_workers (user_id, mailbox_id, worker_id) VALUES (${userId}, ${mailboxId}, ${workerId})
  ON CONFLICT (user_id, mailbox_id, worker_id) DO UPDATE SET worker_id = excluded.worker_id`

/**
 * The user, unless their mail is paused or they are banned. A pause or ban waits for the claims that are being made, and a
 * claim for a pause or ban: no claim is made that {@link takeBackClaims} has not seen.
 */
const userWhoMails = (userId: number) => sql`
  SELECT FROM users WHERE id = ${userId} AND mail_paused_at IS NULL AND is_active FOR SHARE`

/** Claims up to `limit` due emails of a mailbox for this worker. Exactly one worker gets each of them. */
export async function claimDue(
  db: Queryable,
  by: WorkerMailbox & { now: Date; limit: number },
): Promise<Claim[]> {
  return rowsOf<Claim>(db)`
    WITH registered AS (${registerWorker(by)}), mailing AS (${userWhoMails(by.userId)}), due AS (
      SELECT user_id, email_id FROM deliveries
      WHERE EXISTS (SELECT FROM mailing) AND queue = 'due' AND user_id = ${anyUser(by.userId)} AND mailbox_id = ${by.mailboxId}
        AND state IN ('queued', 'deferred') AND next_try_at <= ${by.now}
      ORDER BY priority, next_try_at, email_id LIMIT ${by.limit} FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE deliveries d SET state = 'claimed', worker_id = ${by.workerId}, attempt = d.attempt + 1
      FROM due WHERE d.user_id = due.user_id AND d.email_id = due.email_id
      RETURNING d.user_id, d.email_id, d.attempt, d.resends, d.group_id, d.recipients, d.priority, d.next_try_at
    )
    SELECT ${CLAIM_COLUMNS} FROM claimed c
    JOIN emails e ON e.user_id = c.user_id AND e.id = c.email_id
    JOIN email_bodies b ON b.user_id = c.user_id AND b.email_id = c.email_id
    ORDER BY c.priority, c.next_try_at, c.email_id`
}

const CLAIM_COLUMNS = sql`
  c.user_id AS "userId", c.email_id AS "emailId", c.attempt, c.resends, c.group_id AS "groupId", c.priority, c.recipients,
  ${MIME_COLUMNS}, coalesce(e.schedule_at, e.created_at) AS "firstTriedAt"`

/** Those of these claims whose mail must not leave any more. Only mail that is part of a business can be such. */
export async function takenBackAmong(
  db: Queryable,
  userId: number,
  claims: readonly Claim[],
): Promise<Set<number>> {
  const ids = claims.filter(({ purpose }) => purpose === 'transactional').map(({ emailId }) => emailId)
  if (ids.length === 0) return new Set()
  return new Set(
    await idsOf(db)`
    SELECT email_id AS id FROM mails_taken_back WHERE user_id = ${userId} AND email_id = ANY(${ids}::bigint[])
    `,
  )
}

/**
 * Those of these claims that may have left before and are sent again for nothing: the recipient of a follow-up or of a mail of a
 * sequence has replied or bounced since, or the contact of a run was deleted.
 */
export async function overtakenAmong(
  db: Queryable,
  userId: number,
  claims: readonly Claim[],
): Promise<Set<number>> {
  const ids = claims.filter(({ resends }) => resends > 0).map(({ emailId }) => emailId)
  if (ids.length === 0) return new Set()
  return new Set(
    await idsOf(db)`
    SELECT id FROM unnest(${ids}::bigint[]) AS asked(id) WHERE mail_is_overtaken(${userId}, id)`,
  )
}

/** Claims one email, wherever it is in the queue. Undefined if somebody else has it or it is settled. */
export async function claimOne(
  db: Queryable,
  by: WorkerMailbox & { emailId: number },
): Promise<Claim | undefined> {
  return rowOf<Claim>(db)`
    WITH registered AS (${registerWorker(by)}), mailing AS (${userWhoMails(by.userId)}), claimed AS (
      UPDATE deliveries d SET state = 'claimed', worker_id = ${by.workerId}, attempt = d.attempt + 1
      WHERE EXISTS (SELECT FROM mailing) AND user_id = ${by.userId} AND email_id = ${by.emailId} AND state IN ('queued', 'deferred')
      RETURNING d.user_id, d.email_id, d.attempt, d.resends, d.group_id, d.recipients, d.priority
    )
    SELECT ${CLAIM_COLUMNS} FROM claimed c
    JOIN emails e ON e.user_id = c.user_id AND e.id = c.email_id
    JOIN email_bodies b ON b.user_id = c.user_id AND b.email_id = c.email_id`
}

/** Puts claims of this worker back into the queue. Emails that are marked as committed stay as they are. */
export async function releaseClaims(
  db: Queryable,
  workerId: string,
  claims: readonly ClaimKey[],
): Promise<void> {
  if (claims.length === 0) return
  await sql`
    UPDATE deliveries d SET state = 'queued', worker_id = NULL, attempt = d.attempt - 1
    FROM unnest(${claims.map((each) => each.userId)}::bigint[], ${claims.map((each) => each.emailId)}::bigint[]) AS c(user_id, email_id)
    WHERE d.user_id = c.user_id AND d.email_id = c.email_id AND d.state = 'claimed' AND d.worker_id = ${workerId}
    `.execute(db)
}

/**
 * Takes back every claim of a user whose mail was paused in this transaction. A worker that has claimed one of these
 * emails finds its claim lost before the final dot, so the far server accepts nothing.
 */
export async function takeBackClaims(tx: Tx, userId: number): Promise<void> {
  await sql`
    UPDATE deliveries SET state = 'queued', worker_id = NULL
    WHERE queue = 'due' AND user_id = ${anyUser(userId)} AND state = 'claimed'`.execute(tx)
}

/** How many emails of a user leave once the user's mail is no longer paused. */
export async function countWaiting(db: Queryable, userId: number, now: Date): Promise<number> {
  return numberOf(db)`
    SELECT (SELECT count(*) FROM deliveries WHERE queue = 'due' AND user_id = ${anyUser(userId)}
        AND state IN ('queued', 'deferred'))
      + (SELECT count(*) FROM emails WHERE user_id = ${userId} AND folder = 'scheduled' AND schedule_at <= ${now}) AS waiting
    `
}

/** Gives the reason why due mails of a mailbox wait, except those of groups. True when it is news to any of them. */
export async function noteWaiting(
  db: Queryable,
  userId: number,
  mailboxId: number,
  reason: string,
  now: Date,
): Promise<boolean> {
  return hasRows(db)`
    UPDATE deliveries SET reason = ${reason}
    WHERE queue = 'due' AND user_id = ${anyUser(userId)} AND mailbox_id = ${mailboxId} AND group_id IS NULL
      AND state IN ('queued', 'deferred') AND next_try_at <= ${now} AND reason IS DISTINCT FROM ${reason}
    RETURNING 1`
}

/** The claims that this worker has in a mailbox, according to the database. */
export async function claimedBy(
  db: Queryable,
  { workerId, userId, mailboxId }: WorkerMailbox,
): Promise<ClaimKey[]> {
  return rowsOf<ClaimKey>(db)`
    SELECT user_id AS "userId", email_id AS "emailId", attempt FROM deliveries
    WHERE queue = 'due' AND user_id = ${anyUser(userId)} AND mailbox_id = ${mailboxId}
      AND worker_id = ${workerId} AND state = 'claimed'`
}

/** The email ids of those claims that still belong to this worker. */
export async function stillClaimed(
  db: Queryable,
  workerId: string,
  claims: readonly ClaimKey[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    SELECT d.email_id AS id FROM deliveries d
    JOIN unnest(${claims.map((each) => each.userId)}::bigint[], ${claims.map((each) => each.emailId)}::bigint[],
      ${claims.map((each) => each.attempt)}::int[]) AS c(user_id, email_id, attempt)
      ON d.user_id = c.user_id AND d.email_id = c.email_id AND d.attempt = c.attempt
    WHERE d.worker_id = ${workerId} AND d.state = 'claimed'`.execute(db)
  return new Set(rows.map((row) => row.id))
}

/**
 * Frees the emails of workers that no longer exist: claimed ones are queued again, committed ones become unsure and are
 * looked up from `lookUpAt` on, sent ones are finalized.
 */
export async function freeOrphanedClaims(db: Queryable, lookUpAt: Date): Promise<void> {
  const { rows: orphans } = await sql`
    SELECT 1 FROM delivery_workers WHERE worker_id NOT IN (SELECT id FROM workers) LIMIT 1`.execute(db)
  if (orphans.length === 0) return
  await inTransaction(db, async (tx) => {
    // Locks first: a claim of theirs that is under way has then ended when the next statement reads it.
    const { rows } = await sql<WorkerMailbox>`
      SELECT user_id AS "userId", mailbox_id AS "mailboxId", worker_id AS "workerId" FROM delivery_workers
      WHERE worker_id NOT IN (SELECT id FROM workers)
      ORDER BY user_id, mailbox_id, worker_id FOR UPDATE SKIP LOCKED`.execute(tx)
    for (const orphan of rows) await freeMailbox(tx, orphan, lookUpAt)
  })
}

async function freeMailbox(
  tx: Tx,
  { userId, mailboxId, workerId }: WorkerMailbox,
  lookUpAt: Date,
): Promise<void> {
  await sql`
    UPDATE deliveries d SET worker_id = NULL,
      state = CASE d.state WHEN 'claimed' THEN 'queued' ELSE 'unsure' END,
      queue = CASE d.state WHEN 'claimed' THEN 'due' ELSE 'unsure' END,
      after_crash = d.state = 'committed',
      reason = CASE d.state WHEN 'claimed' THEN d.reason ELSE 'Howl stopped while the server was answering.' END,
      next_try_at = CASE d.state WHEN 'claimed' THEN d.next_try_at ELSE ${lookUpAt} END
    WHERE d.queue = 'due' AND d.user_id = ${anyUser(userId)} AND d.mailbox_id = ${mailboxId} AND d.worker_id = ${workerId}
      AND d.state IN ('claimed', 'committed')`.execute(tx)
  await finalizeSent(tx, userId, mailboxId)
  await sql`DELETE FROM delivery_workers
    WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND worker_id = ${workerId}`.execute(tx)
}
