import { sql } from 'kysely'
import { anyUser } from '../../platform/database/any-user.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { didChange, execute, idsOf, rowsOf } from '../../platform/database/rows.ts'

type Of = { userId: number; sequenceId: number; now: Date }

/** Of a member `m`: it waits longer than its steps say, and not for a text. */
const isPostponed = ({ userId, sequenceId, now }: Of) => sql`
  m.user_id = ${anyUser(userId)} AND m.sequence_id = ${sequenceId} AND m.state IN ('active', 'paused') AND NOT m.has_gap
  AND m.due_at > ${now} AND m.due_at > coalesce(m.ready_at, ${now})`

/** From when on the members of a sequence that were put off might go on by their steps, each instant once; not before now. */
export async function readyTimes(db: Queryable, of: Of): Promise<Date[]> {
  const rows = await rowsOf<{ at: Date }>(db)`
    SELECT DISTINCT greatest(m.ready_at, ${of.now}::timestamptz) AS at FROM sequence_members m
    WHERE ${isPostponed(of)}`
  return rows.map(({ at }) => at)
}

/** Lets members that were put off, and that might go on from an instant `at`, be due at `dueAt` if that is sooner. */
export async function dueSooner(tx: Tx, of: Of, times: readonly { at: Date; dueAt: Date }[]): Promise<void> {
  if (times.length === 0) return
  await execute(tx)`
    UPDATE sequence_members m SET due_at = v.due_at, why = NULL
    FROM unnest(${times.map(({ at }) => at)}::timestamptz[], ${times.map(({ dueAt }) => dueAt)}::timestamptz[]) AS v(at, due_at)
    WHERE ${isPostponed(of)} AND m.due_at > v.due_at AND greatest(m.ready_at, ${of.now}::timestamptz) = v.at`
}

/** Users whose automatic mail may leave sooner than before, at most `limit`. */
export const usersToWake = (db: Queryable, limit: number) => idsOf(db)`
  SELECT user_id AS id FROM sequence_wakes ORDER BY 1 LIMIT ${limit}`

/** Takes the note about a user; false if another worker has it. */
export const takeWake = (tx: Tx, userId: number) => didChange(tx)`
  DELETE FROM sequence_wakes WHERE user_id = (
    SELECT user_id FROM sequence_wakes WHERE user_id = ${userId} FOR UPDATE SKIP LOCKED)`

/** The sequences of a user that have been started and have not ended. */
export const sequencesAtWork = (db: Queryable, userId: number) => idsOf(db)`
  SELECT id FROM sequences WHERE user_id = ${userId} AND state IN ('running', 'paused') ORDER BY 1`
