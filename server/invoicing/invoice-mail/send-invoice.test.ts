import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import { setPlan } from '../../../tests/support/plans.ts'
import { readPdf } from '../../../tests/support/read-pdf.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectTo, connectWriter, header, parsed } from '../../../tests/support/writing.ts'

let app: TestApp
let sink: SmtpSink
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({
    environment: { PUBLIC_URL: 'https://howl.muster.example', ALLOW_PRIVATE_MAIL_HOSTS: 'on' },
  })
  sink = await startSmtpSink()
})
beforeEach(async () => {
  ada = await connectWriter(app, sink)
})
afterEach(() => {
  sink.clear()
  sink.setScript(undefined)
})
afterAll(async () => {
  await app?.end()
  await sink?.stop()
})

const as = (user: TestUser, id: number) => ({ token: user.token, params: { id } })
async function aDraft(fields: BodyInput<typeof invoices.add> = {}) {
  const { body } = await call(app.url, invoices.add, {
    token: ada.token,
    body: anInvoice({
      seller: { name: 'Ada Muster', business_name: 'Muster Bakery' },
      buyer: { name: 'Bea Kim', business_name: 'Bea Ltd', email: 'bea@far.example' },
      due_date: '2199-03-20',
      ...fields,
    }),
  })
  return body
}
async function issued(fields: BodyInput<typeof invoices.add> = {}) {
  const answer = await call(app.url, invoices.issue, as(ada, (await aDraft(fields)).id))
  expect(answer.status).toBe(200)
  return answer.body
}
const proposal = async (id: number) => (await call(app.url, invoiceMail.proposal, as(ada, id))).body
type Words = Partial<BodyInput<typeof invoiceMail.send>>
async function send(id: number, words: Words = {}, headers: Record<string, string> = {}) {
  const { to, subject, text } = await proposal(id)
  return call(app.url, invoiceMail.send, { ...as(ada, id), body: { to, subject, text, ...words }, headers })
}
const get = async (id: number) => (await call(app.url, invoices.get, as(ada, id))).body
const history = async (id: number) => (await call(app.url, invoiceMail.mails, as(ada, id))).body

