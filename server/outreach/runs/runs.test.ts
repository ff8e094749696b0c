import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { assistant } from '#contract/assistant/assistant.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import { type ModelAnswer, type ModelServer, startModel } from '../../../tests/support/model.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

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

async function connect(base: string, owner: TestUser): Promise<void> {
  const body = mailAccountAt(sink)
  expect((await call(base, mailboxSetup.save, { token: owner.token, body })).status).toBe(200)
}

async function addContacts(base: string, owner: TestUser, count: number, from = 0): Promise<void> {
  for (let index = from; index < from + count; index++) {
    const body = {
      name: `Person ${index}`,
      email: `person${index}@customer.example`,
      company: `Company ${index}`,
    }
    expect((await call(base, contacts.add, { token: owner.token, body })).status).toBe(200)
  }
}

/** A user with a mailbox and contacts. */
async function ready(count: number): Promise<void> {
  user = await signUp(app.url)
  await connect(app.url, user)
  await addContacts(app.url, user, count)
}

const run = () => call(app.url, outreach.generateAndSend, { token: user.token })
const current = async () =>
  (await call(app.url, outreach.current, { token: user.token })).body as NonNullable<
    ReplyOf<typeof outreach.current>
  >
const act = (endpoint: typeof outreach.pause, id: number) =>
  call(app.url, endpoint, { token: user.token, params: { id } })
const bodies = () => sink.received.map((mail) => mail.raw.toString())

