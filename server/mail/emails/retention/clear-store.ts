import { sql } from 'kysely'
import { type ActivityEvent, subtractActivity } from '../messages/activity-store.ts'
import { deleteMails } from '../messages/store.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { idsOf } from '../../../platform/database/rows.ts'

type AddressEvent = { key: string; at: Date }

/** Mails that are about to be removed, and what was recorded because of them. */
export type RecordedEffects = {
  ids: number[]
  /** The addresses (lower case) that a mail was sent to, and when. */
  sent: (AddressEvent & { followUp: boolean })[]
  /** The addresses that a mail came from, and when. */
  received: AddressEvent[]
  /** The sent mails and replies that the dashboard counts. */
  sentTimes: Date[]
  replyTimes: Date[]
}

/** Mails of a mailbox outside of runs that have not been sent: scheduled, waiting or refused. */
export async function unsentMails(db: Queryable, userId: number, mailboxId: number): Promise<number[]> {
  return idsOf(db)`
    SELECT id FROM emails WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND folder = 'scheduled'
    UNION
    SELECT email_id FROM deliveries WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND group_id IS NULL
      AND queue IN ('due', 'held', 'failed') AND state IN ('queued', 'held', 'claimed', 'deferred', 'failed')
    ORDER BY id`
}

/** Moves the drafts of a mailbox to another, or to none, and detaches them from the mails of the mailbox that they reply to. */
export async function moveDrafts(
  tx: Tx,
  userId: number,
  mailboxId: number,
  to: number | null,
): Promise<void> {
  const drafts = sql`SELECT id FROM emails WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND folder = 'drafts'`
  const mails = sql`SELECT id FROM emails WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND folder <> 'drafts'`
  await sql`
    UPDATE compositions SET quote_of = CASE WHEN quote_of IN (${mails}) THEN NULL ELSE quote_of END,
      forward_of = CASE WHEN forward_of IN (${mails}) THEN NULL ELSE forward_of END
    WHERE user_id = ${userId} AND (quote_of IS NOT NULL OR forward_of IS NOT NULL) AND email_id IN (${drafts})
    `.execute(tx)
  await sql`
    UPDATE emails e SET mailbox_id = ${to},
      in_reply_to = CASE WHEN a.lost THEN NULL ELSE e.in_reply_to END,
      reference_ids = CASE WHEN a.lost THEN '{}' ELSE e.reference_ids END,
      thread_id = CASE WHEN a.lost THEN e.id ELSE e.thread_id END
    FROM (
      SELECT d.id, EXISTS (SELECT FROM emails r WHERE r.user_id = ${userId} AND r.message_id = d.in_reply_to
        AND r.mailbox_id = ${mailboxId}) AS lost
      FROM emails d WHERE d.user_id = ${userId} AND d.id IN (${drafts})
    ) a
    WHERE e.user_id = ${userId} AND e.id = a.id`.execute(tx)
}

/** Finds mails of a mailbox, at most `limit` and no drafts, and what was recorded because of them. */
export async function effectsOf(
  tx: Tx,
  userId: number,
  mailboxId: number,
  limit: number,
): Promise<RecordedEffects> {
  const found = await sql<{ id: number }>`
    SELECT id FROM emails WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND folder <> 'drafts'
    ORDER BY id LIMIT ${limit}`.execute(tx)
  const ids = found.rows.map(({ id }) => id)
  // The deliveries are locked first, as the settlement writer does; then they are read as they are now.
  await sql`
    SELECT FROM deliveries WHERE user_id = ${userId} AND email_id = ANY(${ids}::bigint[])
    ORDER BY email_id FOR UPDATE`.execute(tx)
  const { rows } = await sql<{
    from: string
    to: string[]
    followUp: boolean
    isTest: boolean
    sentAt: Date | null
    at: Date
    reply: boolean
  }>`
    SELECT CASE e.direction WHEN 'in' THEN e.correspondent_key ELSE '' END AS from, coalesce(d.recipients, '{}') AS to,
      e.purpose IS NOT DISTINCT FROM 'follow_up' AS "followUp",
      CASE WHEN d.state = 'sent' AND d.queue IS NULL THEN d.settled_at END AS "sentAt", e.occurred_at AS at,
      e.purpose IS NOT DISTINCT FROM 'test' AS "isTest",
      e.direction = 'in' AND e.kind = 'personal' AND coalesce(e.intent, 'out_of_office') <> 'out_of_office' AS reply
    FROM emails e LEFT JOIN deliveries d ON d.user_id = e.user_id AND d.email_id = e.id
    WHERE e.user_id = ${userId} AND e.id = ANY(${ids}::bigint[])`.execute(tx)
  return {
    ids,
    sent: rows.flatMap(({ to, sentAt, followUp, isTest }) =>
      sentAt === null || isTest
        ? []
        : to.map((address) => ({ key: address.toLowerCase(), at: sentAt, followUp })),
    ),
    received: rows.flatMap(({ from, at }) => (from === '' ? [] : [{ key: from, at }])),
    sentTimes: rows.flatMap(({ sentAt, isTest }) => (sentAt === null || isTest ? [] : [sentAt])),
    replyTimes: rows.flatMap(({ reply, at }) => (reply ? [at] : [])),
  }
}

