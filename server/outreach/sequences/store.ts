import { type Selectable, sql } from 'kysely'
import type { SequenceFigures, SequenceState, SequenceStep } from '#contract/outreach/sequences.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { execute, numberOf, rowOf, rowsOf } from '../../platform/database/rows.ts'
import type { SequencesTable, SequenceStartsTable } from './tables.ts'

export type SequenceRow = Selectable<SequencesTable> & { steps: SequenceStep[] }
export type SequenceFields = Omit<Selectable<SequencesTable>, 'user_id' | 'id'>
/** What lists tell of a sequence. */
export type SequenceCounts = {
  active: number
  paused: number
  done: number
  stopped: number
  next_at: Date | null
  sent: number
  replied: number
}

/** Sequences with the steps of their present versions. */
const withSteps = sql`SELECT s.*, v.steps FROM sequences s
  JOIN sequence_versions v ON v.user_id = s.user_id AND v.sequence_id = s.id AND v.version = s.version`

/** A page of the user's sequences: those at work first, then the newest. */
export async function listSequences(
  db: Queryable,
  userId: number,
  state: SequenceState | null,
  page: { limit: number; offset: number },
) {
  const which = sql`s.user_id = ${userId} AND (${state}::text IS NULL OR s.state = ${state})`
  const rows = await rowsOf<SequenceRow>(db)`
    ${withSteps} WHERE ${which}
    ORDER BY array_position(ARRAY['running', 'paused', 'draft', 'ended'], s.state), s.id DESC
    LIMIT ${page.limit} OFFSET ${page.offset}`
  return { rows, total: await numberOf(db)`SELECT count(*)::int AS total FROM sequences s WHERE ${which}` }
}

/** A user's sequences that have somebody under way, running or paused. */
export const goingSequences = (db: Queryable, userId: number) => rowsOf<
  Pick<SequenceRow, 'id' | 'user_id' | 'name' | 'state' | 'mailbox_id'>
>(db)`
  SELECT s.id, s.user_id, s.name, s.state, s.mailbox_id FROM sequences s
  WHERE s.user_id = ${userId} AND s.state IN ('running', 'paused') AND EXISTS (
    SELECT FROM sequence_members m WHERE m.user_id = s.user_id AND m.sequence_id = s.id AND m.state = 'active')
  ORDER BY s.id`

export const findSequence = (db: Queryable, userId: number, id: number) =>
  rowOf<SequenceRow>(db)`${withSteps} WHERE s.user_id = ${userId} AND s.id = ${id}`

/**
 * Holds a sequence until the transaction ends: `change` to change it, `keep` to need it as it is. A change
 * waits for rounds of the engine under way, and rounds for the change.
 */
export async function lockSequence(tx: Tx, userId: number, id: number, how: 'change' | 'keep') {
  await execute(tx)`SELECT FROM sequences WHERE user_id = ${userId} AND id = ${id}
    ${how === 'change' ? sql`FOR UPDATE` : sql`FOR SHARE`}`
  return findSequence(tx, userId, id)
}

/** How many sequences the user has. Others that add one at the same time wait until the transaction ends. */
export async function countForAdding(tx: Tx, userId: number): Promise<number> {
  await execute(tx)`SELECT pg_advisory_xact_lock(hashtextextended('sequences', ${userId}))`
  return numberOf(tx)`SELECT count(*)::int AS total FROM sequences WHERE user_id = ${userId}`
}

