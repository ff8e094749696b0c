import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { emails } from '#contract/mail/emails.ts'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { DEFAULT_REMINDERS, paymentReminders, type Reminder } from '#contract/invoicing/payment-reminders.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { startDelivering } from '#server/mail/emails/delivery/delivery-loop.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { noteSent } from '#server/invoicing/invoices/invoices.ts'
import { call } from '../../../tests/support/client.ts'
import type { TestUser } from '../../../tests/support/factories.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter, header, parsed } from '../../../tests/support/writing.ts'
import { planReminders } from './plan-reminders.ts'
import { clearWithdrawn, sendDueReminders } from './send-reminders.ts'
import { planOne, takePlanWork } from './store.ts'
import { until } from '../../../tests/support/until.ts'

let app: TestApp
let sink: SmtpSink
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({
    loops: startDelivering,
    environment: { PUBLIC_URL: 'https://howl.muster.example', ALLOW_PRIVATE_MAIL_HOSTS: 'on' },
  })
  app.clock.stand()
  sink = await startSmtpSink()
})
let turn = 0
beforeEach(async () => {
  // Every test begins on 1 February, at noon in Berlin, of a later year, which is no leap year.
  turn += 1
  await goTo('02-01T11:00:00Z')
  ada = await connectWriter(app, sink)
})
afterEach(async () => {
  // What this test has planned does not arrive in the next one.
  for (const statement of [
    'UPDATE payment_reminder_settings SET is_on = false',
    `UPDATE payment_reminders SET state = 'stopped' WHERE state = 'upcoming'`,
  ])
    await runSql(app.context.db, statement, [])
  sink.clear()
  sink.setScript(undefined)
})
afterAll(async () => {
  await app?.end()
  await sink?.stop()
})

const year = () => 2027 + 4 * turn
const day = (date: string) => `${year()}-${date}`
async function goTo(instant: string) {
  app.clock.forward(Date.parse(day(instant)) - app.clock.now().getTime())
}
/** Three workers look at once, at this instant. */
async function at(instant: string) {
  await goTo(instant)
  const { body } = await call(app.url, auth.login, { body: { email: ada.email, password: ada.password } })
  ada.token = body.token
  await work()
}
async function work() {
  await Promise.all([1, 2, 3].map(() => planReminders(app.context)))
  await Promise.all([1, 2, 3].map(() => sendDueReminders(app.context)))
}
/** Mails that have arrived, once none is on its way. */
async function arrived() {
  await until(async () => {
    const { rows } = await runSql(
      app.context.db,
      `SELECT count(*) AS n FROM deliveries WHERE user_id = $1 AND state NOT IN ('sent', 'failed')`,
      [ada.id],
    )
    expect((rows[0] as { n: number }).n).toBe(0)
  })
  return Promise.all(sink.received.map(parsed))
}
const subjects = async () => (await arrived()).map(({ subject }) => subject)

const as = (id?: number) => ({
  token: ada.token,
  headers: { 'X-User-Timezone': 'Europe/Berlin' },
  ...(id === undefined ? {} : { params: { id } }),
})
const save = (body: BodyInput<typeof paymentReminders.saveSettings>) =>
  call(app.url, paymentReminders.saveSettings, { ...as(), body })
const switchOn = () => save({ on: true })
async function issued(fields: BodyInput<typeof invoices.add> = {}) {
  const body = anInvoice({
    seller: { name: 'Ada Muster', business_name: 'Muster Bakery' },
    buyer: { name: 'Bea Kim', business_name: 'Bea Ltd', email: 'bea@far.example' },
    issue_date: day('02-01'),
    due_date: day('02-20'),
    ...fields,
  })
  const draft = await call(app.url, invoices.add, { ...as(), body })
  const answer = await call(app.url, invoices.issue, as(draft.body.id))
  expect(answer.status).toBe(200)
  const now = app.clock.now()
  await inTransaction(app.context.db, (tx) => noteSent(tx, ada.id, answer.body.id, now, now))
  await planReminders(app.context)
  return answer.body
}
/** Sends an invoice by email, and forgets that mail. */
async function mailed(id: number, to: string, cc = '') {
  const { subject, text } = (await call(app.url, invoiceMail.proposal, as(id))).body
  const answer = await call(app.url, invoiceMail.send, { ...as(id), body: { to, cc, subject, text } })
  expect(answer.status).toBe(200)
  sink.clear()
}
/** Every recipient is put off, or refused for good. */
const answerRecipients = (reply: string) =>
  sink.setScript(({ step: at }) => (at === 'rcpt' ? { reply } : undefined))
