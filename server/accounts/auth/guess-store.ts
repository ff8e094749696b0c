import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/handles.ts'
import { hasRows } from '../../platform/database/rows.ts'

/** When the next guess is allowed after `failures` in a row. */
export type Delays = {
  freeTries: number
  firstSeconds: number
  longestSeconds: number
  forgetSeconds: number
}

/** A try that may go ahead, or when the next one may. */
export type Try = { failures: number; freeAt?: never } | { freeAt: Date; failures?: never }

/**
 * Counts one try as failed, under the place if the account is known there, else under the count shared by all unknown
 * places. The try may go ahead when the answer says which failure in a row it is; while a delay is running nothing is
 * counted, and the answer is the delay's end. One statement, the same for accounts that do not exist; simultaneous tries wait for each other.
 */
export async function takeTry(
  db: Queryable,
  account: string,
  place: string,
  now: Date,
  delays: Delays,
): Promise<Try> {
  const forgotten = new Date(now.getTime() - delays.forgetSeconds * 1000)
  const failures = sql`CASE WHEN t.last_at < ${forgotten} THEN 1 ELSE t.failures + 1 END`
  const known = sql`coalesce(
    (SELECT k.place FROM log_in_tries k WHERE k.account = ${account} AND k.place = ${place}), '')`
  const { rows } = await sql<{ failures: number }>`
    INSERT INTO log_in_tries AS t (account, place, failures, last_at, free_at)
    VALUES (${account}, ${known}, 1, ${now}, ${now})
    ON CONFLICT (account, place) DO UPDATE SET failures = ${failures}, last_at = ${now},
      free_at = ${now}::timestamptz + make_interval(secs => CASE WHEN ${failures} < ${delays.freeTries}::int THEN 0 ELSE
        least(${delays.firstSeconds}::float8 * 2 ^ least(${failures} - ${delays.freeTries}::int, 30), ${delays.longestSeconds}::float8) END)
    WHERE t.free_at <= ${now} RETURNING failures`.execute(db)
  if (rows[0] !== undefined) return rows[0]
  const held = await sql<{ free_at: Date }>`
    SELECT free_at FROM log_in_tries WHERE account = ${account} AND place = ${known}`.execute(db)
  // Forgotten meanwhile: then the next try may go ahead at once.
  return { freeAt: held.rows[0]?.free_at ?? now }
}

/** Takes one counted try back: it was no wrong one. It was let through, so no delay was running before it. */
export async function takeTryBack(db: Queryable, account: string, place: string, now: Date): Promise<void> {
  await sql`
    UPDATE log_in_tries SET failures = failures - 1, free_at = ${now}
    WHERE account = ${account} AND failures > 0 AND place = coalesce(
      (SELECT k.place FROM log_in_tries k WHERE k.account = ${account} AND k.place = ${place}), '')`.execute(
    db,
  )
}

/** A successful log-in at `place`: it is known for these accounts from now on, and failed tries there are forgotten. */
export async function knowPlace(db: Queryable, accounts: readonly string[], place: string, now: Date) {
  await sql`
    WITH before AS (
      SELECT account FROM log_in_tries WHERE account = ANY(${accounts}::text[]) AND place = ${place}),
    strangers AS (
      DELETE FROM log_in_tries WHERE account = ANY(${accounts}::text[]) AND place = ''
        AND account NOT IN (SELECT account FROM before))
    INSERT INTO log_in_tries (account, place, failures, last_at, free_at)
    SELECT unnest(${accounts}::text[]), ${place}, 0, ${now}, ${now}
    ON CONFLICT (account, place) DO UPDATE SET failures = 0, last_at = excluded.last_at, free_at = excluded.free_at`.execute(
    db,
  )
}

/** Forgets tries from unknown places before `tried`, and places last used before `used`. */
export async function forgetTries(db: Queryable, tried: Date, used: Date): Promise<void> {
  await sql`
    DELETE FROM log_in_tries WHERE last_at < CASE WHEN place = '' THEN ${tried}::timestamptz ELSE ${used}::timestamptz END`.execute(
    db,
  )
}

/** Whether one of these accounts is known at the place. */
export async function isPlaceKnown(db: Queryable, accounts: readonly string[], place: string) {
  return hasRows(db)`
    SELECT 1 FROM log_in_tries WHERE account = ANY(${accounts}::text[]) AND place = ${place} LIMIT 1`
}

/** Forgets everything about these accounts: no place is known any more. */
export async function forgetPlacesOf(db: Queryable, accounts: readonly string[]): Promise<void> {
  await sql`DELETE FROM log_in_tries WHERE account = ANY(${accounts}::text[])`.execute(db)
}