describe('an issued invoice', () => {
  test('is mailed with its PDF and its link, and counts as sent', async () => {
    const invoice = await issued()
    expect(await proposal(invoice.id)).toMatchObject({
      to: 'bea@far.example',
      subject: `Invoice ${invoice.number} from Muster Bakery`,
      file_name: `invoice-${invoice.number}.pdf`,
      refusal: null,
      again: false,
    })
    const sent = await send(invoice.id)
    expect(sent).toMatchObject({ status: 200, body: { to: 'bea@far.example', delivery: { state: 'sent' } } })
    expect(sink.received[0]?.envelope.to).toEqual(['bea@far.example'])
    const mail = await parsed(sink.received[0])
    expect(mail.subject).toBe(`Invoice ${invoice.number} from Muster Bakery`)
    const { url } = (await call(app.url, invoiceMail.link, as(ada, invoice.id))).body
    expect(url).toMatch(/^https:\/\/howl\.muster\.example\/i\/[\w.-]+$/)
    expect(mail.text?.trim()).toBe(
      [
        'Hello Bea Kim,',
        `please find attached invoice ${invoice.number}.`,
        'Amount due: $230.00\nDue date: 20 Mar 2199',
        `You can view and download it, and find the bank details, here:\n${url}`,
        'If you have any questions, please reply to this email.',
        'Kind regards\nAda Muster\nMuster Bakery',
      ].join('\n\n'),
    )
    // It is no advertising: nobody can unsubscribe from what they owe.
    expect(header(sink.received[0], 'List-Unsubscribe')).toBeUndefined()
    const [file] = mail.attachments
    expect(file).toMatchObject({ filename: `invoice-${invoice.number}.pdf`, mimeType: 'application/pdf' })
    const [page] = await readPdf(new Uint8Array(file?.content as ArrayBuffer))
    expect(page?.text).toContain(invoice.number)
    expect(page?.text).toContain('$230.00')

    expect(await get(invoice.id)).toMatchObject({ status: 'sent', sent_at: expect.any(String) })
    expect(await history(invoice.id)).toMatchObject([
      { email_id: sent.body.id, to: 'bea@far.example', state: 'sent', kind: 'document', practice: false },
    ])
    const inSent = await call(app.url, emails.list, { token: ada.token, query: { folder: 'sent' } })
    expect(inSent.body[0]).toMatchObject({
      subject: mail.subject,
      attachments: [`invoice-${invoice.number}.pdf`],
    })
  })

  test('is sent once, however often Send is pressed', async () => {
    const { id } = await issued()
    const { to, subject, text } = await proposal(id)
    const click = () =>
      call(app.url, invoiceMail.send, { ...as(ada, id), body: { to, subject, text }, headers: {} })
    const answers = await Promise.all(Array.from({ length: 20 }, click))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    await send(id)
    expect(sink.count).toBe(1)
    expect(await history(id)).toHaveLength(1)
    // Other words are another mail.
    expect((await send(id, { text: 'A reminder' })).status).toBe(200)
    expect(sink.count).toBe(2)
  })

  test('a second mail about it answers the first, as does that of its credit note', async () => {
    const { id } = await issued()
    const first = await send(id)
    const second = await send(id, { text: 'Did you get it?', subject: 'Again' })
    const firstId = header(sink.received[0], 'Message-ID')
    expect(header(sink.received[1], 'In-Reply-To')).toBe(firstId)
    expect(second.body.thread_id).toBe(first.body.thread_id)
    const { body: note } = await call(app.url, invoices.credit, as(ada, id))
    await call(app.url, invoices.issue, as(ada, note.id))
    const about = await proposal(note.id)
    expect(about.subject).toMatch(/^Credit note CN-/)
    expect(about.text).toContain('Amount credited: $230.00')
    const third = await send(note.id)
    expect(third.body.thread_id).toBe(first.body.thread_id)
    // It is no follow-up of a sequence.
    const { rows } = await runSql(
      app.context.db,
      'SELECT follow_ups FROM correspondents WHERE user_id = $1 AND address_key = $2',
      [ada.id, 'bea@far.example'],
    )
    expect(rows).toEqual([{ follow_ups: 0 }])
  })

  test('a mail that is taken back leaves it issued, and its words are proposed again', async () => {
    const { id } = await issued()
    const sent = await send(id, { text: 'My own words', undo_seconds: 30 })
    expect(sent.body.undo_until).not.toBeNull()
    expect(await get(id)).toMatchObject({ status: 'issued' })
    expect(await history(id)).toMatchObject([{ state: 'waiting' }])
    await call(app.url, emails.cancel, as(ada, sent.body.id))
    expect(await history(id)).toMatchObject([{ state: 'withdrawn' }])
    expect(await get(id)).toMatchObject({ status: 'issued', sent_at: null })
    expect(await proposal(id)).toMatchObject({ text: 'My own words', again: true })
    // Sent again with the same words, it takes the draft's place.
    const again = await send(id)
    expect(again).toMatchObject({ status: 200, body: { delivery: { state: 'sent' } } })
    expect(sink.count).toBe(1)
    const drafts = await call(app.url, emails.list, { token: ada.token, query: { folder: 'drafts' } })
    expect(drafts.body).toEqual([])
    expect(await get(id)).toMatchObject({ status: 'sent' })
    expect(await history(id)).toMatchObject([{ state: 'sent', email_id: again.body.id }])
  })

  test('a mail that leaves by a worker, after Undo, counts once it has left', async () => {
    const { id } = await issued()
    await send(id, { undo_seconds: 30 })
    expect(sink.count).toBe(0)
    app.clock.forward(31_000)
    await sink.waitFor(1)
    await expect.poll(async () => (await get(id)).status).toBe('sent')
  })

  test('the draft of one that was taken back may be sent by hand', async () => {
    const { id } = await issued()
    const { body } = await send(id, { undo_seconds: 30 })
    await call(app.url, emails.cancel, as(ada, body.id))
    expect(await history(id)).toMatchObject([{ state: 'withdrawn' }])
    const byHand = await call(app.url, emails.send, {
      token: ada.token,
      body: { to: 'bea@far.example', subject: 'By hand', content: 'Here it is', draft_id: body.id },
    })
    expect(byHand.status).toBe(200)
    expect(await history(id)).toMatchObject([{ state: 'sent', email_id: byHand.body.id }])
    expect(await get(id)).toMatchObject({ status: 'sent' })
  })

  test('a mail that is refused is said, with the server’s words', async () => {
    const { id } = await issued()
    sink.setScript(({ step }) => (step === 'rcpt' ? { reply: '554 5.7.1 We do not like you' } : undefined))
    const refused = await send(id)
    expect(refused.status).toBe(400)
    expect(refused.error.detail).toContain('We do not like you')
    expect(await history(id)).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('We do not like you') },
    ])
    expect(await get(id)).toMatchObject({ status: 'issued', sent_at: null })
    sink.setScript(undefined)
    expect(await proposal(id)).toMatchObject({ again: true })
    expect((await send(id)).status).toBe(200)
    expect(await get(id)).toMatchObject({ status: 'sent' })
    const drafts = await call(app.url, emails.list, { token: ada.token, query: { folder: 'drafts' } })
    expect(drafts.body).toEqual([])
  })
})

