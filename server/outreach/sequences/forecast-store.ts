import type { SequenceStep } from '#contract/outreach/sequences.ts'
import { anyUser } from '../../platform/database/any-user.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { rowsOf } from '../../platform/database/rows.ts'
import type { SequenceRow } from './store.ts'

export type ForeseenSequence = Pick<
  SequenceRow,
  'id' | 'days' | 'from_hour' | 'until_hour' | 'in_readers_zone'
>

/** The user's other running sequences that send through an account; those of practice only if it is practice's. */
export const runningBeside = (
  db: Queryable,
  userId: number,
  sequenceId: number,
  account: { id: number; isPractice: boolean; isInUse: boolean },
) => rowsOf<ForeseenSequence>(db)`
  SELECT id, days, from_hour, until_hour, in_readers_zone FROM sequences
  WHERE user_id = ${userId} AND state = 'running' AND id <> ${sequenceId} AND in_practice = ${account.isPractice}
    AND (${account.isPractice} OR mailbox_id = ${account.id} OR mailbox_id IS NULL AND ${account.isInUse})
  ORDER BY id`

type Version = { sequenceId: number; version: number; steps: SequenceStep[] }

/** The steps of every version of these sequences. */
export const stepsOfSequences = (db: Queryable, userId: number, ids: readonly number[]) => rowsOf<Version>(
  db,
)`
  SELECT sequence_id AS "sequenceId", version, steps FROM sequence_versions
  WHERE user_id = ${userId} AND sequence_id = ANY(${[...ids]}::bigint[])`

/** Members that are alike. `step` is null in a draft. */
export type MemberGroup = {
  sequenceId: number
  version: number
  step: number | null
  /** To the slot; not before now. */
  at: Date
  mailedToday: boolean
  status: string
  tags: string[]
  members: number
}

/**
 * The members under way of these sequences in groups, those due first in front. `asks` says of which sequences conditions ask
 * about the status, of which about tags, and about which: what nobody asks about makes no group of its own.
 */
export const groupMembers = (
  db: Queryable,
  userId: number,
  ids: readonly number[],
  { now, today, dayEnds }: { now: Date; today: string; dayEnds: Date },
  asks: { status: readonly number[]; tags: readonly number[]; names: readonly string[] },
) => rowsOf<MemberGroup>(db)`
  SELECT m.sequence_id AS "sequenceId", m.version, m.step,
    greatest(date_bin('10 minutes', m.due_at, 'epoch'), ${now}::timestamptz) AS at,
    a.address_key IS NOT NULL AS "mailedToday",
    CASE WHEN m.sequence_id = ANY(${[...asks.status]}::bigint[]) THEN c.status ELSE '' END AS status,
    CASE WHEN m.sequence_id = ANY(${[...asks.tags]}::bigint[]) THEN ARRAY(
      SELECT t.name_key FROM contact_tags k JOIN tags t ON t.user_id = k.user_id AND t.id = k.tag_id
      WHERE k.user_id = c.user_id AND k.contact_id = c.id AND t.name_key = ANY(${[...asks.names]}::text[]) ORDER BY 1)
      ELSE '{}' END AS tags,
    count(*)::int AS members
  FROM sequence_members m
  JOIN contacts c ON c.user_id = ${anyUser(userId)} AND c.id = m.contact_id
  LEFT JOIN automatic_mails a ON a.user_id = ${anyUser(userId)} AND a.address_key = c.email_key
    AND a.local_day = ${today}::date AND (m.due_at IS NULL OR m.due_at < ${dayEnds})
  WHERE m.user_id = ${anyUser(userId)} AND m.sequence_id = ANY(${[...ids]}::bigint[]) AND m.state = 'active'
    -- A member that waits for a gap to be filled in may wait for ever.
    AND NOT m.has_gap
  GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 4`

/** How many contacts are under way in two of these sequences at once; each pair once. */
export async function countInBoth(db: Queryable, userId: number, ids: readonly number[]) {
  if (ids.length < 2) return []
  return rowsOf<{ one: number; other: number; contacts: number }>(db)`
    WITH live AS MATERIALIZED (
      SELECT sequence_id, contact_id FROM sequence_members
      WHERE user_id = ${anyUser(userId)} AND sequence_id = ANY(${[...ids]}::bigint[]) AND state = 'active'
    )
    SELECT a.sequence_id AS one, b.sequence_id AS other, count(*)::int AS contacts
    FROM live a JOIN live b ON b.contact_id = a.contact_id AND b.sequence_id > a.sequence_id GROUP BY 1, 2`
}
