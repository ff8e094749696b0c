import { sql } from 'kysely'
import type { Tx } from '../../platform/database/handles.ts'
import { isUnderWay } from './members-store.ts'

/** The members that one call has put in and whom something may still reach; nothing else changes them meanwhile. */
export async function lockEnrolled(
  tx: Tx,
  userId: number,
  sequenceId: number,
  enrolment: string,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT m.id FROM sequence_members m
    WHERE m.user_id = ${userId} AND m.sequence_id = ${sequenceId} AND m.enrolment = ${enrolment}::uuid
      AND ${isUnderWay} ORDER BY m.id FOR UPDATE OF m`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The members whom a tag has put in since the time of each note, and whom something may still reach; locked. */
export async function lockPutInByTag(
  tx: Tx,
  userId: number,
  sequenceId: number,
  notes: readonly { contact_id: number | null; at: Date | null }[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT m.id FROM unnest(${notes.map((note) => note.contact_id)}::bigint[], ${notes.map(({ at }) => at)}::timestamptz[])
      AS n(contact_id, at)
    JOIN sequence_members m ON m.user_id = ${userId} AND m.sequence_id = ${sequenceId} AND m.contact_id = n.contact_id
    WHERE m.started_by = 'tag' AND m.started_at >= n.at AND ${isUnderWay} ORDER BY m.id FOR UPDATE OF m`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Takes members out: who has had no mail was never in, and may come in again; the others stay, with what came of their mail. */
export async function takeBackMembers(
  tx: Tx,
  userId: number,
  memberIds: readonly number[],
  now: Date,
): Promise<void> {
  const which = sql`m.user_id = ${userId} AND m.id = ANY(${[...memberIds]}::bigint[])`
  const wasMailed = sql`EXISTS (SELECT FROM sequence_mails s WHERE s.user_id = m.user_id AND s.member_id = m.id)`
  await sql`DELETE FROM sequence_members m WHERE ${which} AND NOT ${wasMailed}`.execute(tx)
  await sql`
    UPDATE sequence_members m SET state = 'stopped', is_open = false, reason = 'taken_out', why = NULL, ended_at = ${now},
      was_paused = m.state = 'paused'
    WHERE ${which} AND ${wasMailed}`.execute(tx)
}

/** Mails to those whom one call has put in. */
export async function countMailsOfEnrolled(
  tx: Tx,
  userId: number,
  sequenceId: number,
  enrolment: string,
): Promise<number> {
  const { rows } = await sql<{ mails: number }>`
    SELECT count(*)::int AS mails FROM sequence_members m
    JOIN sequence_mails s ON s.user_id = m.user_id AND s.member_id = m.id
    WHERE m.user_id = ${userId} AND m.sequence_id = ${sequenceId} AND m.enrolment = ${enrolment}::uuid`.execute(
    tx,
  )
  return rows[0]?.mails ?? 0
}
