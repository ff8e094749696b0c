import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assistant } from '#contract/assistant/assistant.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { paymentReminders } from '#contract/invoicing/payment-reminders.ts'
import { recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '../../../tests/support/client.ts'
import type { TestUser } from '../../../tests/support/factories.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { LOOPS_MS, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter } from '../../../tests/support/writing.ts'
import { inTransaction, runSql } from '../../platform/database/transaction.ts'
import { noteSent } from '../../invoicing/invoices/invoices.ts'
import { deleteAccount, restoreAccount } from '../leaving/leaving.ts'
import { banUser, unbanUser } from './bans.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const ZONE = { 'X-User-Timezone': 'Europe/Berlin' }

let app: TestApp
let sink: SmtpSink

beforeAll(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({
    environment: { PUBLIC_URL: 'https://howl.muster.example', ALLOW_PRIVATE_MAIL_HOSTS: 'on' },
  })
})
afterAll(async () => {
  await app?.end()
  await sink?.stop()
})

const after = (milliseconds: number) => new Date(app.clock.now().getTime() + milliseconds)
const dayOf = (at: Date) => at.toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })
const recipients = () => sink.received.flatMap(({ envelope }) => envelope.to).toSorted()
const madeInvoices = async ({ id }: TestUser) =>
  (await runSql(app.context.db, 'SELECT FROM invoices WHERE user_id = $1 AND recurring_id IS NOT NULL', [id]))
    .rows.length
const bannedFor = (user: TestUser, days: number) =>
  banUser(app.context, { userId: user.id, reason: 'spam', description: 'Spam', days, by: null })

/** A mail that Wolfy has proposed, that is to leave at this time, and that its user has approved. */
async function approveMail(user: TestUser, to: string, at: Date): Promise<void> {
  const { token } = user
  await call(app.url, contacts.add, { token, body: { name: 'Lou Reed', email: to } })
  const asked = await call(app.url, assistant.chat, { token, body: { message: 'Email Lou saying hello' } })
  const proposal = asked.body.result.proposals[0]
  const edited = await call(app.url, assistant.edit, {
    token,
    params: { id: proposal?.id ?? 0 },
    body: { changes: { schedule_at: at.toISOString() } },
  })
  expect(edited.status).toBe(200)
  const { id, hash } = edited.body
  expect((await call(app.url, assistant.approve, { token, params: { id }, body: { hash } })).status).toBe(200)
}

/** Everything of a user that would do something by itself within the next day and a half. */
async function setGoing(user: TestUser): Promise<void> {
  const { token } = user
  const letter = { subject: 'Hello', content: 'Hello' }
  const ok = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBe(200)
  const later = after(5 * MINUTE_MS).toISOString()
  await ok(
    call(app.url, emails.send, {
      token,
      body: { ...letter, to: 'scheduled@far.example', schedule_at: later },
    }),
  )
  await ok(
    call(app.url, emails.send, { token, body: { ...letter, to: 'undoable@far.example', undo_seconds: 30 } }),
  )
  await approveMail(user, 'lou@far.example', after(10 * MINUTE_MS))
  const start = after(2 * DAY_MS + 60 * MINUTE_MS)
  await ok(
    call(app.url, meetings.add, {
      token,
      body: {
        title: 'Call Kim',
        start_time: start.toISOString(),
        end_time: new Date(start.getTime() + 30 * MINUTE_MS).toISOString(),
        type: 'phone',
        attendees: ['kim@far.example'],
        reminder_minutes: 1440,
      },
    }),
  )
  const body = anInvoice({
    buyer: { name: 'Bea Kim', business_name: 'Bea Ltd', email: 'bea@far.example' },
    issue_date: dayOf(after(-9 * DAY_MS)),
    due_date: dayOf(after(-2 * DAY_MS)),
  })
  const as = { token, headers: ZONE }
  await ok(call(app.url, paymentReminders.saveSettings, { ...as, body: { on: true } }))
  const draft = await call(app.url, invoices.add, { ...as, body })
  await ok(call(app.url, invoices.issue, { ...as, params: { id: draft.body.id } }))
  const now = app.clock.now()
  await inTransaction(app.context.db, (tx) => noteSent(tx, user.id, draft.body.id, now, now))
  await ok(
    call(app.url, recurringInvoices.add, {
      ...as,
      body: { invoice_id: draft.body.id, every: 'month', first_on: dayOf(after(DAY_MS)) },
    }),
  )
  const upcoming = async () =>
    (await call(app.url, paymentReminders.ofInvoice, { ...as, params: { id: draft.body.id } })).body.reminders
  await expect.poll(upcoming).not.toEqual([])
}

/** Whoever hears of it once it goes on. */
const ALL = ['bea@far.example', 'lou@far.example', 'scheduled@far.example', 'undoable@far.example']

it('nothing of a banned user goes on by itself, and all of it does, once, when the ban has ended by itself', async () => {
  const user = await connectWriter(app, sink)
  await setGoing(user)
  const { isNew } = await bannedFor(user, 2)
  expect(isNew).toBe(true)
  app.clock.forward(1.95 * DAY_MS)
  await pause(LOOPS_MS)
  expect(recipients()).toEqual([])
  expect(await madeInvoices(user)).toBe(0)

  app.clock.forward(0.05 * DAY_MS + 1000)
  const all = [...ALL, user.email].toSorted()
  await expect.poll(() => recipients().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(all.length)
  await expect.poll(() => madeInvoices(user)).toBe(1)
  await pause(LOOPS_MS)
  expect(recipients()).toEqual(all)
  expect(await madeInvoices(user)).toBe(1)
}, 90_000)

it('a ban and the pause of a restored account are apart: the end of one does not end the other', async () => {
  sink.clear()
  const user = await connectWriter(app, sink)
  const { token } = user
  const later = after(5 * MINUTE_MS).toISOString()
  const body = { to: 'scheduled@far.example', subject: 'Hello', content: 'Hello', schedule_at: later }
  expect((await call(app.url, emails.send, { token, body })).status).toBe(200)
  const origin = { ip: '127.0.0.1', place: '', userAgent: '', timeZone: null, requestId: '' }
  await bannedFor(user, 5)
  await deleteAccount(app.context, user.id, origin)
  await restoreAccount(app.context, user.email)
  await unbanUser(app.context, { userId: user.id, reason: 'A mistake', by: null })
  app.clock.forward(10 * MINUTE_MS)
  await pause(LOOPS_MS)
  expect(recipients()).toEqual([])
  await bannedFor(user, 5)
  await runSql(app.context.db, 'UPDATE users SET mail_paused_at = NULL WHERE id = $1', [user.id])
  await pause(LOOPS_MS)
  expect(recipients()).toEqual([])
  await unbanUser(app.context, { userId: user.id, reason: 'A mistake', by: null })
  await expect.poll(() => recipients()).toHaveLength(1)
}, 60_000)
