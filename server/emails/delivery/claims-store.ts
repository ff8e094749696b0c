import { type Insertable, sql } from 'kysely'
import { anyUser } from '../../database/any-user.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { OutgoingMail } from '../content/render-mime.ts'
import type { ClaimKey } from '../../jobs/delivery.ts'
import { finalizeSent } from './settlements-store.ts'
import type { DeliveriesTable } from '../tables.ts'
import type { Queryable, Tx } from '../../database/handles.ts'

/** A mail that this worker has claimed, with all that composing it needs. */
export type Claim = OutgoingMail & {
  attempt: number
  resends: number
  groupId: number | null
  firstTriedAt: Date
}

export async function addDeliveries(tx: Tx, rows: readonly Insertable<DeliveriesTable>[]): Promise<void> {
  await insertRows(tx, 'deliveries', rows)
}

/** Mailboxes that have mail to send now, and nothing that holds them back. */
export async function mailboxesWithDueMail(
  db: Queryable,
  now: Date,
  limit: number,
): Promise<{ userId: number; mailboxId: number }[]> {
  // A loose walk over the index: one step a mailbox, however many mails wait in each.
  const { rows } = await sql<{ userId: number; mailboxId: number }>`
    WITH RECURSIVE waiting AS (
      (SELECT user_id, mailbox_id FROM deliveries WHERE shelf = 'due' ORDER BY user_id, mailbox_id LIMIT 1)
      UNION ALL
      SELECT n.user_id, n.mailbox_id FROM waiting w CROSS JOIN LATERAL (
        SELECT user_id, mailbox_id FROM deliveries
        WHERE shelf = 'due' AND (user_id, mailbox_id) > (w.user_id, w.mailbox_id)
        ORDER BY user_id, mailbox_id LIMIT 1
      ) n
    )
    SELECT w.user_id AS "userId", w.mailbox_id AS "mailboxId" FROM waiting w
    WHERE EXISTS (
      SELECT FROM deliveries d WHERE d.shelf = 'due' AND d.user_id = w.user_id AND d.mailbox_id = w.mailbox_id
        AND d.state IN ('queued', 'deferred') AND d.next_try_at <= ${now}
    )
    LIMIT ${limit}`.execute(db)
  return rows
}

type By = { workerId: string; userId: number; mailboxId: number }

/**
 * Writes down that this worker takes mails of a mailbox in hand. Locks the row, so that {@link freeOrphanedClaims} and a claim
 * come one after the other.
 */
const hand = ({ workerId, userId, mailboxId }: By) => sql`
  INSERT INTO delivery_hands (user_id, mailbox_id, worker_id) VALUES (${userId}, ${mailboxId}, ${workerId})
  ON CONFLICT (user_id, mailbox_id, worker_id) DO UPDATE SET worker_id = excluded.worker_id`

