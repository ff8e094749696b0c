import { sql } from 'kysely'
import type { Queryable, Tx } from '../database/connect.ts'
import { type Happening, uncountActivity } from './activity-store.ts'
import { deleteMails } from './store.ts'

/** Mails that are about to be removed, and what has been noted because of them. */
export type Notes = {
  ids: number[]
  /** Whom they went to and came from, lower case. */
  keys: string[]
  /** What the dashboard counts of them. */
  left: Date[]
  replies: Date[]
}

/** Mails of a mailbox that wait for their time. */
export async function scheduledIn(db: Queryable, userId: number, mailboxId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('emails')
    .select('id')
    .where('user_id', '=', userId)
    .where('mailbox_id', '=', mailboxId)
    .where('folder', '=', 'scheduled')
    .execute()
  return rows.map(({ id }) => id)
}

/** Drafts of a mailbox become those of another, or of none. */
export async function draftsTo(tx: Tx, userId: number, mailboxId: number, to: number | null): Promise<void> {
  await tx
    .updateTable('emails')
    .set({ mailbox_id: to })
    .where('user_id', '=', userId)
    .where('mailbox_id', '=', mailboxId)
    .where('folder', '=', 'drafts')
    .execute()
}

/** What has been noted because of some mails of a mailbox, at most `limit` of them; drafts are left out. */
export async function notesOf(tx: Tx, userId: number, mailboxId: number, limit: number): Promise<Notes> {
  const { rows } = await sql<{ id: number; keys: string[]; left: Date | null; reply: Date | null }>`
    SELECT e.id, e.correspondent_key || coalesce(d.recipients, '{}') AS keys,
      CASE WHEN d.state = 'sent' AND d.shelf IS NULL THEN d.settled_at END AS left,
      CASE WHEN e.direction = 'in' AND e.kind = 'personal' AND e.intent <> 'out_of_office' THEN e.occurred_at END AS reply
    FROM (
      SELECT * FROM emails WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND folder <> 'drafts'
      ORDER BY id LIMIT ${limit} FOR UPDATE
    ) e
    LEFT JOIN deliveries d ON d.user_id = e.user_id AND d.email_id = e.id`.execute(tx)
  const present = (at: Date | null) => (at === null ? [] : [at])
  return {
    ids: rows.map(({ id }) => id),
    keys: [...new Set(rows.flatMap(({ keys }) => keys.map((key) => key.toLowerCase())))],
    left: rows.flatMap(({ left }) => present(left)),
    replies: rows.flatMap(({ reply }) => present(reply)),
  }
}

/** Removes mails. @returns the blobs that nobody names any more once it is committed */
export async function removeMails(tx: Tx, userId: number, ids: readonly number[]): Promise<string[]> {
  return deleteMails(
    tx,
    sql`DELETE FROM emails n WHERE n.user_id = ${userId} AND n.id = ANY(${[...ids]}::bigint[])`,
  )
}

/**
 * Takes back what was noted because of mails that are gone: addresses get mail again that were taken off the list by one
 * of them, and of each address that is known which the mails that are left say. What was noted before `since`, when the
 * first of them can have been there, stays.
 */
export async function recallNotes(
  tx: Tx,
  userId: number,
  since: Date,
  { ids, keys, left, replies }: Notes,
): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('suppressions').where('user_id', '=', userId).where('email_id', 'in', ids).execute()
  await sql`
    UPDATE correspondents c SET first_sent_at = CASE WHEN c.first_sent_at < ${since} THEN c.first_sent_at ELSE o.first END,
      last_sent_at = coalesce(o.last, CASE WHEN c.first_sent_at < ${since} THEN c.first_sent_at END),
      follow_ups = o.follow_ups, last_received_at = i.last,
      replied_at = CASE WHEN c.replied_at < ${since} THEN c.replied_at WHEN c.replied_at IS NOT NULL THEN i.replied END,
      interested_at = CASE WHEN c.interested_at < ${since} THEN c.interested_at
        WHEN c.interested_at IS NOT NULL THEN i.interested END,
      bounced_at = CASE WHEN EXISTS (SELECT FROM suppressions s WHERE s.user_id = c.user_id
        AND s.address_key = c.address_key AND s.reason = 'bounced') THEN c.bounced_at END
    FROM unnest(${keys}::text[]) AS k(key)
    CROSS JOIN LATERAL (
      SELECT min(coalesce(d.settled_at, e.occurred_at)) AS first, max(coalesce(d.settled_at, e.occurred_at)) AS last,
        count(*) FILTER (WHERE e.purpose = 'follow_up') AS follow_ups
      FROM emails e LEFT JOIN deliveries d ON d.user_id = e.user_id AND d.email_id = e.id
      WHERE e.user_id = ${userId} AND e.correspondent_key = k.key AND e.direction = 'out' AND e.folder <> 'drafts'
        AND (d.state IS NULL OR d.state = 'sent' AND d.shelf IS NULL)
    ) o
    CROSS JOIN LATERAL (
      SELECT max(e.occurred_at) AS last, min(e.occurred_at) FILTER (WHERE e.kind = 'personal'
          AND e.occurred_at >= o.first AND e.intent <> 'out_of_office') AS replied,
        min(e.occurred_at) FILTER (WHERE e.kind = 'personal' AND e.occurred_at >= o.first
          AND e.intent = 'interested') AS interested
      FROM emails e WHERE e.user_id = ${userId} AND e.correspondent_key = k.key AND e.direction = 'in'
    ) i
    WHERE c.user_id = ${userId} AND c.address_key = k.key`.execute(tx)
  const happenings = (what: Happening['what'], times: readonly Date[]) => times.map((at) => ({ what, at }))
  await uncountActivity(tx, userId, 'left', happenings('sent', left))
  await uncountActivity(tx, userId, 'read', happenings('reply', replies))
}
