import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { emails } from '#contract/mail/emails.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { call } from '../../../../tests/support/client.ts'
import type { TestUser } from '../../../../tests/support/factories.ts'
import { listFolder } from '../../../../tests/support/reading.ts'
import { type SmtpSink, startSmtpSink } from '../../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import {
  connectWriter,
  detailOf,
  header,
  DRAFT,
  parsed,
  receive,
  sendAs,
  uploadAs,
} from '../../../../tests/support/writing.ts'
import { purgeDeleted } from '../retention/purge-deleted.ts'
import { purgeUploads } from '../content/purge-uploads.ts'

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
beforeEach(async () => {
  user = await connectWriter(app, sink)
})
afterEach(() => {
  sink.clear()
  sink.setScript(undefined)
})

const save = (body: BodyInput<typeof emails.saveDraft>) =>
  call(app.url, emails.saveDraft, { token: user.token, body })
const update = (id: number, body: BodyInput<typeof emails.update>) =>
  call(app.url, emails.update, { token: user.token, params: { id }, body })
const signInAgain = async (on: TestApp, { email, password, ...rest }: TestUser): Promise<TestUser> => {
  const { body } = await call(on.url, auth.login, { body: { email, password } })
  return { ...rest, email, password, token: body.token }
}
const discard = (id: number) => call(app.url, emails.discard, { token: user.token, params: { id } })
const cancel = (id: number) => call(app.url, emails.cancel, { token: user.token, params: { id } })
const resend = (id: number) => call(app.url, emails.resend, { token: user.token, params: { id } })
const send = (body: Parameters<typeof sendAs>[2] = {}, headers = {}) => sendAs(app, user, body, headers)
const subjects = async (folder: 'sent' | 'drafts' | 'scheduled') =>
  (await listFolder(app, user, folder)).map(({ subject }) => subject)
const inAnHour = () => new Date(app.clock.now().getTime() + 3_600_000).toISOString()

const ASKED = `From: Bea <bea@customer.example>
To: ada@muster.example
Subject: Prices
Message-ID: <asked@customer.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

What does it cost?
--b
Content-Type: text/csv
Content-Disposition: attachment; filename="list.csv"

a,b
--b--
`

