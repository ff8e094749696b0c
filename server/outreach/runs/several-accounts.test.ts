import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { openImap } from '../../platform/gateways/imap.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import { type MailServers, startMailServers, testMail } from '../../../tests/support/mail-servers.ts'
import { setPlan } from '../../../tests/support/plans.ts'
import { addContact, listFolder } from '../../../tests/support/reading.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

// One user with two accounts at two providers.

let app: TestApp
let sales: MailServers
let office: MailServers
let user: TestUser
let [salesId, officeId] = [0, 0]

const USERS = { sales: 'sales secret', office: 'office secret' }
const GONE = 'This email account is no longer connected. Please choose another one.'

beforeAll(async () => {
  ;[app, sales, office] = await Promise.all([
    startTestApp(),
    startMailServers({ users: USERS }),
    startMailServers({ users: USERS }),
  ])
})
afterAll(async () => {
  await app?.end()
  await Promise.all([sales?.stop(), office?.stop()])
})
beforeEach(async () => {
  sales.sink.clear()
  office.sink.clear()
  user = await signUp(app.url)
  await setPlan(app, user, 'starter')
  salesId = await connect('sales', sales)
  officeId = await connect('office', office)
})

async function connect(name: keyof typeof USERS, { sink, dovecot }: MailServers): Promise<number> {
  const { status, body, error } = await call(app.url, mailboxSetup.addAccount, {
    token: user.token,
    body: mailAccountAt(sink, { login: name, password: USERS[name], imap: dovecot }),
  })
  expect(status, JSON.stringify(error)).toBe(200)
  return body.id
}

const MAIL = { to: 'bob@customer.example', subject: 'Hello', content: 'Hello Bob' }
const send = (body: Partial<BodyInput<typeof emails.send>> = {}) =>
  call(app.url, emails.send, { token: user.token, body: { ...MAIL, ...body } })
const sendersAt = ({ sink }: MailServers) => sink.received.map(({ envelope }) => envelope.from)
const check = () => call(app.url, emails.check, { token: user.token })
const disconnect = (id: number) =>
  call(app.url, mailboxSetup.removeAccount, { token: user.token, params: { id } })
const practise = () => call(app.url, mailboxSetup.practice, { token: user.token })
const estimate = (mailbox_id: number) =>
  call(app.url, outreach.estimate, { token: user.token, query: { mailbox_id } })
const run = (mailbox_id?: number) =>
  call(app.url, outreach.generateAndSend, {
    token: user.token,
    ...(mailbox_id === undefined ? {} : { body: { mailbox_id } }),
  })

/** A mail that arrived in Office, as the inbox lists it. */
async function arrived(messageId: string) {
  const raw = testMail({ To: 'office@muster.example', 'Message-ID': `<${messageId}>`, Subject: messageId })
  await office.dovecot.deliver('office', 'INBOX', raw)
  const find = async () => {
    await check()
    return (await listFolder(app, user)).find(({ subject }) => subject === messageId)
  }
  await expect.poll(find).toBeDefined()
  return (await find()) as NonNullable<Awaited<ReturnType<typeof find>>>
}