export async function addSequence(
  tx: Tx,
  userId: number,
  fields: SequenceFields,
  steps: readonly SequenceStep[],
) {
  const { id } = await tx
    .insertInto('sequences')
    .values({ ...fields, starts: JSON.stringify(fields.starts), user_id: userId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await saveSteps(tx, userId, id, fields.version, steps)
  return id
}

export async function changeSequence(
  tx: Tx,
  userId: number,
  id: number,
  { starts, ...fields }: Partial<SequenceFields>,
) {
  await tx
    .updateTable('sequences')
    .set({ ...fields, ...(starts === undefined ? {} : { starts: JSON.stringify(starts) }) })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Writes the steps of a version; those of a draft are written over. */
export const saveSteps = (
  tx: Tx,
  userId: number,
  id: number,
  version: number,
  steps: readonly SequenceStep[],
) =>
  execute(tx)`
    INSERT INTO sequence_versions (user_id, sequence_id, version, steps)
    VALUES (${userId}, ${id}, ${version}, ${JSON.stringify(steps)})
    ON CONFLICT (user_id, sequence_id, version) DO UPDATE SET steps = excluded.steps`

/** The steps of each version of a sequence, by version. */
export async function stepsByVersion(db: Queryable, userId: number, id: number) {
  const rows = await rowsOf<{ version: number; steps: SequenceStep[] }>(db)`
    SELECT version, steps FROM sequence_versions WHERE user_id = ${userId} AND sequence_id = ${id}`
  return new Map(rows.map(({ version, steps }) => [version, steps]))
}

/** Sets what puts contacts into a sequence by itself; nothing for one that is not at work. */
export async function setStarts(
  tx: Tx,
  userId: number,
  id: number,
  starts: readonly Pick<Selectable<SequenceStartsTable>, 'kind' | 'value'>[],
): Promise<void> {
  await execute(tx)`DELETE FROM sequence_starts WHERE user_id = ${userId} AND sequence_id = ${id}`
  if (starts.length === 0) return
  await tx
    .insertInto('sequence_starts')
    .values(starts.map((start) => ({ user_id: userId, sequence_id: id, ...start })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Its members have no foreign key to it: they are removed before. */
export const deleteSequence = (tx: Tx, userId: number, id: number) =>
  execute(tx)`DELETE FROM sequences WHERE user_id = ${userId} AND id = ${id}`

/** What lists tell of these sequences, by id. */
export async function countSequences(db: Queryable, userId: number, ids: readonly number[]) {
  const rows = await rowsOf<SequenceCounts & { id: number }>(db)`
    SELECT q.id, coalesce(b.active, 0) AS active, coalesce(b.paused, 0) AS paused, coalesce(b.done, 0) AS done,
      coalesce(b.stopped, 0) AS stopped, CASE WHEN NOT mail_is_paused(${userId}) THEN b.next_at END AS next_at,
      coalesce(m.sent, 0) AS sent, coalesce(m.replied, 0) AS replied
    FROM unnest(${[...ids]}::bigint[]) AS q(id)
    LEFT JOIN (
      SELECT sequence_id, (count(*) FILTER (WHERE state = 'active'))::int AS active,
        (count(*) FILTER (WHERE state = 'paused'))::int AS paused, (count(*) FILTER (WHERE state = 'done'))::int AS done,
        (count(*) FILTER (WHERE state = 'stopped'))::int AS stopped, min(due_at) FILTER (WHERE is_open AND NOT has_gap) AS next_at
      FROM sequence_members WHERE user_id = ${userId} AND sequence_id = ANY(${[...ids]}::bigint[]) GROUP BY 1
    ) b ON b.sequence_id = q.id
    LEFT JOIN (
      SELECT m.sequence_id, (count(*) FILTER (WHERE d.state = 'sent'))::int AS sent,
        (count(DISTINCT m.member_id) FILTER (WHERE m.reply_id IS NOT NULL))::int AS replied
      FROM sequence_mails m LEFT JOIN deliveries d ON d.user_id = m.user_id AND d.email_id = m.email_id
      WHERE m.user_id = ${userId} AND m.sequence_id = ANY(${[...ids]}::bigint[]) GROUP BY 1
    ) m ON m.sequence_id = q.id`
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

export type StepFigures = SequenceFigures & { step: number; waiting: number; with_gap: number }

/** What became of the mails of each step, and how many members wait for it. */
export const figuresOfSteps = (db: Queryable, userId: number, id: number) => rowsOf<StepFigures>(db)`
  SELECT step, sum(waiting)::int AS waiting, sum(with_gap)::int AS with_gap, sum(sent)::int AS sent, sum(replied)::int AS replied,
    sum(positive)::int AS positive, sum(bounced)::int AS bounced, sum(unsubscribed)::int AS unsubscribed
  FROM (
    SELECT m.step, 0 AS waiting, 0 AS with_gap, count(*) FILTER (WHERE d.state = 'sent') AS sent, count(m.reply_id) AS replied,
      count(*) FILTER (WHERE r.intent IN ('interested', 'meeting_request')) AS positive,
      count(*) FILTER (WHERE m.outcome = 'bounced') AS bounced,
      count(*) FILTER (WHERE m.outcome = 'unsubscribed') AS unsubscribed
    FROM sequence_mails m
    LEFT JOIN deliveries d ON d.user_id = m.user_id AND d.email_id = m.email_id
    LEFT JOIN emails r ON r.user_id = m.user_id AND r.id = m.reply_id
    WHERE m.user_id = ${userId} AND m.sequence_id = ${id} GROUP BY 1
    UNION ALL
    SELECT step, count(*) FILTER (WHERE NOT has_gap), count(*) FILTER (WHERE has_gap), 0, 0, 0, 0, 0 FROM sequence_members
    WHERE user_id = ${userId} AND sequence_id = ${id} AND state IN ('active', 'paused') AND step IS NOT NULL GROUP BY 1
  ) each GROUP BY 1 ORDER BY 1`

/** Forgets the steps of a draft as they were before. */
export const forgetOtherVersions = (tx: Tx, userId: number, id: number, version: number) => execute(tx)`
  DELETE FROM sequence_versions
  WHERE user_id = ${userId} AND sequence_id = ${id} AND version <> ${version}`

/** A sequence of any user. */
export type Owned = { userId: number; id: number }

/** Pauses the running sequences of one user, or of all; returns which. Their mails are the caller's to hold. */
export async function pauseAllSequences(tx: Tx, userId: number | null = null): Promise<Owned[]> {
  const isTheirs = userId === null ? sql`true` : sql`user_id = ${userId}`
  const paused = await rowsOf<Owned>(tx)`
    UPDATE sequences SET state = 'paused' WHERE state = 'running' AND ${isTheirs} RETURNING user_id AS "userId", id`
  await execute(tx)`UPDATE sequence_members SET is_open = false WHERE is_open AND ${isTheirs}`
  return paused
}

/** Sequences that were started in practice and whose users are not in practice any more. */
export const sequencesAfterPractice = (db: Queryable, limit: number) => rowsOf<Owned>(db)`
  SELECT s.user_id AS "userId", s.id FROM sequences s
  WHERE s.in_practice AND NOT EXISTS (SELECT FROM mailboxes b
    WHERE b.user_id = s.user_id AND b.is_practice AND b.disconnected_at IS NULL)
  ORDER BY 1, 2 LIMIT ${limit}`
