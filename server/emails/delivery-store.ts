import { type Insertable, sql } from 'kysely'
import type { Queryable, Tx } from '../database/connect.ts'
import { insertRows } from '../database/insert-rows.ts'
import type { DeliveriesTable, DeliveryState, Purpose } from './tables.ts'

/** A mail that this worker has claimed, with all that composing it needs. */
export type Claim = {
  userId: number
  emailId: number
  attempt: number
  resends: number
  groupId: number | null
  recipients: string[]
  purpose: Purpose | null
  messageId: string
  inReplyTo: string | null
  references: string[]
  toLine: string
  subject: string
  text: string
  writtenAt: Date
  firstTriedAt: Date
}

/** How an attempt ended. `nextTryAt` counts for `deferred` and `unsure`. */
export type Settlement = {
  userId: number
  emailId: number
  attempt: number
  state: Extract<DeliveryState, 'queued' | 'sent' | 'deferred' | 'failed' | 'unsure'>
  reason: string | null
  nextTryAt: Date
  at: Date
  /** True where nobody has to put the mail into the IMAP Sent folder. */
  inSentFolder: boolean
  correspondents: string[]
  isFollowUp: boolean
  /** It left so long after it was written that its place in the list changes. */
  isLate: boolean
}

export type Mark = { userId: number; emailId: number; attempt: number }

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
      (SELECT user_id, mailbox_id FROM deliveries WHERE state IN ('queued', 'deferred') ORDER BY user_id, mailbox_id LIMIT 1)
      UNION ALL
      SELECT n.user_id, n.mailbox_id FROM waiting w CROSS JOIN LATERAL (
        SELECT user_id, mailbox_id FROM deliveries
        WHERE state IN ('queued', 'deferred') AND (user_id, mailbox_id) > (w.user_id, w.mailbox_id)
        ORDER BY user_id, mailbox_id LIMIT 1
      ) n
    )
    SELECT w.user_id AS "userId", w.mailbox_id AS "mailboxId" FROM waiting w
    WHERE EXISTS (
      SELECT FROM deliveries d WHERE d.user_id = w.user_id AND d.mailbox_id = w.mailbox_id
        AND d.state IN ('queued', 'deferred') AND d.next_try_at <= ${now}
    )
    LIMIT ${limit}`.execute(db)
  return rows
}

/** Claims up to `limit` due mails of a mailbox for this worker: exactly one claimant wins each. */
export async function claimDue(
  db: Queryable,
  by: { workerId: string; userId: number; mailboxId: number; now: Date; limit: number },
): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    WITH due AS (
      SELECT user_id, email_id FROM deliveries
      WHERE user_id = ${by.userId} AND mailbox_id = ${by.mailboxId}
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
  e.to_line AS "toLine", e.subject, b.text, e.created_at AS "writtenAt",
  coalesce(e.schedule_at, e.created_at) AS "firstTriedAt"`)

/** Claims one mail, wherever it stands in the queue; undefined when somebody else has it or it is settled. */
export async function claimOne(
  db: Queryable,
  by: { workerId: string; userId: number; emailId: number },
): Promise<Claim | undefined> {
  const { rows } = await sql<Claim>`
    WITH claimed AS (
      UPDATE deliveries d SET state = 'claimed', worker_id = ${by.workerId}, attempt = d.attempt + 1
      WHERE user_id = ${by.userId} AND email_id = ${by.emailId} AND state IN ('queued', 'deferred')
      RETURNING d.user_id, d.email_id, d.attempt, d.resends, d.group_id, d.recipients
    )
    SELECT ${CLAIM_COLUMNS} FROM claimed c
    JOIN emails e ON e.user_id = c.user_id AND e.id = c.email_id
    JOIN email_bodies b ON b.user_id = c.user_id AND b.email_id = c.email_id`.execute(db)
  return rows[0]
}