test('a second mail leaves by the account that the customer knows', async () => {
  await setPlan(app, ada, 'starter')
  const { id } = await issued()
  const { body: first } = await send(id)
  const other = await call(app.url, mailboxSetup.addAccount, {
    token: ada.token,
    body: mailAccountAt(sink, { login: 'office' }),
  })
  expect(other.status).toBe(200)
  const { id: officeId } = other.body
  const saved = await call(app.url, mailboxSetup.saveAccount, {
    ...as(ada, officeId),
    body: { primary: true },
  })
  expect(saved.status).toBe(200)
  expect((await proposal(id)).mailbox_id).toBe(first.mailbox_id)
  await send(id, { text: 'Did you get it?' })
  expect(sink.received[1]?.envelope.from).toBe('ada@muster.example')
  await send(id, { text: 'From the office', mailbox_id: officeId })
  expect(sink.received[2]?.envelope.from).toBe('office@muster.example')
  expect(header(sink.received[2], 'In-Reply-To')).toBe(header(sink.received[1], 'Message-ID'))
})

test('a mail that waits for one account leaves by another when that is chosen, and only there', async () => {
  await setPlan(app, ada, 'starter')
  const { id } = await issued()
  sink.setScript(({ step, address }) =>
    step === 'mail' && address === 'ada@muster.example' ? { reply: '451 4.7.1 Try again later' } : undefined,
  )
  await send(id)
  expect(await history(id)).toMatchObject([{ state: 'waiting' }])
  const other = await call(app.url, mailboxSetup.addAccount, {
    token: ada.token,
    body: mailAccountAt(sink, { login: 'office' }),
  })
  // The same words by the same account are the same mail, however long it waits.
  app.clock.forward(5 * 60_000)
  await send(id)
  expect(await history(id)).toHaveLength(1)
  await send(id, { mailbox_id: other.body.id })
  expect(sink.received.map(({ envelope }) => envelope.from)).toEqual(['office@muster.example'])
  expect(await history(id)).toMatchObject([{ state: 'sent' }])
  sink.setScript(undefined)
  const drafts = await call(app.url, emails.list, { token: ada.token, query: { folder: 'drafts' } })
  expect(drafts.body).toEqual([])
})