describe('a draft', () => {
  it('needs recipient, subject and content, unless it is autosaved', async () => {
    for (const body of [{}, { ...DRAFT, to: ' ' }, { ...DRAFT, subject: '' }, { ...DRAFT, content: '' }]) {
      const { status, error } = await save(body)
      expect([status, error.detail]).toEqual([400, 'Please fill in all required fields before saving draft'])
    }
    expect((await save({ to: 'bo', autosave: true })).status).toBe(200)
    expect((await save({ ...DRAFT, from: 'you@example.com' })).body).toMatchObject({
      status: 'draft',
      from: 'ada@muster.example',
    })
    expect(await subjects('drafts')).toHaveLength(2)
  })

  it('is changed field by field, and the last change of a field wins', async () => {
    const { file } = await uploadAs(app, user, 'a.txt', 'a')
    const { id } = (await save({ ...DRAFT, html: '<p>one</p>', cc: 'half typ', attachments: [file.id] })).body
    await Promise.all([
      update(id, { subject: 'New' }),
      update(id, { content: 'two', html: '<p>two</p>' }),
      update(id, { bcc: 'Eve <eve@x.example>' }),
    ])
    const detail = await detailOf(app, user, id)
    expect(detail).toMatchObject({
      to: DRAFT.to,
      subject: 'New',
      content: 'two',
      html: '<p>two</p>',
      cc: 'half typ',
      bcc: 'Eve <eve@x.example>',
      attachments: [{ name: 'a.txt', upload_id: file.id }],
    })
    await update(id, { attachments: [], html: null })
    expect(await detailOf(app, user, id)).toMatchObject({ attachments: [], html: null })
    expect((await listFolder(app, user, 'drafts'))[0]).toMatchObject({ subject: 'New', attachments: [] })
  })

  it('is gone once it is discarded or sent', async () => {
    const first = (await save(DRAFT)).body
    expect((await discard(first.id)).body).toEqual({ ok: true })
    expect((await discard(first.id)).status).toBe(404)
    expect((await update(first.id, { subject: 'x' })).status).toBe(404)
    const second = (await save({ ...DRAFT, bcc: 'eve@x.example' })).body
    expect((await send({ draft_id: second.id })).status).toBe(200)
    expect(sink.received[0]?.envelope.to).toEqual(['bob@customer.example', 'eve@x.example'])
    expect(await subjects('drafts')).toEqual([])
    expect(await subjects('sent')).toEqual(['An offer'])
    // Another tab still has it open.
    const again = await send({ draft_id: second.id, content: 'again' })
    expect([again.status, again.error.detail]).toEqual([409, 'This draft has already been sent.'])
    expect(sink.count).toBe(1)
  })

  it('stays when it cannot be sent', async () => {
    const { id } = (await save(DRAFT)).body
    expect((await send({ draft_id: id, to: 'nobody' })).status).toBe(400)
    expect(await subjects('drafts')).toEqual(['An offer'])
    sink.setScript(({ step }) => (step === 'dot' ? { reply: '554 5.7.1 No spam here' } : undefined))
    const refused = await send({ draft_id: id, content: 'the newest words' })
    expect(refused.error.detail).toContain('No spam here')
    const [draft] = await listFolder(app, user, 'drafts')
    expect(await subjects('drafts')).toEqual(['An offer'])
    expect((await detailOf(app, user, draft?.id ?? 0)).content).toBe('the newest words')
    sink.setScript(undefined)
    const { status, body } = await resend(draft?.id ?? 0)
    expect([status, body.delivery?.state]).toEqual([200, 'sent'])
    expect(await subjects('drafts')).toEqual([])
  })

  it('from another program can be edited and keeps its files', async () => {
    const id = await receive(app, user, ASKED)
    await app.context.db
      .updateTable('emails')
      .set({ folder: 'drafts', direction: 'out' })
      .where('id', '=', id)
      .execute()
    const before = await detailOf(app, user, id)
    expect(before.attachments.map(({ name }) => name)).toEqual(['list.csv'])
    expect((await update(id, { to: 'bob@customer.example', content: 'Done' })).status).toBe(200)
    const [file] = (await detailOf(app, user, id)).attachments
    expect(file).toMatchObject({ name: 'list.csv', upload_id: expect.any(Number) })
    expect((await resend(id)).status).toBe(200)
    const mail = await parsed(sink.received[0])
    expect(mail.text?.trim()).toBe('Done')
    expect(mail.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['list.csv', 'text/csv'],
    ])
  })

  it('that was discarded loses its content and files after 30 days', async () => {
    const asked = await receive(app, user, ASKED)
    const { file } = await uploadAs(app, user, 'a.txt', 'a')
    const { id } = (await save({ ...DRAFT, attachments: [file.id], quote_of: asked })).body
    await discard(id)
    await purgeDeleted(app.context)
    await purgeUploads(app.context)
    expect((await send({ attachments: [file.id], undo_seconds: 30 })).status).toBe(200)
    const { file: second } = await uploadAs(app, user, 'b.txt', 'b')
    const other = (await save({ ...DRAFT, attachments: [second.id] })).body
    await discard(other.id)
    app.clock.forward(31 * 86_400_000)
    await purgeDeleted(app.context)
    await purgeUploads(app.context)
    // No session lasts as long.
    user = await signInAgain(app, user)
    expect((await send({ attachments: [second.id] })).status).toBe(400)
    expect((await send({ attachments: [file.id] })).status).toBe(200)
    // The mail that could be undone has become due meanwhile.
    await sink.waitFor(2)
  })

  it('differs from a mail, which can be neither changed nor discarded', async () => {
    const { body } = await send()
    expect((await update(body.id, { subject: 'x' })).status).toBe(409)
    expect((await discard(body.id)).status).toBe(409)
    expect((await cancel(body.id)).status).toBe(409)
    expect((await resend(body.id)).status).toBe(409)
    const id = await receive(app, user, ASKED)
    expect((await update(id, { subject: 'x' })).status).toBe(409)
    expect((await cancel(id)).status).toBe(409)
  })
})

