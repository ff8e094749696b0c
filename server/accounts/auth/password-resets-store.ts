import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/handles.ts'
import { hasRows, rowOf } from '../../platform/database/rows.ts'

export type ResetKind = 'code' | 'link'

/**
 * Replaces the user's code or link by a new one, unless `max` were requested since `since`, and, from where the account is
 * known, `maxKnown` from there. Requests at the same time wait for each other, so exactly one of them is the newest.
 *
 * @returns false over the limit; then the code in use stays good
 */
export async function replaceReset(
  db: Queryable,
  reset: {
    userId: number
    kind: ResetKind
    signature: string
    expiresAt: Date
    now: Date
    since: Date
    max: number
    isKnown: boolean
    maxKnown: number
  },
) {
  const { userId, kind, signature, expiresAt, now, since, max, isKnown, maxKnown } = reset
  const newer = (column: string) =>
    sql`(SELECT coalesce(array_agg(at), '{}') FROM unnest(${sql.ref(column)}) AS at WHERE at > ${since})`
  return hasRows(db)`
    INSERT INTO password_resets AS r (user_id, kind, signature, expires_at, requested_at, known_requested_at)
    VALUES (${userId}, ${kind}, ${signature}, ${expiresAt}, ARRAY[${now}::timestamptz],
      CASE WHEN ${isKnown}::boolean THEN ARRAY[${now}::timestamptz] ELSE '{}' END)
    ON CONFLICT (user_id, kind) DO UPDATE SET signature = excluded.signature, expires_at = excluded.expires_at,
      wrong_tries = 0, known_wrong_tries = 0, requested_at = ${newer('r.requested_at')} || excluded.requested_at,
      known_requested_at = ${newer('r.known_requested_at')} || excluded.known_requested_at
    WHERE cardinality(${newer('r.requested_at')}) < ${max}::int
      OR ${isKnown}::boolean AND cardinality(${newer('r.known_requested_at')}) < ${maxKnown}::int
    RETURNING 1`
}

/**
 * True when this is the user's code and it is still good at `now`. A wrong one is counted, and the last try that is
 * allowed kills the code: for everybody if the account is known there, otherwise only for all places where it is not, so that
 * strangers cannot use up the owner's code. One statement: parallel guesses all count.
 */
export async function tryCode(
  db: Queryable,
  guess: { userId: number; signature: string; now: Date; isKnown: boolean; maxWrong: number },
): Promise<boolean> {
  const { userId, signature, now, isKnown, maxWrong } = guess
  const tries = sql.ref(isKnown ? 'known_wrong_tries' : 'wrong_tries')
  const row = await rowOf<{ right: boolean }>(db)`
    UPDATE password_resets SET
      ${tries} = CASE WHEN signature = ${signature} THEN ${tries} ELSE ${tries} + 1 END,
      signature = CASE WHEN ${isKnown}::boolean AND signature <> ${signature} AND ${tries} + 1 >= ${maxWrong}::int
        THEN NULL ELSE signature END
    WHERE user_id = ${userId} AND kind = 'code' AND signature IS NOT NULL AND expires_at > ${now}
      AND ${tries} < ${maxWrong}::int
    RETURNING signature IS NOT DISTINCT FROM ${signature} AS "right"`
  return row?.right ?? false
}

/** Whose link this is, if it is good at `now`. */
export async function findLink(db: Queryable, signature: string, now: Date): Promise<number | undefined> {
  const row = await db
    .selectFrom('password_resets')
    .select('user_id')
    .where('kind', '=', 'link')
    .where('signature', '=', signature)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.user_id
}

/** Uses up a code or link that is good at `now`; returns whose it was. Only one caller gets it. */
export async function takeReset(db: Queryable, kind: ResetKind, signature: string, now: Date) {
  const row = await rowOf<{ user_id: number }>(db)`
    UPDATE password_resets SET signature = NULL
    WHERE kind = ${kind} AND signature = ${signature} AND expires_at > ${now}
    RETURNING user_id`
  return row?.user_id
}

/** The password has changed: nothing that was mailed before sets another one. */
export async function killResets(db: Queryable, userId: number): Promise<void> {
  await sql`UPDATE password_resets SET signature = NULL WHERE user_id = ${userId}`.execute(db)
}
