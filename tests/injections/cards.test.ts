import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assistant, type Proposal } from '#contract/assistant/assistant.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { todos } from '#contract/crm/todos.ts'
import { call } from '../support/client.ts'
import type { TestUser } from '../support/factories.ts'
import { mailAccountAt } from '../support/mail-account.ts'
import { type ModelServer, startModel } from '../support/model.ts'
import { setPlan } from '../support/plans.ts'
import { listFolder } from '../support/reading.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { connectWriter, detailOf, parsed, receive } from '../support/writing.ts'

/** Turned letters, tags, joiners, fillers, half a character, and what may stay: emoji, Hebrew, several lines. */
const ODD = 'a\u202Eb\u2066c \u200Bd\uFEFF\u{E0041}\u{E0142}\u3164\uD800 👩\u200D🔧 שלום "x" <y> [1] &amp;'
const SEEN = 'abc d\uFFFD 👩\u200D🔧 שלום "x" <y> [1] &amp;'
const LONG = `${ODD}\n\n- one\n- two\n> three\n${'word '.repeat(1500)}end`
const DAY_MS = 86_400_000

let app: TestApp
let model: ModelServer
let sink: SmtpSink
let ada: TestUser
let ann: number

beforeAll(async () => {
  sink = await startSmtpSink()
  model = await startModel()
  app = await startTestApp({
    environment: { AI_BASE_URL: model.baseUrl, AI_MODEL: 'turned', PLAN_LIMITS: 'off' },
  })
})
afterAll(async () => {
  await app.end()
  await model.stop()
  await sink.stop()
})
beforeEach(async () => {
  sink.clear()
  sink.setScript(undefined)
  ada = await connectWriter(app, sink)
  ann = (
    await call(app.url, contacts.add, {
      token: ada.token,
      body: { name: 'Ann \u202Eeel', email: 'ann@acme.example', company: 'Acme\u200B' },
    })
  ).body.id
})

/** The card of one call of the model. */
async function proposed(name: string, input: object): Promise<Proposal> {
  let calls = 0
  model.answer(() => (calls++ === 0 ? { calls: [{ name, input }] } : 'Please decide.'))
  const { body, error } = await call(app.url, assistant.chat, {
    token: ada.token,
    body: { message: 'Do it, also for new@acme.example' },
  })
  const [card] = body.result?.proposals ?? []
  if (card === undefined) throw new Error(error?.detail ?? JSON.stringify(model.questions.at(-1)?.body))
  return card
}
const approve = ({ id, hash }: Proposal) =>
  call(app.url, assistant.approve, { token: ada.token, params: { id }, body: { hash } })
async function done(card: Proposal): Promise<void> {
  const { status, error, body } = await approve(card)
  expect(status, error?.detail).toBe(200)
  expect(body.status).toBe('approved')
}
const shown = ({ lines }: Proposal, label: string) => lines.find((line) => line.label === label)?.text
const plain = (text: string | undefined) => (text ?? '').replaceAll('\r\n', '\n').trim()
const receiveOdd = (more = '') =>
  receive(
    app,
    ada,
    `From: "ann@acme.example" <evil@far.example>\n${more}To: ada@muster.example\nSubject: Re: Offer =?utf-8?B?${Buffer.from(' \u202Etxt\u202C').toString('base64')}?=\nMessage-ID: <odd@far.example>\n\nPlease answer.\n`,
  )

