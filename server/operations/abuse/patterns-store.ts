import { type Selectable, sql } from 'kysely'
import type { PatternType } from '#contract/operations/abuse.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { Verdict } from './judge.ts'
import { HALF_LIFE_DAYS } from './rules.ts'
import type { AbuseAnswersTable, AbusePatternsTable } from './tables.ts'
import { numberOf, onlyRowOf, rowOf, rowsOf } from '../../platform/database/rows.ts'

export type PatternRow = Selectable<AbusePatternsTable>

/** After so many half-lives nothing of a pattern is left that would count. */
const HALF_LIVES_COUNTED = 8

const DAY_S = 86_400
/** What a pattern, the row `q`, counts for. */
const worth = (now: Date) =>
  sql`q.score * 0.5 ^ (extract(epoch FROM ${now}::timestamptz - q.last_detected) / ${HALF_LIFE_DAYS * DAY_S}::float8)`
/** Whether it counts: not if it is too old, or was found before the user's last ban ended. */
const counted = (now: Date) =>
  sql`q.last_detected > ${now}::timestamptz - make_interval(days => ${HALF_LIVES_COUNTED * HALF_LIFE_DAYS})
    AND NOT EXISTS (SELECT FROM bans b WHERE b.user_id = q.user_id AND b.ended_at >= q.last_detected)`

/** A user as the rules know them. */
export type Suspect = {
  id: number
  email: string
  created_at: Date
  is_admin: boolean
  /** The last ban ended then. */
  pardonedAt: Date | null
}

/** The live ones among these users who are not banned. */
export async function suspectsAmong(db: Queryable, userIds: readonly number[]): Promise<Suspect[]> {
  if (userIds.length === 0) return []
  return rowsOf<Suspect>(db)`
    SELECT u.id, u.email, u.created_at, u.is_admin,
      (SELECT max(ended_at) FROM bans b WHERE b.user_id = u.id) AS "pardonedAt"
    FROM users u
    WHERE u.id = ANY(${[...userIds]}::bigint[]) AND u.deleted_at IS NULL AND u.is_active AND NOT u.is_system
    ORDER BY u.id`
}

/** What has been found with these users, by user and kind. */
export async function patternsOf(
  db: Queryable,
  userIds: readonly number[],
): Promise<Map<string, PatternRow>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('abuse_patterns')
    .selectAll()
    .where('user_id', 'in', [...userIds])
    .execute()
  return new Map(rows.map((row) => [patternKey(row.user_id, row.pattern_type), row]))
}

export const patternKey = (userId: number, type: PatternType) => `${userId} ${type}`

/** Writes down what a rule has found; what is to be done about the user is to be decided. */
export async function putPattern(
  tx: Tx,
  found: { userId: number; type: PatternType; verdict: Verdict; now: Date },
): Promise<void> {
  const { userId, type, verdict, now } = found
  await tx
    .insertInto('abuse_patterns')
    .values({
      user_id: userId,
      pattern_type: type,
      severity: verdict.severity,
      occurrences: 1,
      first_detected: now,
      last_detected: now,
      score: verdict.score,
      description: verdict.seen,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'pattern_type']).doUpdateSet((eb) => ({
        severity: eb.ref('excluded.severity'),
        occurrences: sql<number>`abuse_patterns.occurrences + ${verdict.isNew ? 1 : 0}`,
        last_detected: eb.ref('excluded.last_detected'),
        score: eb.ref('excluded.score'),
        description: eb.ref('excluded.description'),
      })),
    )
    .execute()
  await sql`
    INSERT INTO abuse_answers (user_id, is_due) VALUES (${userId}, true)
    ON CONFLICT (user_id) DO UPDATE SET is_due = true`.execute(tx)
}

/** Users about whom something is to be decided. */
export async function usersDue(db: Queryable, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('abuse_answers')
    .select('user_id')
    .where('is_due', '=', true)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_id)
}

/** What has been done about a user; `standingBans` are those bans that no administrator lifted. */
export type Answers = Selectable<AbuseAnswersTable> & { standingBans: number }