describe('a mail', () => {
  test('leaves through the account that is named, else through the default, each under its own address', async () => {
    expect((await send()).body).toMatchObject({ from: 'sales@muster.example', mailbox_id: salesId })
    expect((await send({ mailbox_id: officeId })).body).toMatchObject({ from: 'office@muster.example' })
    expect([sendersAt(sales), sendersAt(office)]).toEqual([
      ['sales@muster.example'],
      ['office@muster.example'],
    ])
    await disconnect(officeId)
    expect(await send({ mailbox_id: officeId })).toMatchObject({
      status: 400,
      error: { fields: { mailbox_id: GONE } },
    })
    const stranger = await signUp(app.url)
    const { error } = await call(app.url, emails.send, {
      token: stranger.token,
      body: { ...MAIL, mailbox_id: salesId },
    })
    expect(error.fields).toEqual({ mailbox_id: GONE })
  })

  test('is answered from the account that received it, unless another is chosen', async () => {
    const mail = await arrived('question-1@far.example')
    expect(mail.mailbox_id).toBe(officeId)
    const reply = (more: object = {}) =>
      call(app.url, emails.reply, { token: user.token, body: { email_id: mail.id, body: 'Yes', ...more } })
    expect((await reply()).body.from).toBe('office@muster.example')
    expect((await send({ in_reply_to: 'question-1@far.example' })).body.from).toBe('office@muster.example')
    expect((await reply({ mailbox_id: salesId })).body.from).toBe('sales@muster.example')
    await disconnect(officeId)
    expect((await reply()).body.from).toBe('sales@muster.example')
  })

  test('that answers nobody stays in practice, also a draft from before', async () => {
    const { body: draft } = await call(app.url, emails.saveDraft, {
      token: user.token,
      body: { ...MAIL, mailbox_id: officeId },
    })
    await practise()
    expect((await send({ draft_id: draft.id })).body.from).toBe(user.email)
    expect([...sendersAt(sales), ...sendersAt(office)]).toEqual([])
  })
})

test('a draft keeps its account, and another one can be chosen for it', async () => {
  const save = { token: user.token, body: { ...MAIL, mailbox_id: officeId } }
  const { body: draft } = await call(app.url, emails.saveDraft, save)
  expect(draft).toMatchObject({ from: 'office@muster.example', mailbox_id: officeId })
  const change = async (body: BodyInput<typeof emails.update>) =>
    (await call(app.url, emails.update, { token: user.token, params: { id: draft.id }, body })).body
  expect(await change({ mailbox_id: salesId })).toMatchObject({ from: 'sales@muster.example' })
  expect(await change({ subject: 'Changed' })).toMatchObject({ mailbox_id: salesId })
  await change({ mailbox_id: officeId })
  // An account that is gone meanwhile costs no words.
  expect(await change({ mailbox_id: 987_654_321, subject: 'Kept' })).toMatchObject({
    subject: 'Kept',
    mailbox_id: officeId,
  })
  expect((await send({ draft_id: draft.id })).body.from).toBe('office@muster.example')
  expect(sendersAt(office)).toEqual(['office@muster.example'])

  const scheduled = await send({ schedule_at: new Date(app.clock.now().getTime() + 3_600_000).toISOString() })
  const moved = await call(app.url, emails.update, {
    token: user.token,
    params: { id: scheduled.body.id },
    body: { mailbox_id: officeId },
  })
  expect(moved.body).toMatchObject({ status: 'scheduled', from: 'office@muster.example' })
})

test('a draft is sent from the account that was chosen for it, also where another one holds the mail it answers', async () => {
  const mail = await arrived('question-2@far.example')
  const { body: draft } = await call(app.url, emails.saveDraft, {
    token: user.token,
    body: { ...MAIL, in_reply_to: 'question-2@far.example', mailbox_id: salesId },
  })
  expect([mail.mailbox_id, draft.mailbox_id]).toEqual([officeId, salesId])
  expect((await send({ draft_id: draft.id })).body.from).toBe('sales@muster.example')
  expect(sendersAt(office)).toEqual([])

  const { body: other } = await call(app.url, emails.saveDraft, {
    token: user.token,
    body: { ...MAIL, in_reply_to: 'question-2@far.example', mailbox_id: salesId },
  })
  await disconnect(salesId)
  expect((await send({ draft_id: other.id })).body.from).toBe('office@muster.example')
})