describe('a bulk run', () => {
  it('writes to every contact once, personally, with the headers of bulk mail', async () => {
    await ready(12)
    const { status, body } = await run()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      done: true,
      summary: { total: 12, sent: 12, warnings: 12, errors: 0, skipped: 0, pending: 0 },
    })
    expect(body.message).toBe('Successfully sent 12 email(s). 12 email(s) used fallback templates.')
    expect(body.results.map((result) => result.status)).toEqual(Array.from({ length: 12 }, () => 'warning'))
    expect(sink.received.map((mail) => mail.envelope.to[0]).sort()).toEqual(
      Array.from({ length: 12 }, (_, index) => `person${index}@customer.example`).sort(),
    )
    for (const raw of bodies()) {
      // Nobody else can open a page on this machine, so unsubscribing by mail comes first (RFC 2369).
      expect(raw.replaceAll(/\r\n\s+/g, ' ')).toMatch(
        /^List-Unsubscribe: <mailto:ada@muster\.example\?subject=unsubscribe-[^>]+>, <http:[^>]+>\r$/im,
      )
      expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/im)
      expect(raw).not.toMatch(/\{\{|undefined|null/)
    }
    const toThree = sink.received
      .find((mail) => mail.envelope.to[0] === 'person3@customer.example')
      ?.raw.toString()
    expect(toThree).toContain('Company 3')
    expect(toThree).not.toContain('Company 4')
  })

  it('previews the first mail, with an unsubscribe link that affects nobody', async () => {
    await ready(2)
    const estimate = async () => (await call(app.url, outreach.estimate, { token: user.token })).body
    const { example, ...rest } = await estimate()
    expect(rest).toMatchObject({ to_send: 2, practice: false, links_reach: false })
    expect(example?.name).toBe('Person 0')
    await run()
    const first = sink.received.find((mail) => mail.envelope.to[0] === 'person0@customer.example')
    const left = await PostalMime.parse(first?.raw ?? '')
    expect(left.subject).toBe(example?.subject)
    // Identical to the last line, except for what makes the link unique to this mail.
    expect(left.text?.replace(/(?<=\/unsubscribe\/)\S+/, '…').trim()).toBe(example?.text.trim())
    expect(example?.text).toMatch(/You do not want such mail\? http\S+\/unsubscribe\/…\s*$/)
    expect(await estimate()).toMatchObject({ to_send: 0, example: null })
  })

  it('skips a suppressed address that was typed in quotes which it does not need', async () => {
    await ready(0)
    await app.context.db
      .insertInto('suppressions')
      .values({
        user_id: user.id,
        address_key: 'ana@customer.example',
        reason: 'unsubscribed',
        email_id: null,
        created_at: new Date(),
      })
      .execute()
    const body = { name: 'Ana', email: '"Ana"@customer.example' }
    expect((await call(app.url, contacts.add, { token: user.token, body })).status).toBe(200)
    expect((await run()).body.results.map(({ reason }) => reason)).toEqual(['Has unsubscribed'])
    expect(sink.count).toBe(0)
    const again = await call(app.url, contacts.add, {
      token: user.token,
      body: { name: 'Ana', email: 'ana@customer.example' },
    })
    expect(again.status).toBe(409)
  })

  it('skips contacts mailed before, bounced or unsubscribed, each with the reason', async () => {
    await ready(2)
    await run()
    await addContacts(app.url, user, 2, 2)
    await app.context.db
      .insertInto('suppressions')
      .values({
        user_id: user.id,
        address_key: 'person2@customer.example',
        reason: 'bounced',
        email_id: null,
        created_at: new Date(),
      })
      .execute()
    await app.context.db
      .insertInto('suppressions')
      .values({
        user_id: user.id,
        address_key: 'person3@customer.example',
        reason: 'unsubscribed',
        email_id: null,
        created_at: new Date(),
      })
      .execute()
    sink.clear()
    const { body } = await run()
    expect(sink.count).toBe(0)
    expect(body.summary).toMatchObject({ total: 4, sent: 0, skipped: 4 })
    expect(body.results.map((result) => result.reason)).toEqual([
      'Already emailed before',
      'Already emailed before',
      'Mail to this address came back',
      'Has unsubscribed',
    ])
    expect(body.message).toBe('2 contact(s) already had emails sent. 2 contact(s) were skipped.')
  })

  it('reports what is missing', async () => {
    user = await signUp(app.url)
    expect((await run()).error).toMatchObject({
      detail: 'Please configure your email settings before generating emails.',
      code: 'SMTP_NOT_CONFIGURED',
    })
    await connect(app.url, user)
    expect((await run()).error.detail).toBe('No contacts found. Please add contacts first.')
  })

  it('is joined by a second click, and by ten at once', async () => {
    await ready(5)
    const answers = await Promise.all(Array.from({ length: 10 }, run))
    expect(new Set(answers.map((answer) => answer.body.batch_id)).size).toBe(1)
    expect(sink.count).toBe(5)
  })

  it('can be paused, resumed and cancelled, and reports what was withdrawn', async () => {
    // Ten connections to such a slow server leave time to pause and to cancel.
    await ready(200)
    sink.setScript(({ step }) => (step === 'dot' ? { waitMs: 400 } : undefined))
    const answered = run()
    await sink.waitFor(5)
    const { batch_id } = await current()
    expect((await act(outreach.pause, batch_id)).body).toMatchObject({
      state: 'paused',
      waiting_for: 'You have paused this run.',
    })
    await expect
      .poll(async () =>
        app.context.db
          .selectFrom('deliveries')
          .select('email_id')
          .where('user_id', '=', user.id)
          .where('state', 'in', ['claimed', 'committed'])
          .execute(),
      )
      .toEqual([])
    const held = sink.count
    expect(held).toBeLessThan(195)
    expect((await act(outreach.resume, batch_id)).body.state).toBe('running')
    await sink.waitFor(held + 5)
    const cancelled = (await act(outreach.cancel, batch_id)).body
    expect(cancelled.state).toBe('cancelled')
    expect((await answered).body.state).not.toBe('done')
    await expect.poll(async () => (await current()).summary.pending).toBe(0)
    const { summary } = await current()
    expect(summary.sent).toBe(sink.count)
    expect(summary.sent + summary.skipped).toBe(200)
    expect((await act(outreach.resume, batch_id)).status).toBe(409)
  })

  it('is shared by two workers, which send each mail once', async () => {
    await ready(80)
    const other = await startTestApp({ database: { url: app.databaseUrl }, roles: ['worker'] })
    try {
      sink.setScript(({ step }) => (step === 'dot' ? { waitMs: 20 } : undefined))
      const { body } = await run()
      expect(body.summary.sent).toBe(80)
      expect(new Set(sink.received.map((mail) => mail.envelope.to[0])).size).toBe(80)
      expect(sink.count).toBe(80)
    } finally {
      await other.end()
    }
  })

  it('works with the number of connections that a server allows', async () => {
    await ready(40)
    const connectionsBefore = sink.connections.total
    sink.setScript(({ step, connection }) => {
      if (step === 'connect')
        return connection - connectionsBefore > 2 ? { reply: '421 4.7.0 Too many connections' } : undefined
      return step === 'dot' ? { waitMs: 10 } : undefined
    })
    const { body } = await run()
    expect(body.summary).toMatchObject({ sent: 40, errors: 0, pending: 0 })
    expect(body.waiting_for).toBeNull()
  })

  it('records a refused address, suppresses it, and goes on', async () => {
    await ready(4)
    sink.setScript(({ step, address }) =>
      step === 'rcpt' && address === 'person2@customer.example'
        ? { reply: '550 5.1.1 No such user' }
        : undefined,
    )
    const { body } = await run()
    expect(body.summary).toMatchObject({ sent: 3, errors: 1 })
    expect(body.results.find((result) => result.status === 'error')?.reason).toContain('No such user')
    const contact = (await call(app.url, contacts.list, { token: user.token })).body.find(
      (row) => row.email === 'person2@customer.example',
    )
    expect(contact?.suppressed).toBe('bounced')
  })

  it('stops trying a server that refuses the password, says so, and loses nothing', async () => {
    await ready(6)
    sink.setScript(({ step }) => (step === 'auth' ? { reply: '535 5.7.8 Wrong password' } : undefined))
    const answered = run()
    await expect.poll(async () => (await current()).waiting_for).toMatch(/Wrong password/)
    sink.setScript(() => undefined)
    app.clock.forward(20 * 60_000)
    await sink.waitFor(6)
    await answered
    await expect.poll(async () => (await current()).summary).toMatchObject({ sent: 6, errors: 0, pending: 0 })
  })
})

