import { afterAll, beforeAll, expect, it } from 'vitest'
import { MAIL_WAITS } from '#contract/operations/leaving.ts'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { enqueueEmails } from '#server/mail/emails/emails.ts'
import { mailboxesOf } from '#server/mail/mailboxes/mailboxes.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

// Runs that wait by the user's rules and go on by themselves, with a real mail server. Only the test moves the clock, and
// each test begins where the one before has left it.

const WORKING = { limited: true, days: [1, 2, 3, 4, 5], from_hour: 8, until_hour: 18 }

const clock = movableClock()
let app: TestApp
let sink: SmtpSink

beforeAll(async () => {
  clock.stand()
  clock.forward(Date.parse('2031-01-11T12:00:00Z') - clock.now().getTime())
  app = await startTestApp({ clock })
  sink = await startSmtpSink()
})
afterAll(async () => {
  await app.end()
  await sink.stop()
})

/** Moves the clock to a time to come. */
const until = (at: string) => clock.forward(Date.parse(at) - clock.now().getTime())
const sql = async (text: string, values: readonly unknown[]) =>
  (await runSql(app.context.db, text, values)).rows as Record<string, unknown>[]

type Sender = TestUser & { mailboxId: number }

/** A user in Berlin with an account and contacts. */
async function aSender(count: number, settings: { hourly_limit?: number } = {}): Promise<Sender> {
  sink.clear()
  sink.setScript(() => undefined)
  const user = await signUp(app.url)
  const body = { ...mailAccountAt(sink, { from: `${user.username}@muster.example` }), ...settings }
  expect((await call(app.url, mailboxSetup.save, { token: user.token, body })).status).toBe(200)
  const mailboxId = (await mailboxesOf(app.context.db, user.id))[0]?.id ?? 0
  await sql(`UPDATE users SET time_zone = 'Europe/Berlin' WHERE id = $1`, [user.id])
  await addContacts(user, count)
  return { ...user, mailboxId }
}

async function addContacts(user: TestUser, count: number, from = 0): Promise<void> {
  for (let index = from; index < from + count; index += 1) {
    const body = { name: `Person ${index}`, email: `person${index}@${user.username}.example` }
    expect((await call(app.url, contacts.add, { token: user.token, body })).status).toBe(200)
  }
}

const run = async ({ token }: Sender) => (await call(app.url, outreach.generateAndSend, { token })).body
const current = async ({ token }: Sender) => (await call(app.url, outreach.current, { token })).body
const stateOf = async (sender: Sender) => (await current(sender))?.state
/** How many mails of the user stand how. */
const deliveries = async ({ id }: Sender) =>
  Object.fromEntries(
    (
      await sql('SELECT state, count(*)::int AS mails FROM deliveries WHERE user_id = $1 GROUP BY 1', [id])
    ).map(({ state, mails }) => [state, mails]),
  )

it('outside the sending hours a run says when it goes on, and goes on by itself', async () => {
  const sender = await aSender(3)
  await call(app.url, automaticMail.saveHours, { token: sender.token, body: WORKING })
  const begun = await run(sender)
  expect(begun).toMatchObject({
    state: 'running',
    waiting_for: 'It is outside your sending hours. It goes on Monday 13 January at 08:00.',
    waits: { kind: 'hours', until: '2031-01-13T07:00:00.000Z', mailbox_id: sender.mailboxId },
    summary: { total: 3, sent: 0, pending: 3 },
  })
  expect(sink.count).toBe(0)
  // Nobody knows whether a pause of all mail ends before the hours begin.
  await sql('UPDATE users SET mail_paused_at = $2 WHERE id = $1', [sender.id, clock.now()])
  expect(await current(sender)).toMatchObject({
    waiting_for: `${MAIL_WAITS}.`,
    waits: null,
    seconds_left: null,
  })
  await sql('UPDATE users SET mail_paused_at = NULL WHERE id = $1', [sender.id])
  until('2031-01-13T06:59:00Z')
  expect((await current(sender))?.waiting_for).toContain('It goes on today at 08:00.')
  until('2031-01-13T07:00:00Z')
  await sink.waitFor(3)
  await expect.poll(() => stateOf(sender)).toBe('done')
})

it('mails that are queued when the hours end wait too, and count on the day on which they leave', async () => {
  // One mail at a time may leave, and none while the clock stands.
  const sender = await aSender(4, { hourly_limit: 60 })
  await call(app.url, automaticMail.saveHours, { token: sender.token, body: WORKING })
  const started = run(sender)
  await sink.waitFor(1)
  until('2031-01-13T17:00:00Z')
  expect((await started).state).toBe('running')
  await expect.poll(async () => (await current(sender))?.waits?.kind).toBe('hours')
  // A mail that was under way at that moment still leaves.
  await expect.poll(async () => Object.keys(await deliveries(sender)).toSorted()).toEqual(['queued', 'sent'])
  const { sent = 0, queued } = await deliveries(sender)
  expect(queued).toBe(4 - Number(sent))
  until('2031-01-14T07:00:00Z')
  // Without hours nothing waits.
  const anyTime = { ...WORKING, limited: false }
  await call(app.url, automaticMail.saveHours, { token: sender.token, body: anyTime })
  for (let mails = sink.count; mails < 4; mails += 1) {
    clock.forward(61_000)
    await sink.waitFor(mails + 1)
  }
  await expect.poll(() => stateOf(sender)).toBe('done')
  const days = `SELECT local_day::text AS day, count(*)::int AS mails FROM automatic_mails WHERE user_id = $1 GROUP BY 1 ORDER BY 1`
  expect(await sql(days, [sender.id])).toEqual([
    { day: '2031-01-13', mails: sent },
    { day: '2031-01-14', mails: 4 - Number(sent) },
  ])
})

