import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runSql } from '#server/platform/database/transaction.ts'
import { emails } from '#contract/mail/emails.ts'
import { call } from '../../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../../tests/support/factories.ts'
import { suspectLeakedClaims } from '../delivery/reclaim-leaked-claims.ts'
import { type SmtpSink, startSmtpSink } from '../../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { connectWriter } from '../../../../tests/support/writing.ts'

let app: TestApp
let sink: SmtpSink
let user: TestUser

beforeAll(async () => {
  app = await startTestApp()
  sink = await startSmtpSink()
})
afterAll(async () => {
  await app.end()
  await sink.stop()
})
afterEach(() => {
  sink.clear()
  sink.setScript(() => undefined)
})

const connected = async (on: Pick<TestApp, 'url'> = app) => (user = await connectWriter(on, sink))

const mail = { to: 'bob@customer.example', subject: 'Grüße', content: 'Hello Bob,\n\nhow are you?' }
const send = (
  body: Partial<typeof mail> & { schedule_at?: string; in_reply_to?: string } = {},
  headers = {},
) => call(app.url, emails.send, { token: user.token, body: { ...mail, ...body }, headers })
const list = async (folder: 'sent' | 'drafts' | 'scheduled') =>
  (await call(app.url, emails.list, { token: user.token, query: { folder } })).body

