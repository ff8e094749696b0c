import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { execute, idsOf, rowsOf } from '../../platform/database/rows.ts'
import { isUnderWay, stoppedBy } from './members-store.ts'
import type { SequenceWorkTable } from './tables.ts'

export type WorkRow = Selectable<SequenceWorkTable>

/** A reply may bear a time a little before that of the mail that it answers: clocks differ. */
const CLOCKS_DIFFER = '5 minutes'

/** Whose notes wait to be worked off. Each user is found by one look into the key, however many notes there are. */
export const usersWithNotes = (db: Queryable) => idsOf(db)`
  WITH RECURSIVE owners AS (
    (SELECT user_id FROM sequence_work ORDER BY user_id LIMIT 1)
    UNION ALL
    SELECT (SELECT w.user_id FROM sequence_work w WHERE w.user_id > o.user_id ORDER BY w.user_id LIMIT 1)
    FROM owners o WHERE o.user_id IS NOT NULL
  )
  SELECT user_id AS id FROM owners WHERE user_id IS NOT NULL`

/** Notes of a user to be worked off: the oldest, or all from `from` to `to`. */
export type NoteRange = { limit: number; from?: number; to?: number }

/** Takes a user's oldest notes that no other worker has taken; they are gone if the transaction commits. */
export async function takeNotes(
  tx: Tx,
  userId: number,
  now: Date,
  { limit, from = 0, to = Number.MAX_SAFE_INTEGER }: NoteRange,
) {
  const rows = await rowsOf<WorkRow>(tx)`
    WITH taken AS MATERIALIZED (
      SELECT user_id, id FROM sequence_work
      WHERE user_id = ${userId} AND id BETWEEN ${from} AND ${to} AND (not_before IS NULL OR not_before <= ${now})
      ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    DELETE FROM sequence_work w USING taken t WHERE w.user_id = t.user_id AND w.id = t.id RETURNING w.*`
  return rows.toSorted((one, other) => one.id - other.id)
}

/** Lets a note wait that could not be worked off. */
export const postponeNote = (tx: Tx, userId: number, id: number, until: Date) =>
  execute(tx)`UPDATE sequence_work SET not_before = ${until} WHERE user_id = ${userId} AND id = ${id}`

/** The contacts with these addresses. */
export const contactsAt = (tx: Tx, userId: number, keys: readonly string[]) => idsOf(tx)`
  SELECT id FROM contacts WHERE user_id = ${userId} AND email_key = ANY(${[...keys]}::text[])`

/** Those of these contacts that have a tag which starts this sequence. */
export const stillTagged = (tx: Tx, userId: number, id: number, contactIds: readonly number[]) => idsOf(tx)`
  SELECT DISTINCT k.contact_id AS id FROM sequence_starts s
  JOIN tags t ON t.user_id = s.user_id AND t.name_key = s.value
  JOIN contact_tags k ON k.user_id = t.user_id AND k.tag_id = t.id AND k.contact_id = ANY(${[...contactIds]}::bigint[])
  WHERE s.user_id = ${userId} AND s.sequence_id = ${id} AND s.kind = 'tag'`

/** What happened, and to whom, as rows `e` with the contact and with the members whose conversation it belongs to. */
function happened(userId: number, notes: readonly WorkRow[]) {
  return sql`happened AS MATERIALIZED (
      SELECT e.what, e.email_id, e.at, e.in_practice, coalesce(e.contact_id, c.id) AS contact_id
      FROM unnest(${notes.map(({ what }) => what)}::text[], ${notes.map((note) => note.contact_id)}::bigint[],
        ${notes.map((note) => note.address_key)}::text[], ${notes.map((note) => note.email_id)}::bigint[],
        ${notes.map(({ at }) => at)}::timestamptz[], ${notes.map((note) => note.in_practice)}::boolean[])
        AS e(what, contact_id, address_key, email_id, at, in_practice)
      LEFT JOIN contacts c ON c.user_id = ${userId} AND c.email_key = e.address_key
    ), threaded AS MATERIALIZED (
      -- Somebody else may answer from another address: what counts is the conversation.
      SELECT e.what, e.email_id, e.at, s.member_id, s.email_id AS mail_id
      FROM happened e JOIN emails r ON r.user_id = ${userId} AND r.id = e.email_id
      JOIN emails o ON o.user_id = r.user_id AND o.thread_id = r.thread_id AND o.direction = 'out'
      JOIN sequence_mails s ON s.user_id = o.user_id AND s.email_id = o.id
      WHERE e.what = 'replied'
    )`
}

/** What happens in practice concerns sequences in practice only, and what happens elsewhere others. */
const concerns = (sequence: RawBuilder<unknown>) =>
  sql`(e.in_practice IS NULL OR e.in_practice = ${sequence}.in_practice)`

