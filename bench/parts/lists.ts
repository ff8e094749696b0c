import { BASE_PATH } from '#contract/platform/endpoint.ts'
import type { TestUser } from '../../tests/support/factories.ts'
import { quantile } from './figure.ts'
import type { BenchHowl } from './howl.ts'

/** Fills a user's contacts with invented people, straight in the database. */
export async function fillContacts(howl: BenchHowl, user: TestUser, rows: number): Promise<void> {
  await howl.sql(
    `INSERT INTO contacts (user_id, name, email, email_key, company, created_at, updated_at)
     SELECT $1, 'Person ' || n, 'person' || n || '@many.example', 'person' || n || '@many.example', 'Company ' || n % 500,
       now(), now() FROM generate_series(1, $2::int) n`,
    [user.id, rows],
  )
}

/** Every third contact was mailed, a few hundred of all sizes replied with interest. */
export async function fillCorrespondents(howl: BenchHowl, user: TestUser, contacts: number): Promise<void> {
  await howl.sql(
    `INSERT INTO correspondents (user_id, address_key, first_sent_at, last_sent_at, replied_at, interested_at)
     SELECT $1, 'person' || n || '@many.example', now() - n * interval '1 second', now() - n * interval '1 second',
       CASE WHEN n % ($2 / 300) = 0 THEN now() END, CASE WHEN n % ($2 / 300) = 0 THEN now() END
     FROM generate_series(3, $2::int, 3) n`,
    [user.id, contacts],
  )
}

/** Has the database analyze its tables, as it does by itself after a while. */
export async function settleTables(howl: BenchHowl, tables: readonly string[] = ['contacts']): Promise<void> {
  for (const table of tables) await howl.sql(`VACUUM (ANALYZE) ${table}`)
  await howl.sql('CHECKPOINT')
}

type Asked = Record<string, { user: TestUser; path: string }>

/** Milliseconds that 95 of a hundred calls take at most, for each of the given paths; asked in rounds. */
export async function p95Of(howl: BenchHowl, asked: Asked, times = 300): Promise<Record<string, number>> {
  return quantilesOf(await timesOf(howl, asked, times), 0.95)
}

/** For each row of values, the value below which `part` (0 to 1) of them lie. */
export function quantilesOf(took: Record<string, number[]>, part: number): Record<string, number> {
  return Object.fromEntries(Object.entries(took).map(([name, each]) => [name, quantile(each, part)]))
}

/**
 * Milliseconds that each call takes, for each of the given paths; asked in rounds, each in a random order: an event
 * that recurs every so many calls (garbage collection on either side) would otherwise hit the same path again and again.
 */
export async function timesOf(howl: BenchHowl, asked: Asked, times = 300): Promise<Record<string, number[]>> {
  const took: Record<string, number[]> = Object.fromEntries(Object.keys(asked).map((name) => [name, []]))
  for (let turn = -5; turn < times; turn++) {
    for (const [name, { user, path }] of shuffled(Object.entries(asked))) {
      const ms = await timed(`${howl.url}${BASE_PATH}${path}`, user.token)
      // The first few warm caches and prepare statements.
      if (turn >= 0) took[name]?.push(ms)
    }
  }
  return took
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((each) => ({ each, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ each }) => each)
}

async function timed(url: string, token: string): Promise<number> {
  const begun = performance.now()
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - begun
}
