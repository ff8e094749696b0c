import pg from 'pg'
import { expect, test } from 'vitest'
import { lookForAbuse } from '#server/operations/abuse/look-for-abuse.ts'
import { signUp } from '../support/factories.ts'
import { startTestApp } from '../support/test-app.ts'
import { liveDays, tableOf } from './abuse-days.ts'

const HONEST = 200
const MAILS = 1_000_000
const FAILURES = 30_000
const TRIES = 50_000
/** A round may take so long when a million mails of one day are new. */
const ROUND_MAX_MS = 3000

test('in thirty days of two hundred honest users every abuser is found, and no honest user is banned', async () => {
  const { outcomes, mails, rounds, slowestRoundMs } = await liveDays({
    honest: HONEST,
    days: 30,
    seed: 20_261_123,
  })
  const told = tableOf(outcomes)
  process.stdout.write(`${told}\n${mails} mails, ${rounds} rounds, the slowest took ${slowestRoundMs} ms\n`)
  const honest = outcomes.filter(({ isAbuser }) => !isAbuser)
  expect(honest.reduce((sum, { people }) => sum + people, 0)).toBe(HONEST)
  expect(honest.filter(({ banned }) => banned > 0).map(({ kind }) => kind)).toEqual([])
  const abusers = outcomes.filter(({ isAbuser }) => isAbuser)
  expect(abusers.length).toBeGreaterThanOrEqual(10)
  expect(abusers.filter(({ found }) => found === 0)).toEqual([])
  // Limits stop it, and being stopped bans nobody.
  expect(abusers.filter(({ banned }) => banned === 0).map(({ kind }) => kind)).toEqual([
    'a program that calls over every limit',
  ])
})

test('a round stays short with a million mails, many failures and many tries of one day', async () => {
  const app = await startTestApp({ roles: ['web'] })
  const client = new pg.Client({ connectionString: app.databaseUrl })
  await client.connect()
  try {
    const { id } = await signUp(app.url)
    // No trigger counts: only the rows matter here.
    await client.query('SET session_replication_role = replica')
    await client.query(
      `INSERT INTO mailboxes (user_id, id, is_primary, address, created_at) OVERRIDING SYSTEM VALUE VALUES ($1, 1, true, 'a@b.example', now())`,
      [id],
    )
    await client.query(
      `INSERT INTO emails (user_id, mailbox_id, direction, folder, purpose, message_id, thread_id, to_line, correspondent_key,
         subject, snippet, collapse_key, occurred_at, created_at)
       SELECT $1, 1, 'out', 'sent', CASE WHEN n % 4 = 0 THEN 'compose' ELSE 'outreach' END, n || '@b.example', n,
         'p' || n || '@far.example', 'p' || n || '@far.example', 'An offer ' || n, 'words of mail number ' || n, '',
         now() - make_interval(secs => n * 0.08), now()
       FROM generate_series(1, $2::int) AS n`,
      [id, MAILS],
    )
    await client.query(
      `INSERT INTO deliveries (user_id, email_id, mailbox_id, state, queue, recipients, next_try_at, settled_at)
       SELECT user_id, id, 1, 'sent', NULL, ARRAY[to_line], occurred_at, occurred_at FROM emails`,
    )
    await client.query(
      `INSERT INTO correspondents (user_id, address_key, first_sent_at, last_sent_at)
       SELECT user_id, correspondent_key, occurred_at, occurred_at FROM emails`,
    )
    await client.query(
      `INSERT INTO sending_days (user_id, day, sent, strangers, role_addresses)
       VALUES ($1, date_bin('1 day', now(), 'epoch'), $2, $2, 0)`,
      [id, MAILS],
    )
    await client.query(
      `INSERT INTO failed_addresses (user_id, address_key, kind, at, at_once, is_certain)
       SELECT $1, 'p' || n || '@far' || n || '.example', 'no_address', now(), false, true FROM generate_series(1, $2::int) AS n`,
      [id, FAILURES],
    )
    await client.query(
      `INSERT INTO activities (user_id, activity_type, description, risk_score, ip_address, created_at, salt, person_digest, seal)
       SELECT NULL, 'log_in_failed', 'Failed log-in', 20, '51.' || n % 200 || '.' || n % 250 || '.7',
         date_trunc('milliseconds', now() - make_interval(secs => n)), '', '', ''
       FROM generate_series(1, $1::int) AS n`,
      [TRIES],
    )
    await client.query('ANALYZE')
    const began = performance.now()
    await lookForAbuse(app.context)
    const first = performance.now() - began
    const again = performance.now()
    await lookForAbuse(app.context)
    const second = performance.now() - again
    process.stdout.write(
      `${MAILS} mails, ${FAILURES} failures, ${TRIES} tries: ${Math.round(first)} ms, and ${Math.round(second)} ms with nothing new\n`,
    )
    expect(first).toBeLessThan(ROUND_MAX_MS)
    expect(second).toBeLessThan(ROUND_MAX_MS)
  } finally {
    await client.end()
    await app.end()
  }
})