/** Deletes mails. @returns the blobs that nothing refers to once this is committed */
export async function removeMails(tx: Tx, userId: number, ids: readonly number[]): Promise<string[]> {
  return deleteMails(
    tx,
    sql`DELETE FROM emails n WHERE n.user_id = ${userId} AND n.id = ANY(${[...ids]}::bigint[])`,
  )
}

/**
 * Undoes what was recorded because of mails that are gone. Suppressions that one of them caused are lifted. Dates of an
 * address that are exactly the time of one of these mails are recomputed from the remaining mails; everything else stays
 * as it is.
 *
 * @param since a bounce recorded before this time was not caused by these mails
 */
export async function undoEffects(
  tx: Tx,
  userId: number,
  since: Date,
  { ids, sent, received, sentTimes, replyTimes }: RecordedEffects,
): Promise<void> {
  if (ids.length === 0) return
  const lifted = await tx
    .deleteFrom('suppressions')
    .where('user_id', '=', userId)
    .where('email_id', 'in', ids)
    .returning(['address_key', 'reason'])
    .execute()
  const bounced = lifted.flatMap(({ address_key, reason }) => (reason === 'bounced' ? [address_key] : []))
  const keys = [...new Set([...sent, ...received].map(({ key }) => key).concat(bounced))]
  // Locked before they are read.
  await sql`
    SELECT FROM correspondents WHERE user_id = ${userId} AND address_key = ANY(${keys}::text[])
    ORDER BY address_key FOR UPDATE`.execute(tx)
  await sql`
    WITH sent AS MATERIALIZED (
      SELECT * FROM unnest(${sent.map(({ key }) => key)}::text[], ${sent.map(({ at }) => at)}::timestamptz[],
        ${sent.map(({ followUp }) => followUp)}::boolean[]) AS s(key, at, follow_up)
    ), received AS MATERIALIZED (
      SELECT * FROM unnest(${received.map(({ key }) => key)}::text[], ${received.map(({ at }) => at)}::timestamptz[]) AS r(key, at)
    ), known AS MATERIALIZED (
      SELECT c.*, coalesce(s.first, false) AS lost_first, coalesce(s.last, false) AS lost_last,
        coalesce(s.follow_ups, 0) AS lost_follow_ups, coalesce(r.last, false) AS lost_received,
        coalesce(r.reply, false) AS lost_reply, coalesce(r.interest, false) AS lost_interest
      FROM correspondents c
      LEFT JOIN (
        SELECT k.address_key, bool_or(s.at = k.first_sent_at) AS first, bool_or(s.at = k.last_sent_at) AS last,
          count(*) FILTER (WHERE s.follow_up) AS follow_ups
        FROM sent s JOIN correspondents k ON k.user_id = ${userId} AND k.address_key = s.key GROUP BY 1
      ) s ON s.address_key = c.address_key
      LEFT JOIN (
        SELECT k.address_key, bool_or(r.at = k.last_received_at) AS last, bool_or(r.at = k.replied_at) AS reply,
          bool_or(r.at = k.interested_at) AS interest
        FROM received r JOIN correspondents k ON k.user_id = ${userId} AND k.address_key = r.key GROUP BY 1
      ) r ON r.address_key = c.address_key
      WHERE c.user_id = ${userId} AND c.address_key = ANY(${keys}::text[])
    ), now_sent AS MATERIALIZED (
      SELECT k.*,
        CASE WHEN k.lost_first THEN coalesce(o.first, CASE WHEN NOT k.lost_last THEN k.last_sent_at END)
          ELSE k.first_sent_at END AS first,
        CASE WHEN k.lost_last THEN coalesce(o.last, CASE WHEN NOT k.lost_first THEN k.first_sent_at END)
          ELSE k.last_sent_at END AS last
      FROM known k CROSS JOIN LATERAL (
        SELECT min(coalesce(d.settled_at, e.occurred_at)) AS first, max(coalesce(d.settled_at, e.occurred_at)) AS last
        FROM emails e LEFT JOIN deliveries d ON d.user_id = e.user_id AND d.email_id = e.id
        WHERE e.user_id = ${userId} AND e.correspondent_key = k.address_key AND e.direction = 'out'
          AND (d.state = 'sent' AND d.queue IS NULL AND e.purpose IS DISTINCT FROM 'test'
            OR d.email_id IS NULL AND e.purpose IS NULL AND e.folder <> 'drafts')
      ) o
    )
    UPDATE correspondents c SET first_sent_at = n.first, last_sent_at = n.last,
      follow_ups = greatest(c.follow_ups - n.lost_follow_ups, 0),
      last_received_at = CASE WHEN n.lost_received THEN i.last ELSE c.last_received_at END,
      replied_at = CASE WHEN n.lost_reply THEN i.replied ELSE c.replied_at END,
      interested_at = CASE WHEN n.lost_interest THEN i.interested ELSE c.interested_at END,
      bounced_at = CASE WHEN c.address_key = ANY(${bounced}::text[]) AND c.bounced_at >= ${since} THEN NULL ELSE c.bounced_at END
    FROM now_sent n CROSS JOIN LATERAL (
      SELECT max(e.occurred_at) AS last, min(e.occurred_at) FILTER (WHERE r.is_reply) AS replied,
        min(e.occurred_at) FILTER (WHERE r.is_reply AND e.intent = 'interested') AS interested
      FROM emails e CROSS JOIN LATERAL (SELECT e.kind = 'personal' AND e.has_body AND e.folder <> 'spam'
        AND e.intent IS DISTINCT FROM 'out_of_office' AND e.occurred_at >= n.first AS is_reply) r
      WHERE e.user_id = ${userId} AND e.correspondent_key = n.address_key AND e.direction = 'in'
    ) i
    WHERE c.user_id = ${userId} AND c.address_key = n.address_key`.execute(tx)
  const events = (what: ActivityEvent['what'], times: readonly Date[]) => times.map((at) => ({ what, at }))
  await subtractActivity(tx, userId, 'left', events('sent', sentTimes))
  await subtractActivity(tx, userId, 'read', events('reply', replyTimes))
}

/**
 * Removes a system mail that has left, failed or is of no use any more, with its traces: Howl keeps no list of whom it has
 * written to, and an address that bounced once may work again.
 *
 * @returns false while a worker is sending it
 */
export async function removeSystemEmail(tx: Tx, userId: number, emailId: number): Promise<boolean> {
  const { rows } = await sql<{ state: string }>`
    SELECT state FROM deliveries WHERE user_id = ${userId} AND email_id = ${emailId} FOR UPDATE`.execute(tx)
  if (rows.some(({ state }) => ['claimed', 'committed', 'unsure'].includes(state))) return false
  await removeMails(tx, userId, [emailId])
  await sql`DELETE FROM suppressions WHERE user_id = ${userId}`.execute(tx)
  await sql`
    DELETE FROM correspondents c WHERE c.user_id = ${userId} AND NOT EXISTS (
      SELECT FROM emails e WHERE e.user_id = c.user_id AND e.correspondent_key = c.address_key)`.execute(tx)
  return true
}