describe('what a card shows is what is done', () => {
  it('by a mail', async () => {
    const card = await proposed('send_email', { contact_id: ann, subject: ODD, body: LONG })
    expect(shown(card, 'Subject')).toBe(SEEN)
    await done(card)
    const [mail] = sink.received
    const read = await parsed(mail)
    expect(mail?.envelope.to).toEqual([shown(card, 'To')])
    expect([read.to?.[0]?.address, read.cc, read.bcc]).toEqual(['ann@acme.example', undefined, undefined])
    expect(read.subject).toBe(shown(card, 'Subject'))
    expect(plain(read.text)).toBe(shown(card, 'Text'))
    expect(read.attachments).toEqual([])
  })

  it('by an answer, which also says where it goes and what stands below it', async () => {
    const id = await receiveOdd('Reply-To: Ann Lee <victim@other.example>, b@other.example\n')
    const card = await proposed('send_reply', { email_id: id, body: LONG })
    expect(card.summary).toBe('Answer Ann Lee, b@other.example')
    expect(shown(card, 'Note')).toBe(
      'The mail came from evil@far.example, but asks for answers to the address above.',
    )
    expect(shown(card, 'Subject')).toBe('Re: Offer txt')
    await done(card)
    const [mail] = sink.received
    const read = await parsed(mail)
    for (const address of mail?.envelope.to ?? []) expect(shown(card, 'To')).toContain(address)
    expect(mail?.envelope.to).toHaveLength(2)
    expect(read.subject).toBe(shown(card, 'Subject'))
    const [own = '', quote = ''] = plain(read.text).split(/\n+(?=On .*wrote:)/)
    expect(own.trim()).toBe(shown(card, 'Text'))
    expect(quote).toContain('> Please answer.')
    expect(shown(card, 'Quoted below')).toContain('evil@far.example')
  })

  it('by a card whose sender calls himself by the address of somebody else', async () => {
    const card = await proposed('send_reply', { email_id: await receiveOdd(), body: 'Yes' })
    expect(card.summary).toBe('Answer evil@far.example')
    expect(shown(card, 'To')).toBe('evil@far.example')
    const alike = await receive(
      app,
      ada,
      'From: Ann Lee <ann@\u0430cme.example>\nTo: ada@muster.example\nSubject: New address\nMessage-ID: <alike@far.example>\n\nHello.\n',
    )
    const other = await proposed('send_reply', { email_id: alike, body: 'Yes' })
    expect(shown(other, 'To')).toMatch(/\(in plain letters: ann@xn--cme-\w+\.example\)$/)
  })

  it('by a draft, of a mail and of an answer', async () => {
    const id = await receiveOdd()
    for (const card of [
      await proposed('draft_email', { contact_id: ann, subject: ODD, body: LONG }),
      await proposed('draft_reply', { email_id: id, body: LONG }),
    ]) {
      await done(card)
      const draft = (await listFolder(app, ada, 'drafts'))[0]
      const detail = await detailOf(app, ada, draft?.id ?? 0)
      expect([detail.to, detail.subject]).toEqual([shown(card, 'To'), shown(card, 'Subject')])
      expect(JSON.stringify(detail)).toContain(JSON.stringify(shown(card, 'Text')).slice(1, -1))
    }
    expect(sink.count).toBe(0)
  })

  it('by a meeting, which is moved', async () => {
    const start = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 16)
    const card = await proposed('schedule_meeting', {
      title: ODD,
      start,
      contact_ids: [ann],
      type: 'phone',
      location: 'A place that a call does not have',
      meeting_link: 'https://far.example/room',
    })
    expect(card.lines.map(({ label }) => label)).toEqual(['Title', 'When', 'Type', 'Attendees'])
    await done(card)
    const stored = (await call(app.url, meetings.list, { token: ada.token })).body[0]
    expect(stored).toMatchObject({
      title: shown(card, 'Title'),
      type: shown(card, 'Type')?.toLowerCase(),
      location: '',
      meeting_link: '',
      attendees: ['ann@acme.example'],
      start_time: card.content['start_time'],
    })
    expect(shown(card, 'Attendees')).toBe('Ann eel <ann@acme.example>')
    const later = new Date(Date.now() + 4 * DAY_MS).toISOString().slice(0, 16)
    const move = await proposed('move_meeting', { meeting_id: stored?.id, start: later })
    await done(move)
    expect((await call(app.url, meetings.list, { token: ada.token })).body[0]).toMatchObject({
      title: shown(move, 'Title'),
      start_time: move.content['start_time'],
      end_time: move.content['end_time'],
    })
  })

  it('by a task, which is completed', async () => {
    const card = await proposed('add_task', { title: ODD, description: LONG, contact_id: ann })
    expect(shown(card, 'Contact')).toBe('Ann eel (ann@acme.example)')
    await done(card)
    const [task] = (await call(app.url, todos.list, { token: ada.token })).body
    expect(task).toMatchObject({
      title: shown(card, 'Title'),
      description: shown(card, 'Description'),
      priority: shown(card, 'Priority')?.toLowerCase(),
      contact_id: ann,
    })
    const complete = await proposed('complete_task', { task_id: task?.id })
    expect(shown(complete, 'Task')).toBe(task?.title)
    await done(complete)
    expect((await call(app.url, todos.list, { token: ada.token })).body[0]).toMatchObject({ completed: true })
  })

  it('by a contact: added, changed and mailed no more', async () => {
    const card = await proposed('add_contact', { name: ODD, email: 'new@acme.example', notes: LONG })
    await done(card)
    const people = async () => (await call(app.url, contacts.list, { token: ada.token })).body
    const added = (await people()).find(({ email }) => email === 'new@acme.example')
    expect([added?.name, added?.email, added?.notes]).toEqual(
      ['Name', 'Email', 'Notes'].map((label) => shown(card, label)),
    )
    const change = await proposed('change_contact', { contact_id: ann, phone: '+49 30 1', company: '' })
    expect(change.lines).toEqual([
      { label: 'Contact', text: 'Ann eel (ann@acme.example)' },
      { label: 'Company until now', text: 'Acme' },
      { label: 'Company', text: '(nothing)' },
      { label: 'Phone', text: '+49 30 1' },
    ])
    await done(change)
    const stop = await proposed('stop_mailing', { contact_id: ann })
    await done(stop)
    const changed = (await people()).find(({ id }) => id === ann)
    expect(changed).toMatchObject({ phone: '+49 30 1', company: '', suppressed: 'manual' })
    expect(changed?.email).toBe(shown(stop, 'Email'))
  })

  it('by a draft of an invoice', async () => {
    const card = await proposed('draft_invoice', {
      contact_id: ann,
      currency: 'EUR',
      items: [{ description: ODD, quantity: '2', unit_price: '10.50' }],
    })
    await done(card)
    const [row] = (await call(app.url, invoices.list, { token: ada.token, query: {} })).body
    const { body } = await call(app.url, invoices.get, { token: ada.token, params: { id: row?.id ?? 0 } })
    const item = body.items[0]
    expect(`${item?.description}: ${item?.quantity} × 10.50 EUR`).toBe(shown(card, 'Line'))
    expect(`${body.buyer.name}, ${body.buyer.business_name}, ${body.buyer.email}`).toBe(
      shown(card, 'Bill to'),
    )
    expect(body.status).toBe('draft')
  })
})