/**
 * Writes down, in one statement and so in one commit, how attempts ended and which mails' final dot is next.
 *
 * A mail is marked only while this worker holds this attempt. Doing the same again changes nothing, so it may be
 * repeated when the answer to it was lost.
 *
 * @returns the ids of the mails that are marked
 */
export async function settleAndMark(
  db: Queryable,
  workerId: string,
  settlements: readonly Settlement[],
  marks: readonly Mark[],
): Promise<Set<number>> {
  const s = <T>(pick: (each: Settlement) => T) => settlements.map(pick)
  // Most mails leave soon after they were written; looking whether one must be dated anew costs as much as the rest.
  const dated = settlements.some((each) => each.isLate) ? DATED : sql``
  const { rows } = await sql<{ id: number }>`
    WITH outcome AS (
      SELECT * FROM unnest(
        ${s((x) => x.userId)}::bigint[], ${s((x) => x.emailId)}::bigint[], ${s((x) => x.attempt)}::int[],
        ${s((x) => x.state)}::text[], ${s((x) => x.reason)}::text[], ${s((x) => x.nextTryAt)}::timestamptz[],
        ${s((x) => x.at)}::timestamptz[], ${s((x) => x.inSentFolder)}::boolean[],
        ${s((x) => x.correspondents.join('\n'))}::text[], ${s((x) => x.isFollowUp)}::boolean[]
      ) AS o(user_id, email_id, attempt, state, reason, next_try_at, at, in_sent_folder, correspondents, is_follow_up)
    ), settled AS (
      UPDATE deliveries d SET state = o.state, reason = o.reason, next_try_at = o.next_try_at, worker_id = NULL, after_crash = false,
        settled_at = CASE WHEN o.state IN ('sent', 'failed') THEN o.at END, in_sent_folder = o.in_sent_folder
      FROM outcome o
      WHERE d.user_id = o.user_id AND d.email_id = o.email_id AND d.attempt = o.attempt AND ${isInHand(workerId)}
      RETURNING o.*
    ), told AS (
      INSERT INTO correspondents AS c (user_id, address_key, first_sent_at, last_sent_at, follow_ups)
      SELECT user_id, key, min(at), max(at), sum(CASE WHEN is_follow_up THEN 1 ELSE 0 END)
      FROM settled, unnest(string_to_array(correspondents, E'\n')) AS key
      WHERE state = 'sent' GROUP BY user_id, key ORDER BY user_id, key
      ON CONFLICT (user_id, address_key) DO UPDATE SET
        first_sent_at = least(c.first_sent_at, excluded.first_sent_at),
        last_sent_at = greatest(c.last_sent_at, excluded.last_sent_at),
        follow_ups = c.follow_ups + excluded.follow_ups
    )${dated}
    UPDATE deliveries d SET state = 'committed'
    FROM unnest(
      ${marks.map((x) => x.userId)}::bigint[], ${marks.map((x) => x.emailId)}::bigint[], ${marks.map((x) => x.attempt)}::int[]
    ) AS m(user_id, email_id, attempt)
    WHERE d.user_id = m.user_id AND d.email_id = m.email_id AND d.attempt = m.attempt AND ${isInHand(workerId)}
    RETURNING d.email_id AS id`.execute(db)
  return new Set(rows.map((row) => row.id))
}

/** A mail stands in the list under the time when it left. */
const DATED = sql.raw(`, dated AS (
      UPDATE emails e SET occurred_at = t.at FROM settled t
      WHERE t.state = 'sent' AND e.user_id = t.user_id AND e.id = t.email_id AND e.occurred_at < t.at - interval '1 minute'
    )`)

/**
 * True where this worker holds `d`. Written so that no index answers it: the planner takes the index of what is in hand
 * for short and reads all of it (up to 500 mails) where it should find a few rows by their key.
 */
function isInHand(workerId: string) {
  return sql`d.worker_id IS NOT DISTINCT FROM ${workerId} AND d.state || '' IN ('claimed', 'committed')`
}

