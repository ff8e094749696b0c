import { BASE_PATH } from '#contract/endpoint.ts'
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

/** Fills a user's inbox with invented mails, an hour apart; one in 2,000 speaks of a zeppelin. */
export async function fillInbox(howl: BenchHowl, user: TestUser, rows: number): Promise<void> {
  await howl.sql(
    `INSERT INTO emails (user_id, direction, folder, message_id, thread_id, from_name, from_address, to_line,
       correspondent_key, subject, snippet, collapse_key, is_read, occurred_at, created_at)
     SELECT $1, 'in', 'inbox', n || '@many.example', n, 'Person ' || n % 500, 'person' || n % 500 || '@many.example',
       'Ada Muster <ada@muster.example>', 'person' || n % 500 || '@many.example', 'The offer of the week ' || n,
       CASE WHEN n % 2000 = 7 THEN 'We saw a zeppelin over the harbour' ELSE 'Thank you for your mail of last week, number ' || n END,
       md5(n::text), n % 10 > 0, timestamptz '2026-01-01' - n * interval '1 minute', now()
     FROM generate_series(1, $2::int) n`,
    [user.id, rows],
  )
}

/** Has the database look at what it holds, as it does by itself after a while. */
export async function settleTables(howl: BenchHowl): Promise<void> {
  await howl.sql('VACUUM (ANALYZE) emails')
  await howl.sql('VACUUM (ANALYZE) contacts')
  await howl.sql('CHECKPOINT')
}

/** Milliseconds that a call takes, the 95th of a hundred, for each of the given paths; asked in turns. */
export async function p95Of(
  howl: BenchHowl,
  asked: Record<string, { user: TestUser; path: string }>,
  times = 100,
): Promise<Record<string, number>> {
  const took: Record<string, number[]> = Object.fromEntries(Object.keys(asked).map((name) => [name, []]))
  for (let turn = -5; turn < times; turn++) {
    for (const [name, { user, path }] of Object.entries(asked)) {
      const ms = await timed(`${howl.url}${BASE_PATH}${path}`, user.token)
      // The first few warm caches and prepare statements.
      if (turn >= 0) took[name]?.push(ms)
    }
  }
  return Object.fromEntries(Object.entries(took).map(([name, each]) => [name, quantile(each, 0.95)]))
}

async function timed(url: string, token: string): Promise<number> {
  const begun = performance.now()
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - begun
}