const GREYLISTED = '451 4.7.1 Greylisted'
const pay = (id: number, amount: string) =>
  call(app.url, invoices.addPayment, { ...as(id), body: { amount } })
const of = async (id: number) => (await call(app.url, paymentReminders.ofInvoice, as(id))).body.reminders
const states = async (id: number) => (await of(id)).map(({ days, state }) => `${days} ${state}`)
const step = async (id: number, days: number) => (await of(id)).find((one) => one.days === days) as Reminder
const update = (id: number, body: BodyInput<typeof paymentReminders.update>) =>
  call(app.url, paymentReminders.update, { ...as(id), body })
const sendNow = (id: number) => call(app.url, paymentReminders.send, as(id))

describe('reminders', () => {
  test('are off until somebody switches them on', async () => {
    const { id } = await issued()
    expect((await call(app.url, paymentReminders.settings, as())).body).toEqual(DEFAULT_REMINDERS)
    expect((await call(app.url, paymentReminders.ofInvoice, as(id))).body).toEqual({
      on: false,
      on_here: true,
      reminders: [],
    })
    await at('03-20T12:00:00Z')
    expect(await subjects()).toEqual([])
  })

  test('are shown with their words, and leave at their hour in the invoice’s conversation, each once', async () => {
    await switchOn()
    const { id, number } = await issued()
    const { to, subject, text } = (await call(app.url, invoiceMail.proposal, as(id))).body
    await call(app.url, invoiceMail.send, { ...as(id), body: { to, subject, text } })
    expect((await of(id)).map(({ days, send_at, state }) => `${days} ${send_at} ${state}`)).toEqual([
      `-3 ${day('02-17')}T08:00:00.000Z upcoming`,
      `3 ${day('02-23')}T08:00:00.000Z upcoming`,
      `7 ${day('02-27')}T08:00:00.000Z upcoming`,
      `14 ${day('03-06')}T08:00:00.000Z upcoming`,
    ])
    const { url } = (await call(app.url, invoiceMail.link, as(id))).body
    const first = await step(id, -3)
    expect(first).toMatchObject({
      to: 'bea@far.example',
      subject: `Reminder: invoice ${number}`,
      edited: false,
    })
    expect(first.text).toBe(
      [
        'Hello Bea Kim,',
        `this is a friendly reminder that invoice ${number} is due on 20 Feb ${year()}. The amount due is $230.00.`,
        'The invoice is attached again.',
        `You can also view it here:\n${url}`,
        'If you have paid in the meantime, please ignore this email.',
        'Kind regards\nMuster Bakery',
      ].join('\n\n'),
    )
    expect((await call(app.url, paymentReminders.list, as())).body.map((one) => one.days)).toEqual([
      -3, 3, 7, 14,
    ])

    await at('02-17T07:59:59Z')
    expect(await arrived()).toHaveLength(1)
    await at('02-17T08:00:00Z')
    await work()
    const [invoice, reminder, ...others] = await arrived()
    expect(others).toEqual([])
    expect(reminder?.text?.trim()).toBe(first.text)
    expect(reminder?.inReplyTo).toBe(invoice?.messageId)
    expect(reminder?.attachments.map(({ filename }) => filename)).toEqual([`invoice-${number}.pdf`])
    expect(header(sink.received[1], 'List-Unsubscribe')).toBeUndefined()
    expect(await step(id, -3)).toMatchObject({ state: 'sent', text: first.text, to: 'bea@far.example' })
    expect((await call(app.url, invoiceMail.mails, as(id))).body.map(({ kind }) => kind)).toEqual([
      'reminder',
      'document',
    ])

    await pay(id, '30')
    await at('02-23T08:00:00Z')
    const mails = await arrived()
    expect(mails).toHaveLength(3)
    expect(mails[2]?.text).toContain(`was due on 20 Feb ${year()}, and $200.00 is still open`)
  })

  test.each([
    ['paid', async (id: number) => void (await pay(id, '230')), 'The invoice has been paid'],
    [
      'paid in parts',
      async (id: number) => {
        await pay(id, '100')
        await pay(id, '130')
      },
      'The invoice has been paid',
    ],
    [
      'taken back by a credit note',
      async (id: number) => {
        const note = (await call(app.url, invoices.credit, as(id))).body.id
        await call(app.url, invoices.issue, as(note))
      },
      'A credit note has taken the invoice back',
    ],
  ])('stop when the invoice is %s', async (_how, settle, reason) => {
    await switchOn()
    const { id } = await issued()
    await settle(id)
    await at('03-20T12:00:00Z')
    expect(await subjects()).toEqual([])
    expect(new Set((await of(id)).map((one) => `${one.state} ${one.reason}`))).toEqual(
      new Set([`stopped ${reason}`]),
    )
    // Nobody sends one by hand either.
    expect((await sendNow((await step(id, 3)).id)).status).toBe(409)
    expect(await subjects()).toEqual([])
  })

  test('go on when a payment turns out to be a mistake', async () => {
    await switchOn()
    const { id } = await issued()
    const { payments } = (await pay(id, '230')).body
    await planReminders(app.context)
    expect(await states(id)).toEqual(['-3 stopped', '3 stopped', '7 stopped', '14 stopped'])
    const params = { id, payment_id: payments[0]?.id ?? 0 }
    await call(app.url, invoices.removePayment, { token: ada.token, params })
    await planReminders(app.context)
    await at('02-17T08:00:00Z')
    expect(await subjects()).toHaveLength(1)
    expect(await states(id)).toEqual(['-3 sent', '3 upcoming', '7 upcoming', '14 upcoming'])
  })

  test('that wait for the mail server are taken back by the payment', async () => {
    await switchOn()
    const { id } = await issued()
    sink.setScript(({ step: at }) => (at === 'rcpt' ? { reply: '451 4.7.1 Greylisted' } : undefined))
    await at('02-17T08:00:00Z')
    await expect.poll(() => deliveryStates()).toEqual(['deferred'])
    await pay(id, '230')
    expect(await waiting()).toEqual([])
    sink.setScript(undefined)
    await at('02-18T08:00:00Z')
    await clearWithdrawn(app.context)
    expect(await subjects()).toEqual([])
    expect(await step(id, -3)).toMatchObject({ state: 'stopped', reason: 'Nothing is left to pay' })
    // What never left stands nowhere among the mails.
    for (const folder of ['sent', 'drafts'] as const)
      expect((await call(app.url, emails.list, { ...as(), query: { folder } })).body).toEqual([])
  })

  test('that wait for the mail server leave once, with the new amount, after a part payment', async () => {
    await switchOn()
    const { id } = await issued()
    answerRecipients(GREYLISTED)
    await at('02-17T08:00:00Z')
    await expect.poll(() => deliveryStates()).toEqual(['deferred'])
    await pay(id, '30')
    expect(await waiting()).toEqual([])
    sink.setScript(undefined)
    await clearWithdrawn(app.context)
    await work()
    const mails = await arrived()
    expect(mails.map(({ text }) => /\$\d+\.\d\d/.exec(text ?? '')?.[0])).toEqual(['$200.00'])
    expect((await step(id, -3)).state).toBe('sent')
  })

  test('that were taken back are not sent again from Sent', async () => {
    await switchOn()
    const { id } = await issued()
    answerRecipients(GREYLISTED)
    await at('02-17T08:00:00Z')
    await expect.poll(() => deliveryStates()).toEqual(['deferred'])
    const [mail] = (await call(app.url, emails.list, { ...as(), query: { folder: 'sent' } })).body
    await pay(id, '30')
    sink.setScript(undefined)
    const again = await call(app.url, emails.resend, as(mail?.id))
    // A worker may have cleared it away meanwhile; then there is nothing to send.
    if (again.status !== 400)
      expect([again.status, again.error.detail]).toEqual([
        409,
        'This email can no longer be sent: what it says is out of date.',
      ])
    expect(await subjects()).toEqual([])
  })

  test('that were taken back keep the user’s words, with what is open now', async () => {
    await switchOn()
    const { id } = await issued()
    const own = { subject: 'One word', text: 'Dear Bea, {{amount}} please.' }
    const reminder = await step(id, -3)
    await update(reminder.id, own)
    answerRecipients(GREYLISTED)
    expect((await sendNow(reminder.id)).body).toMatchObject({ state: 'waiting' })
    const { payments } = (await pay(id, '230')).body
    await clearWithdrawn(app.context)
    const params = { id, payment_id: payments[0]?.id ?? 0 }
    await call(app.url, invoices.removePayment, { token: ada.token, params })
    await pay(id, '30')
    await planReminders(app.context)
    expect(await step(id, -3)).toMatchObject({
      state: 'upcoming',
      text: 'Dear Bea, $200.00 please.',
      template: own,
      edited: true,
      send_at: `${day('02-17')}T08:00:00.000Z`,
    })
  })

  test('that wait say so; those that were refused are sent by hand', async () => {
    await switchOn()
    const { id } = await issued()
    answerRecipients(GREYLISTED)
    await at('02-17T08:00:00Z')
    await expect.poll(() => deliveryStates()).toEqual(['deferred'])
    const reminder = await step(id, -3)
    expect(reminder).toMatchObject({ state: 'waiting', reason: expect.stringContaining('Greylisted') })
    expect((await sendNow(reminder.id)).body.state).toBe('waiting')
    expect((await update(reminder.id, { text: 'Other words' })).status).toBe(409)

    answerRecipients('550 5.7.1 Not today')
    const other = await issued({ due_date: day('02-21') })
    await at('02-18T08:00:00Z')
    await until(async () => expect((await step(other.id, -3)).state).toBe('stopped'))
    sink.setScript(undefined)
    const refused = await step(other.id, -3)
    expect(refused.reason).toContain('Not today')
    expect((await update(refused.id, { subject: 'Once more', text: 'Dear Bea' })).status).toBe(200)
    expect((await sendNow(refused.id)).body).toMatchObject({ state: 'sent', subject: 'Once more' })
    expect(await subjects()).toContain('Once more')
  })

  test('that cannot leave let others go first', async () => {
    await switchOn()
    await save({ days_before: [3, 2] })
    const { id } = await issued()
    // The second says the same as the first, which still waits.
    answerRecipients(GREYLISTED)
    await at('02-17T08:00:00Z')
    await at('02-18T08:00:00Z')
    expect((await step(id, -3)).state).toBe('waiting')
    const { rows } = await runSql(
      app.context.db,
      `SELECT days FROM payment_reminders WHERE user_id = $1 AND state = 'upcoming' AND due_at <= $2`,
      [ada.id, app.clock.now()],
    )
    expect(rows).toEqual([])
    sink.setScript(undefined)
    // What waits leaves now, and not in the next test.
    await at('02-19T08:00:00Z')
    await arrived()
  })

  test('go to whoever got the invoice', async () => {
    await switchOn()
    const { id } = await issued()
    await mailed(id, 'Office <office@far.example>', 'boss@far.example')
    expect(await step(id, -3)).toMatchObject({ to: 'Office <office@far.example>', cc: 'boss@far.example' })
    await at('02-17T08:00:00Z')
    await arrived()
    expect(sink.received.map(({ envelope }) => envelope.to)).toEqual([
      ['office@far.example', 'boss@far.example'],
    ])
  })

  test('are only of invoices that were sent by email', async () => {
    await switchOn()
    const { id } = await issued()
    await inTransaction(app.context.db, (tx) => noteSent(tx, ada.id, id, null, app.clock.now()))
    await planReminders(app.context)
    await at('02-17T08:00:00Z')
    expect(await subjects()).toEqual([])
    expect(await step(id, 3)).toMatchObject({
      state: 'stopped',
      reason: 'The invoice has not been sent by email',
    })
    await mailed(id, 'bea@far.example')
    await planReminders(app.context)
    expect(await states(id)).toEqual(['-3 stopped', '3 upcoming', '7 upcoming', '14 upcoming'])
  })

  test('are planned with settings that are being changed, not before', async () => {
    const { id } = await issued()
    const { db } = app.context
    await planOne(db, ada.id, id)
    await inTransaction(db, async (tx) => {
      await planOne(tx, ada.id, id)
      // Whoever took it now would plan with the settings of before.
      const work = { user_id: ada.id, invoice_id: id }
      expect(await inTransaction(db, (other) => takePlanWork(other, work))).toBe(false)
    })
    const { rows } = await runSql(db, 'SELECT FROM payment_reminder_work WHERE user_id = $1', [ada.id])
    expect(rows).toHaveLength(1)
  })

  test('that are about to leave are taken back by the payment', async () => {
    await switchOn()
    const { id } = await issued()
    const release = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    sink.setScript(({ step: at }) => {
      // The mail is claimed. Once the account is let in, the mark is written while the envelope travels.
      if (at !== 'auth') return undefined
      reached.resolve()
      return { until: release.promise }
    })
    await at('02-17T08:00:00Z')
    await reached.promise
    await pay(id, '230')
    release.resolve()
    expect(await subjects()).toEqual([])
    expect(await waiting()).toEqual([])
  })

  test('that meet a payment at the same moment either left before it or never leave', async () => {
    await switchOn()
    const all: Awaited<ReturnType<typeof issued>>[] = []
    for (let n = 0; n < 12; n++) all.push(await issued())
    await goTo('02-17T08:00:00Z')
    const { body } = await call(app.url, auth.login, { body: { email: ada.email, password: ada.password } })
    ada.token = body.token
    const sending = Promise.all([1, 2].map(() => sendDueReminders(app.context)))
    for (const { id } of all) expect((await pay(id, '230')).status).toBe(200)
    await sending
    await until(async () => {
      await clearWithdrawn(app.context)
      const mails = await subjects()
      for (const { id, number } of all) {
        const { state } = await step(id, -3)
        const copies = mails.filter((subject) => subject === `Reminder: invoice ${number}`)
        expect(copies).toHaveLength(state === 'sent' ? 1 : 0)
      }
    })
  })

  test('do not come three at once after the server was off', async () => {
    await switchOn()
    const { id } = await issued()
    await at('02-28T12:00:00Z')
    expect(await subjects()).toHaveLength(1)
    expect(await states(id)).toEqual(['-3 passed', '3 passed', '7 sent', '14 upcoming'])
    expect(await step(id, 3)).toMatchObject({ reason: 'A later reminder was due as well' })
    // One for the days before the due date is of no use after it.
    const other = await issued({ issue_date: day('02-28'), due_date: day('03-10') })
    await save({ days_after: [90] })
    await at('03-12T12:00:00Z')
    expect(await step(other.id, -3)).toMatchObject({ state: 'passed', reason: 'Its day had passed' })
  })

  test('are to be seen for a day before they leave', async () => {
    const late = await issued({ issue_date: day('01-01'), due_date: day('01-20') })
    const { id } = await issued({ due_date: day('02-05') })
    await switchOn()
    await planReminders(app.context)
    // Tomorrow at nine would be less than a day from now.
    expect((await step(id, -3)).send_at).toBe(`${day('02-02')}T11:00:00.000Z`)
    // What is late already is not caught up with: only what is still to come.
    expect(await states(late.id)).toEqual(['14 upcoming'])

    await goTo('02-02T10:00:00Z')
    await save({ text_before: 'Please pay {{number}}' })
    await at('02-02T11:00:00Z')
    expect(await subjects()).toEqual([])
    expect(await step(id, -3)).toMatchObject({ send_at: `${day('02-03')}T10:00:00.000Z`, state: 'upcoming' })
    await at('02-03T10:00:00Z')
    const texts = (await arrived()).map(({ text }) => text?.trim())
    expect((await step(id, -3)).state).toBe('sent')
    expect(texts).toContainEqual(expect.stringMatching(/^Please pay INV-/))
  })

  test('are skipped, taken back into the plan, and worded for one invoice', async () => {
    await switchOn()
    const { id } = await issued()
    const first = await step(id, -3)
    expect((await update(first.id, { skipped: true })).body).toMatchObject({ state: 'skipped' })
    await at('02-17T08:00:00Z')
    expect(await subjects()).toEqual([])
    const second = await step(id, 3)
    await update(second.id, { skipped: true })
    await update(second.id, { skipped: false })
    const words = { subject: 'One word', text: 'Dear Bea, {{amount}} please.' }
    expect((await update(second.id, words)).body).toMatchObject({
      edited: true,
      text: 'Dear Bea, $230.00 please.',
      template: words,
    })
    await at('02-23T08:00:00Z')
    expect((await arrived()).map((mail) => [mail.subject, mail.text?.trim()])).toEqual([
      ['One word', 'Dear Bea, $230.00 please.'],
    ])
    expect((await update(second.id, { skipped: true })).status).toBe(409)
  })

  test('are sent at once, however often that is pressed', async () => {
    await switchOn()
    const { id } = await issued()
    const { id: first } = await step(id, -3)
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendNow(first)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.map(({ body }) => body.state)).toContain('sent')
    expect((await step(id, -3)).state).toBe('sent')
    await at('02-17T08:00:00Z')
    expect(await subjects()).toHaveLength(1)
    expect((await sendNow(987_654_321)).status).toBe(404)
  })

  test('are switched off for one invoice, or for all', async () => {
    await switchOn()
    const one = await issued()
    const other = await issued()
    const off = await call(app.url, paymentReminders.switchInvoice, { ...as(one.id), body: { on: false } })
    expect(off.body).toMatchObject({ on: true, on_here: false })
    await at('02-17T08:00:00Z')
    expect(await subjects()).toEqual([`Reminder: invoice ${other.number}`])
    expect((await step(one.id, 3)).reason).toBe('Switched off for this invoice')
    await call(app.url, paymentReminders.switchInvoice, { ...as(one.id), body: { on: true } })
    expect(await states(one.id)).toEqual(['-3 stopped', '3 upcoming', '7 upcoming', '14 upcoming'])
    await save({ on: false })
    await at('03-20T08:00:00Z')
    expect(await subjects()).toHaveLength(1)
    expect((await step(other.id, 3)).reason).toBe('Reminders are switched off')
  })

  test('stop at an address that does not exist, and say so', async () => {
    await switchOn()
    const { id } = await issued()
    await runSql(
      app.context.db,
      `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, 'bea@far.example', 'bounced', $2)`,
      [ada.id, app.clock.now()],
    )
    await at('02-17T08:00:00Z')
    expect(await subjects()).toEqual([])
    expect(await step(id, -3)).toMatchObject({
      state: 'stopped',
      reason: expect.stringContaining('bea@far.example'),
    })
  })

  test('reach a customer who has unsubscribed from advertising', async () => {
    await switchOn()
    await issued()
    await runSql(
      app.context.db,
      `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, 'bea@far.example', 'unsubscribed', $2)`,
      [ada.id, app.clock.now()],
    )
    await at('02-17T08:00:00Z')
    expect(await subjects()).toHaveLength(1)
  })

  test('do not leave without an account, nor into practice', async () => {
    await switchOn()
    const one = await issued()
    await call(app.url, mailboxSetup.practice, { token: ada.token })
    const byHand = await sendNow((await step(one.id, 3)).id)
    expect([byHand.status, byHand.error.detail]).toEqual([
      409,
      'The practice mailbox is in use. Reminders leave from an account of your own.',
    ])
    expect(await states(one.id)).toContain('3 upcoming')
    await at('02-17T08:00:00Z')
    expect((await step(one.id, -3)).reason).toMatch(/^The practice mailbox is in use/)
    expect(sink.received).toEqual([])
  })

  test('wait while the account is deleted or its mail paused', async () => {
    await switchOn()
    const { id } = await issued()
    const pauseAt = (when: Date | null) =>
      runSql(app.context.db, 'UPDATE users SET mail_paused_at = $2 WHERE id = $1', [ada.id, when])
    await pauseAt(app.clock.now())
    await at('02-17T08:00:00Z')
    expect(await states(id)).toContain('-3 upcoming')
    await pauseAt(null)
    await work()
    expect(await subjects()).toHaveLength(1)
  })

  test.each<[string, BodyInput<typeof paymentReminders.saveSettings>, Record<string, string>]>([
    [
      'a day too far',
      { days_after: [91] },
      { 'days_after.0': 'Please enter whole numbers of days from 1 to 90' },
    ],
    [
      'half a day',
      { days_before: [1.5] },
      { 'days_before.0': 'Please enter whole numbers of days from 1 to 90' },
    ],
    ['too many', { days_after: [1, 2, 3, 4, 5, 6] }, { days_after: 'At most 5 reminders' }],
    ['a day twice', { days_after: [3, 3] }, { days_after: 'Please enter each day once' }],
    ['an hour that is none', { hour: 24 }, { hour: 'Please choose an hour from 0 to 23' }],
    ['no words', { text_after: ' ' }, { text_after: 'Please write something' }],
    [
      'a name that is none',
      { subject: 'Pay {{sum}}' },
      {
        subject:
          '{{sum}} is not known. Please use {{name}}, {{number}}, {{amount}}, {{due_date}}, {{sender}}, {{link}}',
      },
    ],
  ])('refuse %s', async (_name, body, fields) => {
    const answer = await save(body)
    expect(answer.status).toBe(400)
    expect(answer.error.fields).toEqual(fields)
  })
})