/**
 * Stops the members of a user that these notes are about, as far as their sequences stop at it; returns their ids. Those whose
 * last mail is written but has not left are among them.
 */
export const stopMembers = (tx: Tx, userId: number, notes: readonly WorkRow[], now: Date) => idsOf(tx)`
  WITH ${happened(userId, notes)}, met AS (
    SELECT m.id, e.what FROM happened e JOIN sequence_members m ON m.user_id = ${userId} AND m.contact_id = e.contact_id
    JOIN sequences s ON s.user_id = m.user_id AND s.id = m.sequence_id AND ${concerns(sql`s`)}
    WHERE ${isUnderWay} AND CASE e.what
      -- The reply that has put somebody in does not take them out.
      WHEN 'replied' THEN s.stops_at_reply AND (e.at > m.started_at OR e.at = m.started_at AND m.started_by <> 'intent')
      WHEN 'meeting' THEN s.stops_at_meeting AND e.at > ${now}
      WHEN 'paid' THEN s.stops_at_payment
      -- It may be there again: the deletion was undone.
      WHEN 'deleted' THEN NOT EXISTS (SELECT FROM contacts c WHERE c.user_id = m.user_id AND c.id = m.contact_id)
      ELSE true END
    UNION ALL
    SELECT m.id, t.what FROM threaded t JOIN sequence_members m ON m.user_id = ${userId} AND m.id = t.member_id
    JOIN sequences s ON s.user_id = m.user_id AND s.id = m.sequence_id
    WHERE ${isUnderWay} AND s.stops_at_reply
  ), why AS (SELECT id, min(what) AS what FROM met GROUP BY 1 ORDER BY 1)
  UPDATE sequence_members m SET ${stoppedBy(sql`w.what`, now)}
  FROM why w WHERE m.user_id = ${userId} AND m.id = w.id RETURNING m.id`

/** Of a mail `s`: it has left, or may have. Nobody answers one that waits, and it is taken back. */
const hasLeft = sql`NOT EXISTS (SELECT FROM deliveries d WHERE d.user_id = s.user_id AND d.email_id = s.email_id
  AND d.resends = 0 AND d.state IN ('queued', 'deferred', 'held', 'claimed'))`

/** Writes replies, bounces and unsubscribings beside the mails that they came of: the newest one to each contact that has left. */
export async function noteOutcomes(tx: Tx, userId: number, notes: readonly WorkRow[]): Promise<void> {
  await execute(tx)`
    WITH ${happened(userId, notes)}, met AS (
      SELECT email_id, mail_id, 0 AS place, at FROM threaded
      UNION ALL
      SELECT e.email_id, s.email_id, 1, e.at FROM happened e
      JOIN sequence_members m ON m.user_id = ${userId} AND m.contact_id = e.contact_id
      JOIN sequences q ON q.user_id = m.user_id AND q.id = m.sequence_id AND ${concerns(sql`q`)}
      JOIN sequence_mails s ON s.user_id = m.user_id AND s.member_id = m.id
      WHERE e.what = 'replied'
    ), answered AS (
      SELECT DISTINCT ON (met.email_id) met.email_id, met.mail_id FROM met
      JOIN sequence_mails s ON s.user_id = ${userId} AND s.email_id = met.mail_id
      -- In the conversation itself an answer is one whatever time it bears; then the first mail is as good as any.
      WHERE ${hasLeft} AND (met.place = 0 OR s.queued_at <= met.at + ${CLOCKS_DIFFER}::interval)
      ORDER BY met.email_id, met.place, s.queued_at <= met.at + ${CLOCKS_DIFFER}::interval DESC,
        CASE WHEN s.queued_at <= met.at + ${CLOCKS_DIFFER}::interval THEN -met.mail_id ELSE met.mail_id END
    )
    UPDATE sequence_mails s SET reply_id = a.reply FROM (SELECT mail_id, min(email_id) AS reply FROM answered GROUP BY 1) a
    WHERE s.user_id = ${userId} AND s.email_id = a.mail_id AND s.reply_id IS NULL`
  await execute(tx)`
    WITH ${happened(userId, notes)}, newest AS (
      SELECT DISTINCT ON (e.contact_id) e.what, s.email_id FROM happened e
      JOIN sequence_members m ON m.user_id = ${userId} AND m.contact_id = e.contact_id
      JOIN sequences q ON q.user_id = m.user_id AND q.id = m.sequence_id AND ${concerns(sql`q`)}
      JOIN sequence_mails s ON s.user_id = m.user_id AND s.member_id = m.id
      WHERE e.what IN ('bounced', 'unsubscribed') AND ${hasLeft} ORDER BY e.contact_id, s.email_id DESC
    )
    UPDATE sequence_mails s SET outcome = n.what FROM newest n
    WHERE s.user_id = ${userId} AND s.email_id = n.email_id AND s.outcome IS NULL`
}