describe('nothing is sent', () => {
  test('of a draft', async () => {
    const { id } = await aDraft()
    const answer = await call(app.url, invoiceMail.send, {
      ...as(ada, id),
      body: { to: 'bea@far.example', subject: 'Early', text: 'Here' },
    })
    expect(answer).toMatchObject({
      status: 409,
      error: { detail: 'This is still a draft. Please issue it first.' },
    })
    expect((await call(app.url, invoiceMail.proposal, as(ada, id))).status).toBe(409)
    expect((await call(app.url, invoiceMail.link, as(ada, id))).status).toBe(409)
  })

  test('of somebody else’s', async () => {
    const { id } = await issued()
    const bob = await connectWriter(app, sink)
    const body = { to: 'x@far.example', subject: 'Mine', text: 'Mine' }
    expect((await call(app.url, invoiceMail.send, { ...as(bob, id), body })).status).toBe(404)
    for (const endpoint of [invoiceMail.proposal, invoiceMail.mails, invoiceMail.link])
      expect((await call(app.url, endpoint, as(bob, id))).status).toBe(404)
    expect(sink.count).toBe(0)
  })

  test.each([
    ['to', { to: 'nobody' }, 'Please enter a valid email address'],
    ['to', { to: '' }, 'Please enter an email address'],
    ['cc', { cc: 'a@b.example, two words@c.example' }, 'is not one'],
    ['subject', { subject: ' ' }, 'Please enter a subject'],
    ['text', { text: ' ' }, 'Please write something'],
  ])('with a wrong %s', async (field, words, sentence) => {
    const { id } = await issued()
    const { status, error } = await send(id, words)
    expect(status).toBe(400)
    expect(error.fields?.[field]).toContain(sentence)
    expect(sink.count).toBe(0)
    expect(await history(id)).toEqual([])
  })

  test('to an address that bounced; who unsubscribed still gets the invoice', async () => {
    const suppress = (reason: string) =>
      runSql(
        app.context.db,
        `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, 'bea@far.example', $2, $3)
         ON CONFLICT (user_id, address_key) DO UPDATE SET reason = excluded.reason`,
        [ada.id, reason, app.clock.now()],
      )
    const { id } = await issued()
    await suppress('bounced')
    expect((await proposal(id)).refusal).toBe(
      'bea@far.example does not exist: mail to it bounced. Please enter another address.',
    )
    const refused = await send(id)
    expect(refused).toMatchObject({
      status: 400,
      error: { detail: 'bea@far.example does not exist: mail to it bounced. Nothing was sent.' },
    })
    await suppress('unsubscribed')
    expect((await proposal(id)).refusal).toBeNull()
    await send(id, { undo_seconds: 30 })
    app.clock.forward(31_000)
    await sink.waitFor(1)
    // Other mail still does not reach them.
    const other = await call(app.url, emails.send, {
      token: ada.token,
      body: { to: 'bea@far.example', subject: 'An offer', content: 'Buy' },
    })
    expect(other.error.detail).toContain('has unsubscribed')
  })

  test('without an account, or while mail is paused', async () => {
    const { id } = await issued()
    const carl = await signUp(app.url)
    const draft = await call(app.url, invoices.add, { token: carl.token, body: anInvoice({}) })
    await call(app.url, invoices.issue, as(carl, draft.body.id))
    const body = { to: 'bea@far.example', subject: 'Early', text: 'Here' }
    const answer = await call(app.url, invoiceMail.send, { ...as(carl, draft.body.id), body })
    expect(answer.error.code).toBe('SMTP_NOT_CONFIGURED')
    await runSql(app.context.db, 'UPDATE users SET mail_paused_at = $2 WHERE id = $1', [
      ada.id,
      app.clock.now(),
    ])
    expect((await send(id)).status).toBe(409)
    expect(sink.count).toBe(0)
  })
})

test('in practice nobody outside gets it, and afterwards it was never sent', async () => {
  const carl = await signUp(app.url)
  expect((await call(app.url, mailboxSetup.practice, { token: carl.token })).status).toBe(200)
  const { body: draft } = await call(app.url, invoices.add, { token: carl.token, body: anInvoice({}) })
  await call(app.url, invoices.issue, as(carl, draft.id))
  const body = { to: 'bea@far.example', subject: 'Practice', text: 'Here' }
  expect((await call(app.url, invoiceMail.send, { ...as(carl, draft.id), body })).status).toBe(200)
  expect((await call(app.url, invoiceMail.mails, as(carl, draft.id))).body).toMatchObject([
    { state: 'sent', practice: true },
  ])
  expect((await call(app.url, invoices.get, as(carl, draft.id))).body.status).toBe('sent')
  expect((await connectTo(app, sink, carl)).status).toBe(200)
  await expect
    .poll(async () => (await call(app.url, invoiceMail.mails, as(carl, draft.id))).body, {
      timeout: 60_000,
    })
    .toEqual([])
  expect((await call(app.url, invoices.get, as(carl, draft.id))).body).toMatchObject({
    status: 'issued',
    sent_at: null,
  })
  expect(sink.count).toBe(0)
})

test('the link is turned off, on, and replaced', async () => {
  const { id } = await issued()
  const link = async () => (await call(app.url, invoiceMail.link, as(ada, id))).body
  const change = (what: 'off' | 'on' | 'new') =>
    call(app.url, invoiceMail.changeLink, { ...as(ada, id), body: { change: what } })
  const { url: first } = await link()
  expect((await change('off')).body.url).toBeNull()
  expect((await change('on')).body.url).toBe(first)
  const { url: second } = (await change('new')).body
  expect(second).not.toBe(first)
  // While it is off the proposed mail has no link.
  await change('off')
  expect((await proposal(id)).text).not.toContain('/i/')
  expect((await change('new')).body.url).not.toBe(second)
})