/** Deliveries that may still leave; one that was taken back is cleared away a moment later. */
const waiting = async () => (await deliveryStates()).filter((state) => state !== 'failed')

async function deliveryStates(): Promise<string[]> {
  const { rows } = await runSql(app.context.db, 'SELECT state FROM deliveries WHERE user_id = $1', [ada.id])
  return (rows as { state: string }[]).map(({ state }) => state)
}

test('what is planned names the contact as long as there is one, and hides no reply', async () => {
  await switchOn()
  const body = { name: 'Bea Kim', email: 'bea@far.example' }
  const { id: contactId } = (await call(app.url, contacts.add, { ...as(), body })).body
  const { number } = await issued({ contact_id: contactId })
  await runSql(
    app.context.db,
    `INSERT INTO correspondents (user_id, address_key, first_sent_at, last_sent_at, replied_at)
     VALUES ($1, 'bea@far.example', $2, $2, $2)`,
    [ada.id, app.clock.now()],
  )
  const sentence = `The reminder for invoice ${number} 3 days before the due date goes out unless it’s paid.`
  expect((await call(app.url, automaticMail.ofContact, as(contactId))).body).toMatchObject({
    why_none: [{ kind: 'replied' }],
    next: { sentence, at: day('02-17T08:00:00.000Z') },
  })
  const next = async () => (await call(app.url, automaticMail.upcoming, as())).body[0]
  expect(await next()).toMatchObject({ contact_id: contactId, name: 'Bea Ltd', sentence, waits: null })
  await call(app.url, contacts.remove, as(contactId))
  expect(await next()).toMatchObject({ contact_id: null, name: 'Bea Ltd' })
  await call(app.url, mailboxSetup.practice, as())
  expect(await next()).toMatchObject({ at: null, waits: 'Can’t be sent while you’re practising' })
})
