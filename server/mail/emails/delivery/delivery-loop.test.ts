import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { leave } from '#server/platform/jobs/store.ts'
import { call } from '../../../../tests/support/client.ts'
import { type TestUser } from '../../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { connectWriter } from '../../../../tests/support/writing.ts'
import { freeOrphanedClaims } from './claims-store.ts'
import type { Queryable } from '../../../platform/database/handles.ts'

let app: TestApp
let sink: SmtpSink

beforeAll(async () => {
  app = await startTestApp()
  sink = await startSmtpSink()
})
afterAll(async () => {
  await app.end()
  await sink.stop()
})
afterEach(() => {
  sink.setScript(undefined)
  sink.clear()
})

const MAIL = { to: 'bob@customer.example', subject: 'Hello', content: 'How are you?' }
const HOUR_MS = 3_600_000

const connectUser = () => connectWriter(app, sink)

async function schedule({ token }: TestUser, inMs: number): Promise<void> {
  const schedule_at = new Date(app.clock.now().getTime() + inMs).toISOString()
  expect((await call(app.url, emails.send, { token, body: { ...MAIL, schedule_at } })).status).toBe(200)
}

/** Schedules emails, and returns a function that makes all of them due at once, however long scheduling took. */
async function scheduleLater(user: TestUser, count: number): Promise<() => Promise<unknown>> {
  for (let each = 0; each < count; each++) await schedule(user, HOUR_MS)
  const at = app.clock.now()
  return () =>
    runSql(app.context.db, `UPDATE emails SET schedule_at = $2 WHERE user_id = $1 AND folder = 'scheduled'`, [
      user.id,
      at,
    ])
}

test('a slow server gets an email that a person waits for only once', async () => {
  const { token } = await connectUser()
  sink.setScript(({ step }) => (step === 'connect' || step === 'dot' ? { waitMs: 3500 } : undefined))
  const { body } = await call(app.url, emails.send, { token, body: MAIL })
  expect(body.delivery?.state).toBe('sent')
  await expect.poll(() => sink.connections.open).toBe(0)
  expect(sink.count).toBe(1)
})

test('an email accepted after its worker was taken for dead is not sent again', async () => {
  const user = await connectUser()
  const answer = Promise.withResolvers<void>()
  sink.setScript(({ step }) => (step === 'dot' ? { until: answer.promise } : undefined))
  const { db, workerId } = app.context
  const state = async (tx: Queryable = db) => {
    const { rows } = await runSql(tx, 'SELECT state FROM deliveries WHERE user_id = $1', [user.id])
    return (rows as { state: string }[])[0]?.state
  }
  await schedule(user, 300)
  await expect.poll(() => state(), { interval: 20 }).toBe('committed')
  await inTransaction(db, async (tx) => {
    await leave(tx, workerId)
    // In one transaction, so that the worker cannot renew its lease first. A mailbox that it has just locked is skipped.
    const freeClaims = async () => {
      await freeOrphanedClaims(tx, new Date(app.clock.now().getTime() + HOUR_MS))
      return state(tx)
    }
    await expect.poll(freeClaims, { interval: 20 }).toBe('unsure')
  })
  answer.resolve()
  await expect.poll(() => state()).toBe('sent')
  expect(sink.count).toBe(1)
})

test.each([
  ['are paused', `send_pause_until = $2, last_error = 'Not now'`],
  ['were disconnected', `disconnected_at = $2::timestamptz - interval '1 day', is_primary = false`],
])('accounts that %s do not hold up other accounts', async (_, change) => {
  const { db } = app.context
  // More accounts than one process sends from at once, each with a mail. They come first.
  const other = await connectUser()
  const makeOthersDue = await scheduleLater(other, 45)
  await runSql(
    db,
    `INSERT INTO mailboxes (user_id, is_primary, address, smtp_host, smtp_port, created_at)
     SELECT user_id, false, n || address, smtp_host, smtp_port, created_at
     FROM mailboxes, generate_series(1, 44) AS n WHERE user_id = $1`,
    [other.id],
  )
  const { rows } = await runSql(
    db,
    `UPDATE emails e SET mailbox_id = m.id
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM mailboxes WHERE user_id = $1) m
     JOIN (SELECT id AS email_id, row_number() OVER (ORDER BY id) AS n FROM emails
       WHERE user_id = $1 AND folder = 'scheduled') USING (n)
     WHERE e.user_id = $1 AND e.id = email_id RETURNING m.id`,
    [other.id],
  )
  expect(rows).toHaveLength(45)
  await runSql(db, `UPDATE mailboxes SET ${change} WHERE user_id = $1 AND $2::timestamptz IS NOT NULL`, [
    other.id,
    new Date(app.clock.now().getTime() + HOUR_MS),
  ])
  await makeOthersDue()
  const user = await connectUser()
  const makeDue = await scheduleLater(user, 1)
  await makeDue()
  await expect.poll(() => sink.received.map(({ envelope }) => envelope.to)).toEqual([[MAIL.to]])
})

