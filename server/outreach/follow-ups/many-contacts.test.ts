import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { startOf } from './days.ts'
import { contactsToFollow, countStandings, type Place, type Terms } from './store.ts'

const CONTACTS = 100_000
const ZONE = 'Europe/Berlin'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  user = await signUp(app.url)
  const statements = [
    `INSERT INTO mailboxes (user_id, is_primary, address, created_at) VALUES ($1, true, 'ada@muster.example', '2030-01-01')`,
    `INSERT INTO contacts (user_id, name, email, email_key, created_at, updated_at)
     SELECT $1, 'Person ' || n, 'p' || n || '@x.example', 'p' || n || '@x.example', '2030-01-01', '2030-01-01'
     FROM generate_series(1, ${CONTACTS}) n`,
    // All were mailed; one in twenty within the last days.
    `INSERT INTO emails (user_id, mailbox_id, direction, folder, purpose, message_id, thread_id, from_name, from_address, to_line,
       correspondent_key, subject, snippet, collapse_key, is_read, size, occurred_at, created_at)
     SELECT $1, (SELECT id FROM mailboxes WHERE user_id = $1), 'out', 'sent', 'outreach', 'm' || n, n, 'Ada', 'ada@muster.example',
       'x', 'p' || n || '@x.example', 'Hi', '', '', true, 1,
       CASE WHEN n % 20 = 0 THEN timestamptz '2030-06-05' ELSE timestamptz '2030-01-05' END + n * interval '1 ms', '2030-01-01'
     FROM generate_series(1, ${CONTACTS}) n`,
    `INSERT INTO correspondents (user_id, address_key, first_sent_at, last_sent_at)
     SELECT user_id, correspondent_key, occurred_at, occurred_at FROM emails WHERE user_id = $1`,
  ]
  for (const statement of statements) await runSql(app.context.db, statement, [user.id])
  await runSql(app.context.db, 'ANALYZE')
})
afterAll(() => app.end())

const terms = (): Terms => ({
  userId: user.id,
  zone: ZONE,
  day: '2030-06-10',
  maxDays: 14,
  inPractice: false,
})

test('a run reads those who are due in chunks, each by the index, and none twice', async () => {
  const window = {
    firstFrom: startOf('2030-05-27', ZONE),
    silentBefore: startOf('2030-06-08', ZONE),
    looked: 500,
    most: 500,
  }
  const seen = new Set<number>()
  let after: Place | null = null
  let chunks = 0
  for (;;) {
    const { people, next }: Awaited<ReturnType<typeof chunk>> = await chunk(after, window)
    if (next === null) break
    for (const { contactId } of people) seen.add(contactId)
    after = next
    chunks += 1
  }
  expect(seen.size).toBe(CONTACTS / 20)
  expect(chunks).toBe(CONTACTS / 20 / 500)
})

/** One look, which reads neither all contacts nor all mails, and finds the silent ones by their index. */
async function chunk(after: Place | null, window: Omit<Parameters<typeof contactsToFollow>[2], 'after'>) {
  return inTransaction(app.context.db, async (tx) => {
    const scans = async () => {
      const { rows } = await runSql(
        tx,
        `SELECT relname AS name, pg_stat_get_xact_numscans(oid)::int AS scans FROM pg_class
         WHERE relname IN ('contacts', 'emails', 'correspondents_silent')`,
      )
      return new Map((rows as { name: string; scans: number }[]).map((row) => [row.name, row.scans]))
    }
    const before = await scans()
    const found = await contactsToFollow(tx, terms(), { ...window, after })
    const since = await scans()
    for (const name of ['contacts', 'emails']) expect(since.get(name)).toBe(before.get(name))
    expect(since.get('correspondents_silent')).toBe((before.get('correspondents_silent') ?? 0) + 1)
    return found
  })
}

test('a few of many are chosen where a model writes them, and the next look goes on behind them', async () => {
  const window = {
    firstFrom: startOf('2030-05-27', ZONE),
    silentBefore: startOf('2030-06-08', ZONE),
    looked: 500,
    most: 12,
  }
  const first = await contactsToFollow(app.context.db, terms(), { ...window, after: null })
  const second = await contactsToFollow(app.context.db, terms(), { ...window, after: first.next })
  expect(first.people.map(({ name }) => name)).toEqual(
    Array.from({ length: 12 }, (_, at) => `Person ${(at + 1) * 20}`),
  )
  expect(second.people[0]?.name).toBe('Person 260')
})

test('the page counts all of them', async () => {
  const counts = await countStandings(app.context.db, terms())
  expect(new Map(counts.map(({ why, contacts }) => [why, contacts]))).toEqual(
    new Map([
      ['too_old', CONTACTS - CONTACTS / 20],
      [null, CONTACTS / 20],
    ]),
  )
})