/** Gives back what this worker has claimed but not begun; those the final dot was marked for stay as they are. */
export async function releaseClaims(db: Queryable, workerId: string, claims: readonly Mark[]): Promise<void> {
  if (claims.length === 0) return
  await sql`
    UPDATE deliveries d SET state = 'queued', worker_id = NULL, attempt = d.attempt - 1
    FROM unnest(${claims.map((x) => x.userId)}::bigint[], ${claims.map((x) => x.emailId)}::bigint[]) AS c(user_id, email_id)
    WHERE d.user_id = c.user_id AND d.email_id = c.email_id AND d.state = 'claimed' AND d.worker_id = ${workerId}`.execute(
    db,
  )
}

/** What this worker holds according to the table. */
export async function heldBy(db: Queryable, workerId: string): Promise<Mark[]> {
  const { rows } = await sql<Mark>`
    SELECT user_id AS "userId", email_id AS "emailId", attempt FROM deliveries
    WHERE worker_id = ${workerId} AND state IN ('claimed', 'committed')`.execute(db)
  return rows
}

/**
 * Frees what workers that are no more had in hand: what was only claimed is queued again, what was marked is unsure
 * and is looked at from `lookAt` on.
 *
 * @returns how many mails were freed
 */
export async function freeOrphans(db: Queryable, lookAt: Date): Promise<number> {
  const { rows } = await sql`
    UPDATE deliveries d SET worker_id = NULL,
      state = CASE d.state WHEN 'claimed' THEN 'queued' ELSE 'unsure' END,
      after_crash = d.state = 'committed',
      reason = CASE d.state WHEN 'claimed' THEN d.reason ELSE 'Howl stopped while the server was answering.' END,
      next_try_at = CASE d.state WHEN 'claimed' THEN d.next_try_at ELSE ${lookAt} END
    WHERE d.state IN ('claimed', 'committed') AND d.worker_id NOT IN (SELECT id FROM workers)
    RETURNING 1`.execute(db)
  return rows.length
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
    WHERE d.state = 'unsure' AND ${MAY_GO_AGAIN} AND d.next_try_at <= ${now}
    ORDER BY d.next_try_at LIMIT ${limit}`.execute(db)
  return rows
}

/** An unsure mail was found in Sent: it did go out. */
export async function settleFound(db: Queryable, mail: Unsure, now: Date): Promise<void> {
  await sql`
    WITH settled AS (
      UPDATE deliveries SET state = 'sent', reason = NULL, settled_at = ${now}, in_sent_folder = true
      WHERE user_id = ${mail.userId} AND email_id = ${mail.emailId} AND state = 'unsure' RETURNING user_id, email_id
    )
    INSERT INTO correspondents AS c (user_id, address_key, first_sent_at, last_sent_at)
    SELECT e.user_id, e.correspondent_key, ${now}, ${now} FROM settled s
    JOIN emails e ON e.user_id = s.user_id AND e.id = s.email_id
    ON CONFLICT (user_id, address_key) DO UPDATE SET
      first_sent_at = least(c.first_sent_at, excluded.first_sent_at),
      last_sent_at = greatest(c.last_sent_at, excluded.last_sent_at)`.execute(db)
}

/** An unsure mail goes out once more, with the Message-ID that it has. */
export async function sendOnceMore(db: Queryable, mail: Unsure, now: Date): Promise<void> {
  await sql`
    UPDATE deliveries d SET state = 'queued', resends = resends + 1, next_try_at = ${now}, priority = 1
    WHERE user_id = ${mail.userId} AND email_id = ${mail.emailId} AND state = 'unsure' AND ${MAY_GO_AGAIN}`.execute(
    db,
  )
}

/** Puts an unsure mail off: it could not be looked up now. */
export async function lookLater(db: Queryable, mail: Unsure, at: Date): Promise<void> {
  await sql`UPDATE deliveries SET next_try_at = ${at}
    WHERE user_id = ${mail.userId} AND email_id = ${mail.emailId} AND state = 'unsure'`.execute(db)
}

export async function deliveryState(
  db: Queryable,
  userId: number,
  emailId: number,
): Promise<{ state: DeliveryState; reason: string | null } | undefined> {
  return db
    .selectFrom('deliveries')
    .select(['state', 'reason'])
    .where('user_id', '=', userId)
    .where('email_id', '=', emailId)
    .executeTakeFirst()
}

/** Mails that stand in Sent and have not left: on their way, put off, refused, or unsure. */
export async function countUnsent(db: Queryable, userId: number): Promise<number> {
  const { rows } = await sql<{ unsent: number }>`
    SELECT count(*) AS unsent FROM deliveries WHERE user_id = ${userId} AND state <> 'sent'`.execute(db)
  return rows[0]?.unsent ?? 0
}

export type GroupCount = {
  state: DeliveryState
  templated: boolean
  count: number
  /** Of these, how many ended after `since`. */
  recent: number
  /** The earliest next try among them. */
  next_try_at: Date | null
}

/** How the mails of a group stand. */
export async function countGroup(
  db: Queryable,
  userId: number,
  groupId: number,
  since: Date,
): Promise<GroupCount[]> {
  const { rows } = await sql<GroupCount>`
    SELECT state, templated, count(*) AS count, count(*) FILTER (WHERE settled_at > ${since}) AS recent,
      min(next_try_at) AS next_try_at
    FROM deliveries
    WHERE user_id = ${userId} AND group_id = ${groupId} GROUP BY 1, 2`.execute(db)
  return rows
}

/** How single mails stand, by their ids. */
export async function deliveriesOf(
  db: Queryable,
  userId: number,
  emailIds: readonly number[],
): Promise<Map<number, { state: DeliveryState; reason: string | null }>> {
  if (emailIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('deliveries')
    .select(['email_id', 'state', 'reason'])
    .where('user_id', '=', userId)
    .where('email_id', 'in', [...emailIds])
    .execute()
  return new Map(rows.map((row) => [row.email_id, { state: row.state, reason: row.reason }]))
}

/**
 * Holds what of a group has not been marked yet. A worker that has claimed some of it finds the claim lost before the
 * final dot, and the far server takes nothing.
 */
export async function holdGroup(db: Queryable, userId: number, groupId: number): Promise<void> {
  await sql`UPDATE deliveries SET state = 'held', worker_id = NULL
    WHERE user_id = ${userId} AND group_id = ${groupId} AND state IN ('queued', 'deferred', 'claimed')`.execute(
    db,
  )
}

/** Of these claims those that are still this worker's. */
export async function stillClaimed(
  db: Queryable,
  workerId: string,
  claims: readonly Mark[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    SELECT d.email_id AS id FROM deliveries d
    JOIN unnest(${claims.map((x) => x.userId)}::bigint[], ${claims.map((x) => x.emailId)}::bigint[],
      ${claims.map((x) => x.attempt)}::int[]) AS c(user_id, email_id, attempt)
      ON d.user_id = c.user_id AND d.email_id = c.email_id AND d.attempt = c.attempt
    WHERE d.worker_id = ${workerId} AND d.state = 'claimed'`.execute(db)
  return new Set(rows.map((row) => row.id))
}

export async function releaseGroup(db: Queryable, userId: number, groupId: number): Promise<void> {
  await sql`UPDATE deliveries SET state = 'queued'
    WHERE user_id = ${userId} AND group_id = ${groupId} AND state = 'held'`.execute(db)
}

/**
 * Takes back what of a group has not left: the mails are deleted as if never written.
 *
 * @returns the ids of the mails taken back
 */
export async function withdrawGroup(tx: Tx, userId: number, groupId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    DELETE FROM emails e USING deliveries d
    WHERE d.user_id = ${userId} AND d.group_id = ${groupId} AND d.state IN ('queued', 'deferred', 'held', 'claimed')
      AND e.user_id = d.user_id AND e.id = d.email_id
    RETURNING e.id`.execute(tx)
  return rows.map((row) => row.id)
}