describe('a card is refused when it is no longer true', () => {
  it('because the contact was deleted or has another address', async () => {
    const card = await proposed('send_email', { contact_id: ann, subject: 'x', body: 'y' })
    await call(app.url, contacts.remove, { token: ada.token, params: { id: ann } })
    const { status, error } = await approve(card)
    expect([status, error.detail]).toEqual([
      409,
      'This contact has been deleted or merged since. Please ask again.',
    ])
    expect(sink.count).toBe(0)
  })

  it('because its time is over', async () => {
    const soon = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
    const mail = await proposed('send_email', { contact_id: ann, subject: 'x', body: 'y', schedule_at: soon })
    const meeting = await proposed('schedule_meeting', { title: 'Talk', start: soon })
    app.clock.forward(2 * 3_600_000)
    expect((await approve(mail)).error.detail).toBe(
      'The time to send this is over. Please edit it, or ask again.',
    )
    expect((await approve(meeting)).error.detail).toBe(
      'This time is over by now. Please edit it, or ask again.',
    )
    expect([sink.count, await listFolder(app, ada, 'scheduled')]).toEqual([0, []])
  })

  it('because the task or the meeting is another one by now', async () => {
    const { body: task } = await call(app.url, todos.add, {
      token: ada.token,
      body: { title: 'Pay the rent' },
    })
    const card = await proposed('complete_task', { task_id: task.id })
    await call(app.url, todos.update, {
      token: ada.token,
      params: { id: task.id },
      body: { title: 'Do not pay' },
    })
    expect((await approve(card)).error.detail).toBe('This task has been changed since. Please ask again.')
  })

  it('because the account was disconnected, with what to do, and can be approved later', async () => {
    const card = await proposed('send_reply', { email_id: await receiveOdd(), body: 'Yes' })
    await call(app.url, mailboxSetup.remove, { token: ada.token })
    const { status, error } = await approve(card)
    expect([status, error.code, error.detail]).toEqual([
      400,
      'SMTP_NOT_CONFIGURED',
      'Please configure your email settings (SMTP) before sending emails.',
    ])
    const { body: known } = await call(app.url, assistant.proposals, { token: ada.token })
    expect(known.find(({ id }) => id === card.id)?.status).toBe('pending')
    expect(sink.count).toBe(0)
  })

  it('because it would leave by another account than it names, or as another address', async () => {
    await setPlan(app, ada, 'starter')
    const card = await proposed('send_email', { contact_id: ann, subject: 'x', body: 'y' })
    expect(card.lines[0]).toEqual({ label: 'From', text: 'ada@muster.example' })
    const { body: office } = await call(app.url, mailboxSetup.addAccount, {
      token: ada.token,
      body: mailAccountAt(sink, { login: 'office' }),
    })
    const usual = await call(app.url, mailboxSetup.saveAccount, {
      token: ada.token,
      params: { id: office.id },
      body: { primary: true },
    })
    expect(usual.status, usual.error?.detail).toBe(200)
    await done(card)
    expect(sink.received.map(({ envelope }) => envelope.from)).toEqual(['ada@muster.example'])
    const next = await proposed('send_email', { contact_id: ann, subject: 'x', body: 'y' })
    expect(shown(next, 'From')).toBe('office@muster.example')
    await call(app.url, mailboxSetup.removeAccount, { token: ada.token, params: { id: office.id } })
    const changed = 'The account that this mail was to leave by has changed since. Please ask again.'
    const gone = await approve(next)
    expect([gone.status, gone.error.detail]).toEqual([409, changed])
    const last = await proposed('send_email', { contact_id: ann, subject: 'x', body: 'y' })
    await call(app.url, mailboxSetup.save, { token: ada.token, body: { smtp_from: 'new@muster.example' } })
    const renamed = await approve(last)
    expect([renamed.status, renamed.error.detail]).toEqual([409, changed])
    expect(sink.count).toBe(1)
  })

  it('whichever comes first: approved, edited and declined at once is one of them', async () => {
    for (let round = 0; round < 5; round += 1) {
      const card = await proposed('add_task', { title: `Task ${round}` })
      const params = { id: card.id }
      const answers = await Promise.all([
        approve(card),
        call(app.url, assistant.edit, { token: ada.token, params, body: { changes: { title: 'Other' } } }),
        call(app.url, assistant.decline, { token: ada.token, params }),
        approve(card),
      ])
      const { body: all } = await call(app.url, assistant.proposals, { token: ada.token })
      const status = all.find(({ id }) => id === card.id)?.status
      const tasks = (await call(app.url, todos.list, { token: ada.token })).body
      expect(tasks.filter(({ title }) => title === card.content['title'])).toHaveLength(
        status === 'approved' ? 1 : 0,
      )
      expect(answers.every((answer) => [200, 409].includes(answer.status))).toBe(true)
    }
  })
})