it('a mail that waits overnight does not become the second automatic one of its day', async () => {
  const sender = await aSender(3, { hourly_limit: 60 })
  await call(app.url, automaticMail.saveHours, { token: sender.token, body: WORKING })
  const started = run(sender)
  await sink.waitFor(1)
  const evening = new Date(clock.now())
  evening.setUTCHours(17, 0, 0, 0)
  until(evening.toISOString())
  await started
  await expect.poll(async () => (await current(sender))?.waits?.kind).toBe('hours')
  // A sequence takes the morning of one of those that wait.
  await sql(
    `INSERT INTO automatic_mails (user_id, address_key, local_day, contact_id, mailbox_id, source, reserved_at)
    SELECT a.user_id, a.address_key, a.local_day + 1, a.contact_id, a.mailbox_id, 'sequence', a.reserved_at
    FROM automatic_mails a JOIN deliveries d ON d.user_id = a.user_id AND d.email_id = a.email_id
    WHERE a.user_id = $1 AND d.state = 'queued' ORDER BY a.email_id LIMIT 1`,
    [sender.id],
  )
  until(new Date(evening.getTime() + 14 * 3_600_000).toISOString())
  await expect
    .poll(() =>
      sql('SELECT reason FROM outreach_items WHERE user_id = $1 AND state = $2', [sender.id, 'skipped']),
    )
    .toEqual([{ reason: 'Has had an automatic email today' }])
  for (let mails = sink.count; mails < 2; mails += 1) {
    clock.forward(61_000)
    await sink.waitFor(mails + 1)
  }
  await expect.poll(() => stateOf(sender)).toBe('done')
  expect(await deliveries(sender)).toEqual({ sent: 2 })
})

it('stands still at too many bounces, says the figures, and goes on when its owner says so', async () => {
  const sender = await aSender(104)
  // They come last: the account is judged by what has left so far whenever more mails are claimed.
  const others = Promise.withResolvers<void>()
  const noSuchUser = others.promise.then(() => {
    throw Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 })
  })
  noSuchUser.catch(() => {})
  sink.setScript(({ step, address }) =>
    step === 'rcpt' && /^person[0-5]@/.test(address ?? '') ? { until: noSuchUser } : undefined,
  )
  const started = run(sender)
  await expect.poll(() => deliveries(sender)).toMatchObject({ sent: 98 })
  others.resolve()
  await expect.poll(() => stateOf(sender)).toBe('done')
  await started
  expect(await current(sender)).toMatchObject({ summary: { sent: 98, errors: 6 } })

  await addContacts(sender, 2, 200)
  const second = await run(sender)
  expect(second.waits).toEqual({ kind: 'stopped', until: null, mailbox_id: sender.mailboxId })
  expect(second.waiting_for).toMatch(/^Of the last 104 automatic emails from this address, 6 came back\./)
  expect(sink.count).toBe(98)
  const one = { token: sender.token, params: { id: sender.mailboxId } }
  const account = await call(app.url, automaticMail.goOn, one)
  expect(account.body).toMatchObject({ id: sender.mailboxId, stopped: null })
  await sink.waitFor(100)
  await expect.poll(() => stateOf(sender)).toBe('done')
  // The old figures do not stop it again; there is nothing to go on with.
  expect((await call(app.url, automaticMail.goOn, one)).status).toBe(409)
})

it('a run that waits can be paused, resumed and cancelled, and gives back the days of its mails', async () => {
  // A Saturday.
  until('2031-02-01T12:00:00Z')
  const sender = await aSender(2)
  const { token } = sender
  await call(app.url, automaticMail.saveHours, { token, body: WORKING })
  const { batch_id: id } = await run(sender)
  const act = (endpoint: typeof outreach.pause) => call(app.url, endpoint, { token, params: { id } })
  expect((await act(outreach.pause)).body.waiting_for).toBe('You have paused this run.')
  await act(outreach.resume)
  await expect.poll(async () => (await current(sender))?.waits?.kind).toBe('hours')
  expect(sink.count).toBe(0)
  await act(outreach.cancel)
  expect(await sql('SELECT 1 FROM automatic_mails WHERE user_id = $1', [sender.id])).toEqual([])
  await call(app.url, automaticMail.saveHours, { token, body: { ...WORKING, limited: false } })
  await run(sender)
  await sink.waitFor(2)
})