/** What has been done about a user until now. */
export async function answersTo(db: Queryable, userId: number): Promise<Answers | undefined> {
  const row = await db
    .selectFrom('abuse_answers')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { lifted } = await db
    .selectFrom('bans')
    .select((eb) => eb.fn.countAll<number>().as('lifted'))
    .where('user_id', '=', userId)
    .where('by_rules', '=', true)
    .where('status', '=', 'lifted')
    .executeTakeFirstOrThrow()
  return { ...row, standingBans: Math.max(0, row.bans - lifted) }
}

/** A user's risk now, a whole number: what all patterns count for together, 100 at most. A moment takes nothing away. */
export async function riskOf(db: Queryable, userId: number, now: Date) {
  return numberOf(db)`
    SELECT round(least(100, coalesce(sum(${worth(now)}), 0)))::int AS risk FROM abuse_patterns q
    WHERE q.user_id = ${userId} AND ${counted(now)}`
}

/** What was found lately with a user and is still worth something, the heaviest first. */
export async function heaviestPatterns(db: Queryable, userId: number, now: Date) {
  return rowsOf<PatternRow>(db)`
    SELECT * FROM abuse_patterns q WHERE q.user_id = ${userId} AND ${counted(now)}
    ORDER BY ${worth(now)} DESC LIMIT 5`
}

export async function markBanned(tx: Tx, userId: number, type: PatternType): Promise<void> {
  await tx
    .updateTable('abuse_patterns')
    .set({ auto_ban_triggered: true })
    .where('user_id', '=', userId)
    .where('pattern_type', '=', type)
    .execute()
}

export async function setAnswers(
  db: Queryable,
  userId: number,
  answers: Partial<Selectable<AbuseAnswersTable>>,
): Promise<void> {
  await db.updateTable('abuse_answers').set(answers).where('user_id', '=', userId).execute()
}

export type ListedPattern = PatternRow & { email: string; is_active: boolean; risk: number }

export async function patternsSince(db: Queryable, since: Date, now: Date, limit: number) {
  return rowsOf<ListedPattern>(db)`
    SELECT p.*, u.email, u.is_active,
      (SELECT round(least(100, coalesce(sum(${worth(now)}), 0)))::int FROM abuse_patterns q
       WHERE q.user_id = p.user_id AND ${counted(now)}) AS risk
    FROM (SELECT * FROM abuse_patterns WHERE last_detected >= ${since}
      ORDER BY last_detected DESC, id DESC LIMIT ${limit}) p
    JOIN users u ON u.id = p.user_id ORDER BY p.last_detected DESC, p.id DESC`
}

export type AbuseCounts = { bans: number; patterns: number; highRisk: number; notifications: number }

export async function countAbuse(
  db: Queryable,
  { now, high, notifiedSince }: { now: Date; high: number; notifiedSince: Date },
) {
  return onlyRowOf<AbuseCounts>(db)`
    SELECT (SELECT count(*) FROM bans WHERE status = 'active' AND (expires_at IS NULL OR expires_at > ${now}))::int AS bans,
      (SELECT count(*) FROM abuse_patterns)::int AS patterns,
      (SELECT count(*) FROM (SELECT FROM abuse_patterns q WHERE ${counted(now)} GROUP BY q.user_id
        HAVING round(sum(${worth(now)})) >= ${high}) r)::int AS "highRisk",
      (SELECT count(*) FROM admin_notifications WHERE created_at >= ${notifiedSince})::int AS notifications`
}

/** Removes facts that no rule looks at any more. */
export async function removeOldFacts(db: Queryable, before: Date): Promise<void> {
  await db.deleteFrom('sending_days').where('day', '<', before).execute()
  await db.deleteFrom('failed_addresses').where('at', '<', before).execute()
}

/** Takes this round for itself, as long as the transaction lasts. False while another process has it. */
export async function tryLockRound(tx: Tx): Promise<boolean> {
  const row = await rowOf<{ locked: boolean }>(tx)`
    SELECT pg_try_advisory_xact_lock(hashtext('howl: abuse')) AS locked`
  return row?.locked === true
}

export async function lookedUntil(db: Queryable): Promise<Date | null> {
  const row = await db.selectFrom('abuse_rounds').select('looked_until').executeTakeFirst()
  return row?.looked_until ?? null
}

export async function setLookedUntil(db: Queryable, until: Date): Promise<void> {
  await db
    .insertInto('abuse_rounds')
    .values({ id: 1, looked_until: until })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ looked_until: until }))
    .execute()
}
