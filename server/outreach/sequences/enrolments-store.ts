import { sql } from 'kysely'
import type { Tx } from '../../platform/database/handles.ts'
import { execute, idsOf, numberOf } from '../../platform/database/rows.ts'
import { isUnderWay, stoppedBy } from './members-store.ts'

/** The members that one call has put in and whom something may still reach; nothing else changes them meanwhile. */
export const lockEnrolled = (tx: Tx, userId: number, sequenceId: number, enrolment: string) => idsOf(tx)`
  SELECT m.id FROM sequence_members m
  WHERE m.user_id = ${userId} AND m.sequence_id = ${sequenceId} AND m.enrolment = ${enrolment}::uuid
    AND ${isUnderWay} ORDER BY m.id FOR UPDATE OF m`

/** The members whom a tag has put in since the time of each note, and whom something may still reach; locked. */
export const lockPutInByTag = (
  tx: Tx,
  userId: number,
  sequenceId: number,
  notes: readonly { contact_id: number | null; at: Date | null }[],
) => idsOf(tx)`
  SELECT m.id FROM unnest(${notes.map((note) => note.contact_id)}::bigint[], ${notes.map(({ at }) => at)}::timestamptz[])
    AS n(contact_id, at)
  JOIN sequence_members m ON m.user_id = ${userId} AND m.sequence_id = ${sequenceId} AND m.contact_id = n.contact_id
  WHERE m.started_by = 'tag' AND m.started_at >= n.at AND ${isUnderWay} ORDER BY m.id FOR UPDATE OF m`

/** Takes members out: who has had no mail was never in, and may come in again; the others stay, with what came of their mail. */
export async function takeBackMembers(tx: Tx, userId: number, memberIds: readonly number[], now: Date) {
  const which = sql`m.user_id = ${userId} AND m.id = ANY(${[...memberIds]}::bigint[])`
  const wasMailed = sql`EXISTS (SELECT FROM sequence_mails s WHERE s.user_id = m.user_id AND s.member_id = m.id)`
  await execute(tx)`DELETE FROM sequence_members m WHERE ${which} AND NOT ${wasMailed}`
  await execute(tx)`
    UPDATE sequence_members m SET ${stoppedBy('taken_out', now)} WHERE ${which} AND ${wasMailed}`
}

/** Mails to those whom one call has put in. */
export const countMailsOfEnrolled = (tx: Tx, userId: number, id: number, enrolment: string) => numberOf(tx)`
  SELECT count(*)::int AS mails FROM sequence_members m
  JOIN sequence_mails s ON s.user_id = m.user_id AND s.member_id = m.id
  WHERE m.user_id = ${userId} AND m.sequence_id = ${id} AND m.enrolment = ${enrolment}::uuid`