describe('undo', () => {
  it('turns a waiting mail back into the draft that it was', async () => {
    const asked = await receive(app, user, ASKED)
    const { file } = await uploadAs(app, user, 'a.txt', 'a')
    const { body } = await send({
      content: 'Ten euros.',
      html: '<p>Ten euros.</p>',
      attachments: [file.id],
      quote_of: asked,
      undo_seconds: 30,
    })
    expect(body).toMatchObject({ status: 'sent', delivery: { state: 'queued' } })
    expect(new Date(body.undo_until ?? 0).getTime()).toBeGreaterThan(app.clock.now().getTime() + 5000)
    const back = await cancel(body.id)
    expect([back.status, back.body.status, back.body.undo_until]).toEqual([200, 'draft', null])
    expect(await detailOf(app, user, body.id)).toMatchObject({
      content: 'Ten euros.',
      html: '<p>Ten euros.</p>',
      quote_of: asked,
      attachments: [{ upload_id: file.id }],
    })
    app.clock.forward(40_000)
    expect((await resend(body.id)).status).toBe(200)
    expect(sink.count).toBe(1)
    expect((await parsed(sink.received[0])).text).toContain('> What does it cost?')
  })

  it('is not possible once the mail has been sent', async () => {
    const { body } = await send({ undo_seconds: 30 })
    expect(sink.count).toBe(0)
    app.clock.forward(31_000)
    await sink.waitFor(1)
    await expect.poll(async () => (await cancel(body.id)).status).toBe(409)
    expect(sink.count).toBe(1)
  })

  it.each(['queued', 'connect', 'mail', 'rcpt', 'dot'] as const)(
    'or sending: exactly one of them wins, however often it is tried, at "%s"',
    async (moment) => {
      const { body } = await send({ undo_seconds: 30 })
      const fifty = () => Promise.all(Array.from({ length: 50 }, async () => (await cancel(body.id)).status))
      const tried = Promise.withResolvers<number[]>()
      let asked = false
      sink.setScript(({ step }) => {
        if (step !== moment || asked) return undefined
        asked = true
        void fifty().then(tried.resolve)
        return { waitMs: 150 }
      })
      // All fifty come before it is due: a worker that sees it due may send it at once.
      if (moment === 'queued') tried.resolve(await fifty())
      app.clock.forward(31_000)
      const answers = new Set(await tried.promise)
      expect(answers.size).toBe(1)
      const won = answers.has(200)
      // An expected mail is awaited; that no more mails follow can only be seen by waiting.
      if (!won) await expect.poll(() => sink.count).toBe(1)
      app.clock.forward(60_000)
      await new Promise((resolve) => setTimeout(resolve, 1200))
      expect(sink.count).toBe(won ? 0 : 1)
      expect(await subjects('drafts')).toEqual(won ? ['An offer'] : [])
      expect(await subjects('sent')).toEqual(won ? [] : ['An offer'])
      if (moment === 'queued') expect(won).toBe(true)
      if (moment === 'dot') expect(won).toBe(false)
    },
  )
})

describe('a scheduled mail', () => {
  it('can be changed until it is sent, and is then sent as changed, to all its recipients, once', async () => {
    const asked = await receive(app, user, ASKED)
    const { body } = await send({
      schedule_at: inAnHour(),
      quote_of: asked,
      html: '<p>One</p>',
      bcc: 'eve@x.example',
    })
    expect(body.status).toBe('scheduled')
    expect(await detailOf(app, user, body.id)).toMatchObject({ content: DRAFT.content, html: '<p>One</p>' })
    const later = new Date(app.clock.now().getTime() + 2 * 3_600_000).toISOString()
    expect(
      (
        await update(body.id, {
          content: 'Two',
          html: '<p>Two</p>',
          to: 'Bea <bea@customer.example>, bob@customer.example',
          schedule_at: later,
        })
      ).status,
    ).toBe(200)
    expect((await update(body.id, { to: 'nobody' })).status).toBe(400)
    expect((await update(body.id, { subject: '' })).status).toBe(400)
    expect((await discard(body.id)).status).toBe(409)
    app.clock.forward(3_700_000)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(sink.count).toBe(0)
    app.clock.forward(3_600_000)
    await sink.waitFor(1)
    await expect.poll(async () => (await listFolder(app, user, 'sent'))[0]?.delivery?.state).toBe('sent')
    expect(sink.received[0]?.envelope.to).toEqual([
      'bea@customer.example',
      'bob@customer.example',
      'eve@x.example',
    ])
    const mail = await parsed(sink.received[0])
    expect(mail.text).toMatch(/^Two\n\nOn .*, Bea wrote:\n> What does it cost\?/)
    // It carries the time at which it was sent.
    expect(
      Math.abs(Date.parse(header(sink.received[0], 'Date') ?? '') - app.clock.now().getTime()),
    ).toBeLessThan(60_000)
    expect((await update(body.id, { subject: 'too late' })).status).toBe(409)
    expect(sink.count).toBe(1)
  })

  it('can be cancelled, and sent now instead', async () => {
    const first = (await send({ schedule_at: inAnHour() })).body
    expect((await cancel(first.id)).body.status).toBe('draft')
    expect((await cancel(first.id)).body.status).toBe('draft')
    const second = (await send({ schedule_at: inAnHour(), subject: 'Second' })).body
    expect((await send({ draft_id: second.id, subject: 'Second' })).body.status).toBe('sent')
    expect(await subjects('scheduled')).toEqual([])
    app.clock.forward(7_200_000)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(sink.count).toBe(1)
  })

  it('is sent once, also across a restart', async () => {
    const database = { url: app.databaseUrl }
    await send({ schedule_at: inAnHour(), html: '<p>x</p>', subject: 'Restarted' })
    const second = await startTestApp({ database })
    second.clock.forward(3 * 3_600_000)
    app.clock.forward(3 * 3_600_000)
    await sink.waitFor(1)
    await expect.poll(async () => (await listFolder(app, user, 'sent'))[0]?.delivery?.state).toBe('sent')
    await second.end()
    expect(sink.count).toBe(1)
  })
})