describe('POST /emails/send', () => {
  it('delivers the mail to the server, with its headers, and lists it in Sent', async () => {
    await connected()
    const { status, body } = await send()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      subject: 'Grüße',
      to: 'bob@customer.example',
      status: 'sent',
      delivery: { state: 'sent' },
    })
    const raw = sink.received[0]?.raw.toString() ?? ''
    expect(sink.received).toHaveLength(1)
    expect(raw).toMatch(/^From: "?Ada Muster"? <ada@muster\.example>/m)
    expect(raw).toMatch(/^Message-ID: <[^>]+@muster\.example>/im)
    expect(raw).not.toMatch(/List-Unsubscribe/i)
    expect((await list('sent')).map((row) => row.subject)).toEqual(['Grüße'])
  })

  it('leaves no mail behind as claimed in a process that only serves pages', async () => {
    const pages = await startTestApp({ roles: ['web'] })
    onTestFinished(() => pages.end())
    const { id, token } = await connected(pages)
    await call(pages.url, emails.send, { token, body: { ...mail, undo_seconds: 10 } })
    const state = async () => {
      const { rows } = await runSql(pages.context.db, 'SELECT mailbox_id, state FROM deliveries')
      return rows[0] as { mailbox_id: number; state: string }
    }
    const { mailbox_id: mailboxId } = await state()
    // As when the connection to the database is lost before it has answered.
    await runSql(pages.context.db, `UPDATE deliveries SET state = 'claimed', worker_id = $1`, [
      pages.context.workerId,
    ])
    suspectLeakedClaims(pages.context, id, mailboxId)
    await expect.poll(async () => (await state()).state).toBe('queued')
  })

  it('tells a user without an account what to do', async () => {
    user = await signUp(app.url)
    const { status, error } = await send()
    expect(status).toBe(400)
    expect(error.code).toBe('SMTP_NOT_CONFIGURED')
  })

  it.each([
    ['to', { to: 'nobody' }, 'Please enter a valid email address'],
    ['to', { to: 'a@b.example\r\nBcc: c@d.example' }, 'Please enter a valid email address'],
    ['subject', { subject: '  ' }, 'Please enter a subject'],
    ['content', { content: '' }, 'Please write something'],
    ['schedule_at', { schedule_at: 'tomorrow-ish' }, 'This is not a date and time'],
    [
      'schedule_at',
      { schedule_at: '2099-01-01T00:00:00Z' },
      'Please choose a time within the next two years.',
    ],
  ])('says what is wrong with %s', async (field, change, sentence) => {
    await connected()
    const { status, error } = await send(change)
    expect(status).toBe(400)
    expect(error.fields?.[field]).toBe(sentence)
    expect(sink.count).toBe(0)
  })

  it('keeps a mail that the server refuses in Drafts, and quotes the server’s reply', async () => {
    await connected()
    sink.setScript(({ step }) => (step === 'rcpt' ? { reply: '554 5.7.1 We do not like you' } : undefined))
    const { status, error } = await send()
    expect(status).toBe(400)
    expect(error.detail).toContain('We do not like you')
    expect((await list('drafts')).map((row) => row.subject)).toEqual(['Grüße'])
    expect(await list('sent')).toEqual([])
  })

  it('keeps a mail that the server cannot accept now, and delivers it later', async () => {
    await connected()
    sink.setScript(({ step }) =>
      step === 'rcpt' ? { reply: '451 4.7.1 Greylisted, come again' } : undefined,
    )
    const { status, body } = await send()
    expect(status).toBe(200)
    expect(body.delivery).toMatchObject({ state: 'deferred', reason: expect.stringContaining('Greylisted') })
    sink.setScript(() => undefined)
    app.clock.forward(2 * 60_000)
    await sink.waitFor(1)
    await expect.poll(async () => (await list('sent'))[0]?.delivery?.state).toBe('sent')
  })

  it('sends a mail again, with the same Message-ID, when the server accepted it and hung up', async () => {
    await connected()
    const before = sink.connections.total
    let cut = true
    sink.setScript(({ step }) => (step === 'dot' && cut ? 'keep-and-drop' : undefined))
    const { body } = await send()
    expect(body.delivery?.state).toBe('unsure')
    cut = false
    app.clock.forward(10_000)
    await sink.waitFor(2)
    await expect.poll(async () => (await list('sent'))[0]?.delivery?.state).toBe('sent')
    expect([...sink.byMessageId.values()]).toEqual([[before + 1, before + 2]])
  })

  it('says that a mail is being sent while the server does not reply to it, and sends it once', async () => {
    await connected()
    const [dot, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    sink.setScript(({ step }) => {
      if (step !== 'dot') return undefined
      dot.resolve()
      return { until: answer.promise }
    })
    const sending = send()
    await dot.promise
    app.clock.forward(26_000)
    const { status, body } = await sending
    expect([status, body.delivery]).toEqual([200, { state: 'sending' }])
    expect((await list('sent')).map(({ delivery }) => delivery?.state)).toEqual(['sending'])
    answer.resolve()
    await expect.poll(async () => (await list('sent'))[0]?.delivery?.state).toBe('sent')
    app.clock.forward(3_600_000)
    await send({ subject: 'Another' })
    expect([...sink.byMessageId.values()].map((connections) => connections.length)).toEqual([1, 1])
  })

  it('fifty identical calls at once are one mail; the same key with another body is another', async () => {
    await connected()
    const headers = { 'Idempotency-Key': 'bob-hello' }
    const answers = await Promise.all(Array.from({ length: 50 }, () => send({}, headers)))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect(sink.count).toBe(1)
    await send({ content: 'Hello Bob, something else.' }, headers)
    expect(sink.count).toBe(2)
  })

  it('schedules a mail, which is sent once, also across a restart', async () => {
    await connected()
    const at = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
    const { body } = await send({ schedule_at: at })
    expect(body.status).toBe('scheduled')
    expect(sink.count).toBe(0)
    expect(await list('scheduled')).toHaveLength(1)
    app.clock.forward(3_600_000)
    await sink.waitFor(1)
    await expect.poll(async () => (await list('sent'))[0]?.delivery?.state).toBe('sent')
    expect(await list('scheduled')).toEqual([])
    expect(sink.count).toBe(1)
  })

  it('puts a reply into the thread of its original', async () => {
    await connected()
    const first = await send()
    const detail = await call(app.url, emails.get, { token: user.token, params: { id: first.body.id } })
    const second = await send({ subject: 'Re: Grüße', in_reply_to: detail.body.message_id })
    expect(second.body.thread_id).toBe(first.body.thread_id)
    expect(sink.received[1]?.raw.toString()).toContain(`In-Reply-To: <${detail.body.message_id}>`)
  })
})