describe('unsubscribing', () => {
  let reachable: TestApp
  beforeAll(async () => {
    reachable = await startTestApp({
      environment: { PUBLIC_URL: 'https://howl.example', ALLOW_PRIVATE_MAIL_HOSTS: 'on' },
    })
  })
  afterAll(() => reachable.end())

  it('by the link of a mail: a GET changes nothing, the POST of a mail program does, without a session', async () => {
    const owner = await signUp(reachable.url)
    await connect(reachable.url, owner)
    await addContacts(reachable.url, owner, 1)
    await call(reachable.url, outreach.generateAndSend, { token: owner.token })
    const header = bodies()[0]?.replaceAll(/\r\n\s+/g, ' ') ?? ''
    expect(header).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/im)
    const ways =
      /^List-Unsubscribe: <(https:[^>]+)>, <mailto:ada@muster\.example\?subject=unsubscribe-([^>]+)>\r$/im.exec(
        header,
      )
    const link = new URL(ways?.[1] ?? '')
    const token = link.pathname.split('/').at(-1) ?? ''
    expect([link.origin, token]).toEqual(['https://howl.example', ways?.[2]])
    const look = () => call(reachable.url, emails.unsubscribePage, { params: { token } })
    expect((await look()).body).toEqual({
      address: 'person0@customer.example',
      sender: 'Muster Ltd',
      unsubscribed: false,
    })
    const posted = await fetch(reachable.url + link.pathname, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(posted.status).toBe(200)
    expect((await look()).body.unsubscribed).toBe(true)
    const refused = await call(reachable.url, emails.send, {
      token: owner.token,
      body: { to: 'Person0@customer.example', subject: 'a', content: 'b' },
    })
    expect(refused.status).toBe(400)
    expect(
      (await call(reachable.url, emails.unsubscribe, { params: { token: `${token.slice(0, -1)}x` } })).status,
    ).toBe(404)
  })
})

describe('with a language model', () => {
  let model: ModelServer
  let modelled: TestApp

  async function runWith(answer: ModelAnswer) {
    model.answer(answer)
    user = await signUp(modelled.url)
    await connect(modelled.url, user)
    await addContacts(modelled.url, user, 6)
    return (await call(modelled.url, outreach.generateAndSend, { token: user.token })).body
  }

  beforeAll(async () => {
    model = await startModel('')
    modelled = await startTestApp({ environment: { AI_BASE_URL: model.baseUrl, AI_MODEL: 'test-model' } })
  })
  afterAll(async () => {
    await modelled.end()
    await model.stop()
  })

  it('sends what the model wrote', async () => {
    const text = 'Hello Person, I would like to ask you one honest question about your work this autumn.'
    const body = await runWith(JSON.stringify({ subject: 'One honest question', body: text }))
    expect(body.summary).toMatchObject({ sent: 6, warnings: 0 })
    expect(bodies().filter((raw) => raw.includes('One honest question'))).toHaveLength(6)
  })

  it('begins once with the last AI request of the day: whoever clicks at the same moment joins it', async () => {
    const text = 'Hello Person, I would like to ask you one honest question about your work this autumn.'
    model.answer(JSON.stringify({ subject: 'One honest question', body: text }))
    user = await signUp(modelled.url)
    await connect(modelled.url, user)
    await addContacts(modelled.url, user, 3)
    for (let n = 0; n < 4; n += 1) {
      const body = { message: 'Write me a poem.' }
      expect((await call(modelled.url, assistant.chat, { token: user.token, body })).status).toBe(200)
    }
    const click = () => call(modelled.url, outreach.generateAndSend, { token: user.token })
    const answers = await Promise.all(Array.from({ length: 5 }, click))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.batch_id)).size).toBe(1)
    expect((await click()).status).toBe(429)
  })

  it('also sends text with a character that the database cannot store', async () => {
    const text = 'Hello Person,\0 I would like to ask you one honest question about your work this autumn.'
    const body = await runWith(JSON.stringify({ subject: 'One honest\0 question', body: text }))
    expect(body.summary).toMatchObject({ sent: 6, warnings: 0 })
  })

  it.each([
    ['has no credit left', { status: 402, message: 'Payment required' }],
    ['refuses the key', { status: 401, message: 'Incorrect API key provided' }],
    ['talks rubbish', 'I am a teapot'],
    [
      'leaves gaps',
      JSON.stringify({
        subject: 'Hello {{name}}',
        body: 'Dear [Your Name], I would like to ask you one honest question.',
      }),
    ],
    [
      'puts a link into the text',
      JSON.stringify({
        subject: 'Hello',
        body: 'Please click http://evil.example right now, it is important to me.',
      }),
    ],
  ] as [string, ModelAnswer][])(
    'falls back to the template, counted as a warning, when it %s',
    async (_, answer) => {
      const body = await runWith(answer)
      expect(body.summary).toMatchObject({ sent: 6, warnings: 6, errors: 0 })
      expect(bodies().join('')).not.toMatch(/\{\{|\[Your|evil/)
    },
  )
})