/** Claims up to `limit` due mails of a mailbox for this worker: exactly one claimant wins each. */
export async function claimDue(db: Queryable, by: By & { now: Date; limit: number }): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    WITH hand AS (${hand(by)}), due AS (
      SELECT user_id, email_id FROM deliveries
      WHERE shelf = 'due' AND user_id = ${anyUser(by.userId)} AND mailbox_id = ${by.mailboxId}
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
    ORDER BY c.priority, c.next_try_at, c.email_id`.execute(db)
  return rows
}

const CLAIM_COLUMNS = sql.raw(`
  c.user_id AS "userId", c.email_id AS "emailId", c.attempt, c.resends, c.group_id AS "groupId", c.recipients,
  e.purpose, e.message_id AS "messageId", e.in_reply_to AS "inReplyTo", e.reference_ids AS "references",
  e.to_line AS "toLine", e.subject, b.text,
  (b.html IS NOT NULL OR b.html_in_raw OR b.cc_line <> '' OR b.files <> '[]') AS "isRich", e.created_at AS "writtenAt",
  coalesce(e.schedule_at, e.created_at) AS "firstTriedAt"`)

/** Claims one mail, wherever it stands in the queue; undefined when somebody else has it or it is settled. */
export async function claimOne(db: Queryable, by: By & { emailId: number }): Promise<Claim | undefined> {
  const { rows } = await sql<Claim>`
    WITH hand AS (${hand(by)}), claimed AS (
      UPDATE deliveries d SET state = 'claimed', worker_id = ${by.workerId}, attempt = d.attempt + 1
      WHERE user_id = ${by.userId} AND email_id = ${by.emailId} AND state IN ('queued', 'deferred')
      RETURNING d.user_id, d.email_id, d.attempt, d.resends, d.group_id, d.recipients
    )
    SELECT ${CLAIM_COLUMNS} FROM claimed c
    JOIN emails e ON e.user_id = c.user_id AND e.id = c.email_id
    JOIN email_bodies b ON b.user_id = c.user_id AND b.email_id = c.email_id`.execute(db)
  return rows[0]
}

/** Gives back what this worker has claimed but not begun; those the final dot was marked for stay as they are. */
export async function releaseClaims(
  db: Queryable,
  workerId: string,
  claims: readonly ClaimKey[],
): Promise<void> {
  if (claims.length === 0) return
  await sql`
    UPDATE deliveries d SET state = 'queued', worker_id = NULL, attempt = d.attempt - 1
    FROM unnest(${claims.map((x) => x.userId)}::bigint[], ${claims.map((x) => x.emailId)}::bigint[]) AS c(user_id, email_id)
    WHERE d.user_id = c.user_id AND d.email_id = c.email_id AND d.state = 'claimed' AND d.worker_id = ${workerId}`.execute(
    db,
  )
}

/** What this worker has claimed of a mailbox according to the table. */
export async function claimedBy(db: Queryable, { workerId, userId, mailboxId }: By): Promise<ClaimKey[]> {
  const { rows } = await sql<ClaimKey>`
    SELECT user_id AS "userId", email_id AS "emailId", attempt FROM deliveries
    WHERE shelf = 'due' AND user_id = ${anyUser(userId)} AND mailbox_id = ${mailboxId}
      AND worker_id = ${workerId} AND state = 'claimed'`.execute(db)
  return rows
}

/** Of these claims those that are still this worker's. */
export async function stillClaimed(
  db: Queryable,
  workerId: string,
  claims: readonly ClaimKey[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    SELECT d.email_id AS id FROM deliveries d
    JOIN unnest(${claims.map((x) => x.userId)}::bigint[], ${claims.map((x) => x.emailId)}::bigint[],
      ${claims.map((x) => x.attempt)}::int[]) AS c(user_id, email_id, attempt)
      ON d.user_id = c.user_id AND d.email_id = c.email_id AND d.attempt = c.attempt
    WHERE d.worker_id = ${workerId} AND d.state = 'claimed'`.execute(db)
  return new Set(rows.map((row) => row.id))
}

/**
 * Frees what workers that are no more had in hand: what was only claimed is queued again, what was marked is unsure
 * and is looked at from `lookAt` on, what had left is put away.
 */
export async function freeOrphanedClaims(db: Queryable, lookAt: Date): Promise<void> {
  const { rows: left } = await sql`
    SELECT 1 FROM delivery_hands WHERE worker_id NOT IN (SELECT id FROM workers) LIMIT 1`.execute(db)
  if (left.length === 0) return
  await inTransaction(db, async (tx) => {
    // Locked first, looked at then: a claim of theirs that is under way is over when the next statement looks.
    const { rows } = await sql<By>`
      SELECT user_id AS "userId", mailbox_id AS "mailboxId", worker_id AS "workerId" FROM delivery_hands
      WHERE worker_id NOT IN (SELECT id FROM workers)
      ORDER BY user_id, mailbox_id, worker_id FOR UPDATE SKIP LOCKED`.execute(tx)
    for (const orphan of rows) await freeHand(tx, orphan, lookAt)
  })
}

async function freeHand(tx: Tx, { userId, mailboxId, workerId }: By, lookAt: Date): Promise<void> {
  await sql`
    UPDATE deliveries d SET worker_id = NULL,
      state = CASE d.state WHEN 'claimed' THEN 'queued' ELSE 'unsure' END,
      shelf = CASE d.state WHEN 'claimed' THEN 'due' ELSE 'unsure' END,
      after_crash = d.state = 'committed',
      reason = CASE d.state WHEN 'claimed' THEN d.reason ELSE 'Howl stopped while the server was answering.' END,
      next_try_at = CASE d.state WHEN 'claimed' THEN d.next_try_at ELSE ${lookAt} END
    WHERE d.shelf = 'due' AND d.user_id = ${anyUser(userId)} AND d.mailbox_id = ${mailboxId} AND d.worker_id = ${workerId}
      AND d.state IN ('claimed', 'committed')`.execute(tx)
  await finalizeSent(tx, userId, mailboxId)
  await sql`DELETE FROM delivery_hands
    WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND worker_id = ${workerId}`.execute(tx)
}