test('a draft that moves to another account leaves no copy behind in the Drafts folder of the first', async () => {
  const draftsAt = async (name: keyof typeof USERS, { dovecot }: MailServers) => {
    const session = await openImap(dovecot.user(name), { guard: app.context.guard })
    try {
      const { exists } = await session.openFolder('Drafts', true)
      return exists
    } finally {
      session.close()
    }
  }
  const places = async () => {
    app.clock.forward(11_000)
    await check()
    return [await draftsAt('sales', sales), await draftsAt('office', office)]
  }
  const { body: draft } = await call(app.url, emails.saveDraft, {
    token: user.token,
    body: { ...MAIL, mailbox_id: officeId },
  })
  await expect.poll(places).toEqual([0, 1])
  await call(app.url, emails.update, {
    token: user.token,
    params: { id: draft.id },
    body: { mailbox_id: salesId, content: 'Hello again' },
  })
  await expect.poll(places).toEqual([1, 0])
  for (let pass = 0; pass < 3; pass++) expect(await places()).toEqual([1, 0])
  const [kept] = await listFolder(app, user, 'drafts')
  expect(kept).toMatchObject({ id: draft.id, mailbox_id: salesId })
})

test('a scheduled mail is not left with an account that was not chosen, without a word', async () => {
  const inAnHour = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
  const { body: scheduled } = await send({ schedule_at: inAnHour })
  await disconnect(officeId)
  const { status, error } = await call(app.url, emails.update, {
    token: user.token,
    params: { id: scheduled.id },
    body: { subject: 'Changed', mailbox_id: officeId },
  })
  expect([status, error?.fields]).toEqual([400, { mailbox_id: GONE }])
  const { body: now } = await call(app.url, emails.get, { token: user.token, params: { id: scheduled.id } })
  expect(now).toMatchObject({ subject: 'Hello', mailbox_id: salesId })
})

test('a mail whose account was disconnected says what it waits for, and leaves once that is connected again', async () => {
  const inAMinute = new Date(app.clock.now().getTime() + 60_000).toISOString()
  expect((await send({ mailbox_id: officeId, schedule_at: inAMinute })).body.status).toBe('scheduled')
  await disconnect(officeId)
  app.clock.forward(61_000)
  const delivery = async () => (await listFolder(app, user, 'sent'))[0]?.delivery
  const reason =
    'office@muster.example is disconnected. Connect it again in your email settings to send this email.'
  await expect.poll(delivery).toMatchObject({ state: 'queued', reason })
  await connect('office', office)
  const afterAMoment = () => {
    app.clock.forward(15_000)
    return delivery()
  }
  await expect.poll(afterAMoment, { interval: 300 }).toEqual({ state: 'sent' })
  expect(sendersAt(office)).toEqual(['office@muster.example'])
})

test('mail is read from all accounts, and a failure says whose it is', async () => {
  await sales.dovecot.deliver('sales', 'INBOX', testMail({ To: 'sales@muster.example', Subject: 'To sales' }))
  await office.dovecot.deliver(
    'office',
    'INBOX',
    testMail({ To: 'office@muster.example', Subject: 'To office' }),
  )
  const places = async () => {
    expect((await check()).status).toBe(200)
    const mails = await listFolder(app, user)
    return ['To sales', 'To office'].map(
      (sought) => mails.find(({ subject }) => subject === sought)?.mailbox_id,
    )
  }
  await expect.poll(places).toEqual([salesId, officeId])

  await call(app.url, mailboxSetup.saveAccount, {
    token: user.token,
    params: { id: officeId },
    body: { imap_password: 'wrong' },
  })
  const failed = await check()
  expect(failed.status).toBe(400)
  expect(failed.error.detail).toContain('office@muster.example: ')
  const { body } = await call(app.url, mailboxes.accounts, { token: user.token })
  expect(body.find(({ id }) => id === officeId)?.last_error).toMatch(/password/)
  expect(body.find(({ id }) => id === salesId)).toMatchObject({ last_error: null, reads_replies: true })
})

