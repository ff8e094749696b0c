import { afterAll, beforeAll, expect, it } from 'vitest'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { mailboxesOf } from '#server/mail/mailboxes/mailboxes.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

// Spreading a run over days is advised, and done only where its user chooses it. With default settings and a real mail server;
// only the test moves the clock.

const DAY_MS = 24 * 3_600_000
const MIDDAY = Date.parse('2031-01-13T12:00:00Z')

const clock = movableClock()
let app: TestApp
let sink: SmtpSink

beforeAll(async () => {
  clock.stand()
  clock.forward(MIDDAY - clock.now().getTime())
  app = await startTestApp({ clock })
  sink = await startSmtpSink()
})
afterAll(async () => {
  await app.end()
  await sink.stop()
})

type Sender = TestUser & { mailboxId: number }

/** A user whose account was connected a moment ago, with contacts. */
async function aSender(count: number): Promise<Sender> {
  sink.clear()
  const user = await signUp(app.url)
  const body = mailAccountAt(sink, { from: `${user.username}@muster.example` })
  expect((await call(app.url, mailboxSetup.save, { token: user.token, body })).status).toBe(200)
  const mailboxId = (await mailboxesOf(app.context.db, user.id))[0]?.id ?? 0
  await addContacts(user, count)
  return { ...user, mailboxId }
}

const sql = async (text: string, values: readonly unknown[]) =>
  (await runSql(app.context.db, text, values)).rows as Record<string, unknown>[]

const addContacts = ({ id, username }: TestUser, count: number) =>
  sql(
    `INSERT INTO contacts (user_id, name, email, email_key, created_at, updated_at)
     SELECT $1, 'Person', a, a, now(), now() FROM (
       SELECT gen_random_uuid() || '@' || $2 || '.example' AS a FROM generate_series(1, $3::int)) addresses`,
    [id, username, count],
  )

const run = async ({ token }: Sender, spread?: boolean) =>
  (
    await call(
      app.url,
      outreach.generateAndSend,
      spread === undefined ? { token } : { token, body: { spread } },
    )
  ).body
const current = async ({ token }: Sender) => (await call(app.url, outreach.current, { token })).body
const isDone = (sender: Sender) => expect.poll(async () => (await current(sender))?.state).toBe('done')
const advice = async ({ token }: Sender) => (await call(app.url, outreach.estimate, { token })).body.spread
const account = async ({ token }: Sender) => (await call(app.url, automaticMail.accounts, { token })).body[0]

it('a run without a body sends to all on the day on which the account was connected', async () => {
  const sender = await aSender(200)
  expect(await account(sender)).toMatchObject({ warm_up: false, ceiling: null })
  await run(sender)
  await sink.waitFor(200)
  await isDone(sender)
  expect(await current(sender)).toMatchObject({ waits: null, summary: { sent: 200, skipped: 0, pending: 0 } })
  expect(new Set(sink.received.flatMap(({ envelope }) => envelope.to)).size).toBe(200)
})

it('a run without a body sends to all from an account that begins with few, too', async () => {
  const sender = await aSender(25)
  const on = { params: { id: sender.mailboxId }, body: { warm_up: true } }
  await call(app.url, automaticMail.saveAccount, { token: sender.token, ...on })
  await run(sender)
  await sink.waitFor(25)
  await isDone(sender)
})

it('a run that is spread keeps to the ceilings, day by day', async () => {
  const sender = await aSender(60)
  const started = run(sender, true)
  for (const [before, today] of [
    [0, 20],
    [20, 30],
  ] as const) {
    await sink.waitFor(before + today)
    await expect
      .poll(async () => (await current(sender))?.waiting_for)
      .toBe(`This address is new: ${today} mails today. It goes on tomorrow.`)
    expect(sink.count).toBe(before + today)
    expect(await account(sender)).toMatchObject({ warm_up: true, ceiling: today, sent_today: today })
    clock.forward(DAY_MS)
  }
  await started
  await sink.waitFor(60)
  await isDone(sender)
  expect(await current(sender)).toMatchObject({ summary: { sent: 60, skipped: 0, pending: 0 } })
})

it('a spread run whose user does not want to wait any more goes on at once', async () => {
  const sender = await aSender(22)
  const started = run(sender, true)
  await sink.waitFor(20)
  await started
  await expect.poll(async () => (await current(sender))?.waits?.kind).toBe('warm_up')
  const off = { params: { id: sender.mailboxId }, body: { warm_up: false } }
  await call(app.url, automaticMail.saveAccount, { token: sender.token, ...off })
  await sink.waitFor(22)
})

it('spreading is advised to a new address, and is what the user chose the last time', async () => {
  const sender = await aSender(20)
  // All of them fit into today.
  expect(await advice(sender)).toBe(null)
  await addContacts(sender, 40)
  // 20 today, 30 tomorrow, 10 on the third day.
  expect(await advice(sender)).toEqual({ sent_lately: 0, days: 3, recommended: true, selected: true })
  await run(sender, false)
  await isDone(sender)
  expect(await account(sender)).toMatchObject({ warm_up: false, sent_today: 60 })
  await addContacts(sender, 25)
  // What is sent today is beyond the first ceiling: 25 go tomorrow.
  expect(await advice(sender)).toEqual({ sent_lately: 60, days: 2, recommended: true, selected: false })
  const started = run(sender, true)
  await expect.poll(async () => (await current(sender))?.waits?.kind).toBe('warm_up')
  expect(await account(sender)).toMatchObject({ warm_up: true })
  expect(await advice(sender)).toMatchObject({ selected: true })
  await call(app.url, outreach.cancel, {
    token: sender.token,
    params: { id: (await current(sender))?.batch_id ?? 0 },
  })
  await started
  // Turning it off for the account is a choice, too.
  const off = { params: { id: sender.mailboxId }, body: { warm_up: false } }
  await call(app.url, automaticMail.saveAccount, { token: sender.token, ...off })
  expect(await advice(sender)).toMatchObject({ selected: false })
})

it('an address that has sent for long is not new, though other programs have sent it', async () => {
  const sender = await aSender(50)
  await sql(
    `INSERT INTO emails (user_id, mailbox_id, direction, folder, message_id, thread_id, occurred_at, created_at)
     SELECT $1, $2, 'out', 'sent', 'old' || n, n, $3::timestamptz - n * interval '6 hours', $3
     FROM generate_series(1, 200) n`,
    [sender.id, sender.mailboxId, clock.now()],
  )
  // Those of the last 30 days, four a day.
  expect(await advice(sender)).toEqual({ sent_lately: 120, days: 2, recommended: false, selected: false })
})