test('an email that waited for the right password leaves soon after it is entered', async () => {
  const user = await connectUser()
  sink.setScript(({ step }) => (step === 'auth' ? { reply: '535 5.7.8 Wrong password' } : undefined))
  await schedule(user, 500)
  const settings = () => call(app.url, mailboxes.get, { token: user.token })
  await expect.poll(async () => (await settings()).body.last_error).toMatch(/password/i)
  sink.setScript(undefined)
  await call(app.url, mailboxSetup.save, { token: user.token, body: { smtp_password: 'the right one' } })
  // The failed email is tried again after a minute. The account itself would have paused for fifteen.
  app.clock.forward(90_000)
  // The failed attempt may still be ending and look again some seconds later, so the clock goes on a little.
  const aSecondLater = () => {
    app.clock.forward(1000)
    return sink.count
  }
  await expect.poll(aSecondLater, { interval: 100 }).toBe(1)
})

test('a server that complains about too many connections after an email gets the rest over fewer', async () => {
  const user = await connectUser()
  let [refused, allowed] = [0, 3]
  sink.setScript(({ step }) => {
    if (step !== 'dot' || sink.connections.open <= allowed) return undefined
    refused += 1
    return { reply: '432 4.3.2 Concurrent connections limit exceeded' }
  })
  const makeDue = await scheduleLater(user, 40)
  await makeDue()
  await expect.poll(() => sink.count + refused).toBe(40)
  expect(refused).toBeGreaterThan(0)
  await expect.poll(() => sink.connections.open).toBe(0)
  // Of ten connections each complaint has ended one; so many and no more are opened from now on.
  allowed = Math.max(allowed, 10 - refused)
  // Deferred emails are tried again after a minute, over fewer connections. The account is not paused.
  app.clock.forward(70_000)
  await expect.poll(() => sink.count).toBe(40)
  expect([...sink.byMessageId.values()].filter((times) => times.length !== 1)).toEqual([])
  const settings = await call(app.url, mailboxes.get, { token: user.token })
  expect(settings.body.last_error).toBeNull()
})

test('progress is not published again while a slow database is still busy with it', async () => {
  const user = await connectUser()
  sink.setScript(({ step }) => (step === 'dot' ? { waitMs: 200 } : undefined))
  const makeDue = await scheduleLater(user, 60)
  const { db } = app.context
  // Other tests use databases of their own on the same server.
  const waiting = async () => {
    const { rows } = await runSql(
      db,
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
      ['%finalized AS%'],
    )
    return rows.length
  }
  // The progress of Howl's own mail about the new account would wait as well. Mails of earlier tests may lie for ever.
  const notices = () =>
    runSql(db, `SELECT FROM system_mails WHERE to_address = $1 AND state IN ('waiting', 'sending')`, [
      user.email,
    ])
  await expect.poll(async () => (await notices()).rows.length).toBe(0)
  const most = await inTransaction(db, async (tx) => {
    // The user's own rows only: accounts of earlier tests may still be ending their runs.
    await runSql(
      tx,
      `INSERT INTO mail_activity (user_id, at, source)
       SELECT $1, date_bin('1 hour', $2::timestamptz, 'epoch') + n * interval '1 hour', 'left' FROM generate_series(0, 1) AS n
       ON CONFLICT (user_id, at, source) DO UPDATE SET sent = mail_activity.sent`,
      [user.id, app.clock.now()],
    )
    await makeDue()
    await expect.poll(() => sink.count).toBe(60)
    await expect.poll(waiting).toBeGreaterThan(0)
    return waiting()
  })
  expect(most).toBe(1)
  const finalized = () => runSql(db, 'SELECT FROM deliveries WHERE user_id = $1 AND queue IS NULL', [user.id])
  await expect.poll(async () => (await finalized()).rows.length).toBe(60)
})