describe('a run', () => {
  test('goes through the chosen account, while other mail leaves through another', async () => {
    for (const name of ['kim', 'lee', 'lou']) await addContact(app, user, `${name}@people.example`, name)
    expect((await estimate(officeId)).body).toMatchObject({ to_send: 3, configured: true, practice: false })
    const [ran, sent] = await Promise.all([run(officeId), send()])
    expect(ran.body.summary).toMatchObject({ sent: 3 })
    expect(sent.body.from).toBe('sales@muster.example')
    expect(sendersAt(office)).toEqual(Array.from({ length: 3 }, () => 'office@muster.example'))
    expect(sendersAt(sales)).toEqual(['sales@muster.example'])
  })

  test('takes as long as the limit of its account allows', async () => {
    for (const name of ['kim', 'lee', 'lou']) await addContact(app, user, `${name}@people.example`, name)
    await call(app.url, mailboxSetup.saveAccount, {
      token: user.token,
      params: { id: officeId },
      body: { hourly_limit: 1 },
    })
    expect((await estimate(officeId)).body.seconds).toBe(3 * 3600)
    expect((await estimate(salesId)).body.seconds).toBe(1)
  })

  test('is refused through an account of somebody else, and through one’s own during practice', async () => {
    await addContact(app, user, 'kim@people.example', 'Kim')
    const stranger = await signUp(app.url)
    for (const endpoint of [outreach.generateAndSend, outreach.estimate]) {
      const named =
        endpoint === outreach.estimate
          ? { query: { mailbox_id: salesId } }
          : { body: { mailbox_id: salesId } }
      const { status, error } = await call(app.url, endpoint, { token: stranger.token, ...named })
      expect([status, error.fields]).toEqual([400, { mailbox_id: GONE }])
    }
    await practise()
    const { status, error } = await run(officeId)
    expect(status).toBe(400)
    expect(error.detail).toContain('You are practising')
    expect(sendersAt(office)).toEqual([])
  })

  test('does not begin while practice does, at the same moment', async () => {
    await addContact(app, user, 'kim@people.example', 'Kim')
    // Practice is about to begin: it has the user's accounts, and has looked for runs already.
    const looked = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    const practising = inTransaction(app.context.db, async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended('mailboxes', ${user.id}))`.execute(tx)
      await sql`UPDATE mailboxes SET is_primary = false WHERE user_id = ${user.id}`.execute(tx)
      await sql`
        INSERT INTO mailboxes (user_id, is_primary, is_practice, address, created_at)
        VALUES (${user.id}, true, true, ${user.email}, now())`.execute(tx)
      looked.resolve()
      await began.promise
    })
    await looked.promise
    const running = run(salesId)
    const waiting = async () => {
      const { rows } = await sql`
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(
        app.context.db,
      )
      return rows.length
    }
    await Promise.race([running, expect.poll(waiting).toBeGreaterThan(0)])
    began.resolve()
    await practising
    expect((await running).status).toBe(400)
    expect(sendersAt(sales)).toEqual([])
  })

  test('says so when its account is disconnected, and goes on once it is connected again', async () => {
    for (let at = 0; at < 3; at++) await addContact(app, user, `person${at}@people.example`, `Person ${at}`)
    await call(app.url, mailboxSetup.saveAccount, {
      token: user.token,
      params: { id: officeId },
      body: { hourly_limit: 60 },
    })
    const running = run(officeId)
    await expect.poll(() => office.sink.count).toBeGreaterThan(0)
    await disconnect(officeId)
    const current = async () => (await call(app.url, outreach.current, { token: user.token })).body
    expect(await current()).toMatchObject({
      done: false,
      waiting_for:
        'office@muster.example is disconnected. Connect it again in your email settings to go on, or cancel this run.',
    })
    // The account that is left does not send the rest.
    expect(sendersAt(sales)).toEqual([])
    expect(await connect('office', office)).toBe(officeId)
    const onwards = async () => {
      app.clock.forward(60_000)
      return (await current())?.summary.sent
    }
    await expect.poll(onwards, { interval: 300 }).toBe(3)
    await running
    expect(sendersAt(office)).toHaveLength(3)
  })
})