it('a run resumed after the hours, or on another day, sends nothing before its account may', async () => {
  // A Monday.
  until('2031-02-03T16:59:00Z')
  // One mail at a time may leave, and none while the clock stands.
  const sender = await aSender(3, { hourly_limit: 60 })
  const { token } = sender
  await call(app.url, automaticMail.saveHours, { token, body: WORKING })
  const started = run(sender)
  await sink.waitFor(1)
  await expect.poll(() => deliveries(sender)).toEqual({ sent: 1, queued: 2 })
  const id = (await current(sender))?.batch_id ?? 0
  const act = (endpoint: typeof outreach.pause) => call(app.url, endpoint, { token, params: { id } })
  await act(outreach.pause)
  await started
  expect(await deliveries(sender)).toEqual({ sent: 1, held: 2 })
  until('2031-02-03T20:00:00Z')
  await act(outreach.resume)
  await expect.poll(async () => (await current(sender))?.waits?.kind).toBe('hours')
  const tries = `SELECT DISTINCT next_try_at AS at FROM deliveries WHERE user_id = $1 AND state = 'queued'`
  await expect.poll(() => sql(tries, [sender.id])).toEqual([{ at: new Date('2031-02-04T07:00:00Z') }])
  await act(outreach.pause)
  until('2031-02-04T08:00:00Z')
  await act(outreach.resume)
  await sink.waitFor(2)
  clock.forward(61_000)
  await sink.waitFor(3)
  await expect.poll(() => stateOf(sender)).toBe('done')
  const days = 'SELECT local_day::text AS day, mails FROM automatic_mail_days WHERE user_id = $1 ORDER BY 1'
  expect(await sql(days, [sender.id])).toEqual([
    { day: '2031-02-03', mails: 1 },
    { day: '2031-02-04', mails: 2 },
  ])
  const reserved = `SELECT local_day::text AS day, count(*)::int AS mails FROM automatic_mails WHERE user_id = $1 GROUP BY 1 ORDER BY 1`
  expect(await sql(reserved, [sender.id])).toEqual(await sql(days, [sender.id]))
})

it('after days of waiting a run writes to the address of now, and to nobody who has replied meanwhile', async () => {
  // A Saturday.
  until('2031-02-08T12:00:00Z')
  const sender = await aSender(2)
  const { token } = sender
  await call(app.url, automaticMail.saveHours, { token, body: WORKING })
  const people = (await call(app.url, contacts.list, { token, query: { sort: 'name' } })).body
  const [moves, answers] = people.map(({ id }) => id)
  for (const { email } of people)
    await sql(
      `INSERT INTO correspondents (user_id, address_key, first_sent_at, last_sent_at, replied_at, last_received_at)
       VALUES ($1, $2, '2030-06-01', '2030-06-01', '2030-06-02', '2030-06-02')`,
      [sender.id, email],
    )
  const body = { audience: { contact_ids: [moves ?? 0, answers ?? 0] }, write_again: true }
  const begun = await call(app.url, outreach.generateAndSend, { token, body })
  expect(begun.body.waits?.kind).toBe('hours')
  const address = `moved@${sender.username}.example`
  await call(app.url, contacts.update, { token, params: { id: moves ?? 0 }, body: { email: address } })
  await sql(`UPDATE correspondents SET last_received_at = $3 WHERE user_id = $1 AND address_key = $2`, [
    sender.id,
    people[1]?.email,
    clock.now(),
  ])
  until('2031-02-10T07:00:00Z')
  await expect.poll(() => stateOf(sender)).toBe('done')
  expect(sink.received.map(({ envelope }) => envelope.to[0])).toEqual([address])
  const { body: ended } = await call(app.url, outreach.get, { token, params: { id: begun.body.batch_id } })
  expect(ended.results).toMatchObject([
    { email: address, status: 'warning' },
    { status: 'skipped', reason: 'Has replied since the run began' },
  ])
})

it('a follow-up can be unsubscribed from with one click, as a mail of a run can', async () => {
  const sender = await aSender(1)
  await inTransaction(app.context.db, async (tx) => {
    const from = { name: 'Ada', address: 'ada@muster.example' }
    const options = { userId: sender.id, mailboxId: sender.mailboxId, priority: 1 as const, from }
    const mail = {
      to: 'kim@people.example',
      subject: 'Again',
      text: 'Hello again',
      purpose: 'follow_up' as const,
    }
    await enqueueEmails(app.context, tx, options, [mail])
  })
  await sink.waitFor(1)
  const raw = (sink.received[0]?.raw.toString() ?? '').replaceAll(/\r\n\s+/g, ' ')
  const link = /^List-Unsubscribe: .*<(http[^>]+)>/m.exec(raw)?.[1] ?? ''
  expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  const answer = await fetch(`${app.url}${new URL(link).pathname}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(answer.status).toBe(200)
  expect(await sql('SELECT address_key, reason FROM suppressions WHERE user_id = $1', [sender.id])).toEqual([
    { address_key: 'kim@people.example', reason: 'unsubscribed' },
  ])
})