describe('failures', () => {
  it('a mail that was deferred, or refused later, is sent at once when it is resent', async () => {
    sink.setScript(({ step }) => (step === 'rcpt' ? { reply: '451 4.7.1 Come again' } : undefined))
    const { body } = await send({ html: '<p>x</p>' })
    expect(body.delivery?.state).toBe('deferred')
    sink.setScript(undefined)
    expect((await resend(body.id)).body.delivery?.state).toBe('sent')

    sink.setScript(({ step }) => (step === 'rcpt' ? { reply: '550 5.7.1 Not today' } : undefined))
    const undone = await send({ undo_seconds: 1, subject: 'Second' })
    app.clock.forward(2000)
    await expect.poll(async () => (await detailOf(app, user, undone.body.id)).delivery?.state).toBe('failed')
    const again = await resend(undone.body.id)
    expect([again.status, again.error.code]).toEqual([400, 'MAIL_SERVER'])
    expect(again.error.detail).toContain('Not today')
    sink.setScript(undefined)
    const [draft] = await listFolder(app, user, 'drafts')
    expect((await resend(draft?.id ?? 0)).body.delivery?.state).toBe('sent')
    expect(sink.count).toBe(2)
  })

  it.each(['drop', 'stall'] as const)(
    'a server that does "%s" in the middle of a rich mail gets it once, later',
    async (what) => {
      const { file } = await uploadAs(app, user, 'a.bin', new Uint8Array(500_000))
      let bad = true
      sink.setScript(({ step }) => {
        if (step !== 'data' || !bad) return undefined
        bad = false
        return what === 'stall' ? { waitMs: 3000 } : what
      })
      const { body } = await send({ attachments: [file.id], html: '<p>x</p>' })
      expect(['deferred', 'sent']).toContain(body.delivery?.state)
      if (body.delivery?.state === 'deferred') app.clock.forward(5 * 60_000)
      await sink.waitFor(1)
      await expect.poll(async () => (await listFolder(app, user, 'sent'))[0]?.delivery?.state).toBe('sent')
      expect(sink.count).toBe(1)
    },
  )

  it('fifty identical calls at once are one rich mail; the same key with other files is another', async () => {
    const { file } = await uploadAs(app, user, 'a.txt', 'a')
    const headers = { 'Idempotency-Key': 'bob-an-offer' }
    const rich = { html: '<p>x</p>', cc: 'eve@x.example', attachments: [file.id] }
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(rich, headers)))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(sink.count).toBe(1)
    await send({ ...rich, attachments: [] }, headers)
    expect(sink.count).toBe(2)
  })

  it('a call that is cut off and repeated with its key is one mail', async () => {
    sink.setScript(({ step }) => (step === 'dot' ? { waitMs: 800 } : undefined))
    const headers = { 'Idempotency-Key': 'cut' }
    const cut = new AbortController()
    const first = fetch(`${app.url}/api/v1/emails/send`, {
      method: 'POST',
      headers: { ...headers, Authorization: `Bearer ${user.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...DRAFT, html: '<p>x</p>' }),
      signal: cut.signal,
    }).catch(() => null)
    await new Promise((resolve) => setTimeout(resolve, 300))
    cut.abort()
    await first
    const { status, body } = await send({ html: '<p>x</p>' }, headers)
    expect([status, body.delivery?.state]).toEqual([200, 'sent'])
    expect(sink.count).toBe(1)
    expect(await subjects('sent')).toEqual(['An offer'])
  })
})

it.each(['to', 'cc', 'bcc'] as const)('a draft takes no line breaks in %s', async (field) => {
  const injected = { [field]: 'a@b.example\r\nBcc: c@d.example' }
  const { status, error } = await save({ ...injected, subject: 'Odd', content: 'Hello', autosave: true })
  expect(status).toBe(400)
  expect(error.fields).toEqual({ [field]: 'Please use one line, without control characters' })
  const { body } = await save({ to: 'a@b.example', subject: 'Plain', content: 'Hello' })
  const change = { token: user.token, params: { id: body.id }, body: injected }
  expect((await call(app.url, emails.update, change)).status).toBe(400)
})
