import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AccountInput, mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import { type PlanName, setPlan } from '../../../tests/support/plans.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { primaryMailbox, smtpAccountOf, mailbox as findMailbox } from './mailboxes.ts'

let app: TestApp
let sink: SmtpSink
let user: TestUser

const PASSWORDS = { sales: 'sales secret', office: 'office secret' }
const NO_ACCOUNT = { status: 404, error: { detail: 'There is no such email account.' } }

beforeAll(async () => {
  sink = await startSmtpSink({ users: PASSWORDS })
  app = await startTestApp({ roles: ['web'] })
})
beforeEach(async () => {
  user = await signUp(app.url)
  await setPlan(app, user, 'starter')
})
afterAll(async () => {
  await app?.end()
  await sink?.stop()
})

/** An account of this name at the sink. */
const account = (name: string, over: AccountInput = {}): AccountInput => ({
  ...mailAccountAt(sink, { login: name, password: `${name} secret` }),
  ...over,
})

const add = (name: string, over: AccountInput = {}, who = user) =>
  call(app.url, mailboxSetup.addAccount, { token: who.token, body: account(name, over) })
const added = async (name: string, over: AccountInput = {}) => {
  const { status, body, error } = await add(name, over)
  expect(status, JSON.stringify(error)).toBe(200)
  return body.id
}
const change = (id: number, body: AccountInput & { primary?: true }, who = user) =>
  call(app.url, mailboxSetup.saveAccount, { token: who.token, params: { id }, body })
const remove = (id: number, who = user) =>
  call(app.url, mailboxSetup.removeAccount, { token: who.token, params: { id } })
const list = async () => (await call(app.url, mailboxes.accounts, { token: user.token })).body
const settings = async () => (await call(app.url, mailboxes.get, { token: user.token })).body
const practise = () => call(app.url, mailboxSetup.practice, { token: user.token })
const leavePractice = () => call(app.url, mailboxSetup.remove, { token: user.token })
/** The address in use, and the default one. */
const inUse = async () => {
  const all = await list()
  return [all.find((row) => row.primary)?.address, all.find((row) => row.default)?.address]
}
const passwordOf = async (id: number) => {
  const row = await findMailbox(app.context.db, user.id, id)
  return row && smtpAccountOf(app.context, row).password
}

describe('the plan', () => {
  test.each([
    ['free', 1, 'Your plan has room for 1 email account. Disconnect it before you add another one.'],
    ['starter', 3, 'Your plan has room for 3 email accounts. Disconnect one before you add another one.'],
    [
      'professional',
      10,
      'Your plan has room for 10 email accounts. Disconnect one before you add another one.',
    ],
  ] as [PlanName, number, string][])('%s has room for %i accounts', async (plan, max, sentence) => {
    await setPlan(app, user, plan)
    await practise()
    for (let at = 1; at <= max; at++) await added(`name${at}`)
    expect(await add('more')).toMatchObject({ status: 409, error: { detail: sentence } })
    expect((await settings()).accounts_max).toBe(max)

    const first = (await list()).find(({ practice }) => !practice)
    await remove(first?.id ?? 0)
    await added('more')
    expect((await add('again')).status).toBe(409)
  })

  test('enterprise has room for any number, and so has everybody where plans do not count', async () => {
    await setPlan(app, user, 'enterprise')
    for (let at = 1; at <= 12; at++) await added(`name${at}`)
    expect((await settings()).accounts_max).toBeNull()

    const unlimited = await startTestApp({ roles: ['web'], environment: { PLAN_LIMITS: 'off' } })
    try {
      const { token } = await signUp(unlimited.url)
      for (const name of ['one', 'two']) {
        const { status } = await call(unlimited.url, mailboxSetup.addAccount, { token, body: account(name) })
        expect(status).toBe(200)
      }
      expect((await call(unlimited.url, mailboxes.get, { token })).body.accounts_max).toBeNull()
    } finally {
      await unlimited.end()
    }
  })

  test('of accounts added at the same moment only as many get in as there is room for', async () => {
    const answers = await Promise.all(['one', 'two', 'three', 'four', 'five', 'six'].map((name) => add(name)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409])
    expect((await list()).filter((row) => row.default)).toHaveLength(1)
    expect((await list()).filter((row) => row.primary)).toHaveLength(1)
  })
})

describe('adding', () => {
  test('the first account is the default, and the settings of before are those of the default', async () => {
    const first = await added('sales')
    const second = await added('office')
    expect(await list()).toMatchObject([
      { id: first, address: 'sales@muster.example', default: true, primary: true, reads_replies: false },
      { id: second, address: 'office@muster.example', default: false, primary: false, connected: true },
    ])
    expect(await settings()).toMatchObject({ configured: true, smtp_from: 'sales@muster.example' })
    await call(app.url, mailboxSetup.save, { token: user.token, body: { hourly_limit: 7 } })
    const { body } = await call(app.url, mailboxes.getAccount, { token: user.token, params: { id: second } })
    expect(body).toMatchObject({ default: false, smtp_username: 'office', hourly_limit: null })
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  test('an address is connected once, however it is written', async () => {
    await added('sales')
    const refusal = {
      status: 400,
      error: { fields: { smtp_from: 'You have connected this address already' } },
    }
    expect(await add('sales', { smtp_from: 'Sales@Muster.example' })).toMatchObject(refusal)
    const second = await added('office')
    expect(await change(second, { smtp_from: 'sales@muster.example' })).toMatchObject(refusal)
    expect((await change(second, { smtp_from: 'office@muster.example' })).status).toBe(200)

    // Somebody else may send from the same address.
    expect((await add('sales', {}, await signUp(app.url))).status).toBe(200)
  })

  test('a server to send by is required, and nothing of another account fills it in', async () => {
    await added('sales')
    const { status, error } = await call(app.url, mailboxSetup.addAccount, {
      token: user.token,
      body: { smtp_from: 'office@muster.example' },
    })
    expect(status).toBe(400)
    expect(Object.keys(error.fields ?? {}).sort()).toEqual([
      'smtp_host',
      'smtp_password',
      'smtp_port',
      'smtp_username',
    ])
  })

  test('an account that was disconnected continues where it was', async () => {
    await added('sales')
    const second = await added('office')
    await remove(second)
    expect(await passwordOf(second).catch(() => 'gone')).toBe('gone')
    expect(await added('office')).toBe(second)
    expect(await passwordOf(second)).toBe('office secret')
  })
})

describe('passwords', () => {
  test('of one account never go to the server of another', async () => {
    const first = await added('sales')
    const second = await added('office', { smtp_port: sink.port, smtp_host: 'localhost' })
    const field = { smtp_password: 'Please enter the password again for the new server' }
    expect(await change(first, { smtp_host: 'localhost' })).toMatchObject({
      status: 400,
      error: { fields: field },
    })
    const tried = (accountId: number | null, body: AccountInput) =>
      call(app.url, mailboxSetup.test, { token: user.token, body: { ...body, account_id: accountId } })
    expect(await tried(second, { smtp_username: 'sales' })).toMatchObject({ error: { fields: field } })
    expect((await tried(second, {})).body.smtp).toEqual({ ok: true, detail: 'Connected and signed in.' })
    expect((await tried(first, {})).body.smtp.ok).toBe(true)

    // A new account has no password yet, even where it names the server and user of a saved one.
    const { smtp_password: _, ...open } = account('sales')
    expect((await tried(null, open)).body.smtp.ok).toBe(false)
    expect(await passwordOf(first)).toBe('sales secret')
    expect(await passwordOf(second)).toBe('office secret')
  })
})

describe('the default', () => {
  test('moves where it is asked to, and to another account when it is disconnected', async () => {
    const first = await added('sales')
    const second = await added('office')
    expect((await change(second, { primary: true })).body).toMatchObject({ id: second, default: true })
    expect(await inUse()).toEqual(['office@muster.example', 'office@muster.example'])
    expect((await primaryMailbox(app.context.db, user.id))?.id).toBe(second)

    const { body } = await remove(second)
    expect(body.find((row) => row.default)).toMatchObject({ id: first, primary: true })
    expect(body.find(({ id }) => id === second)).toMatchObject({ connected: false, default: false })
    await remove(first)
    expect(await inUse()).toEqual([undefined, undefined])
    expect(await settings()).toMatchObject({ configured: false, smtp_host: '' })
    expect((await remove(first)).status).toBe(404)
  })

  test('is the default again after practice, whatever was changed meanwhile', async () => {
    await added('sales')
    const second = await added('office')
    await added('third')
    await change(second, { primary: true })
    await practise()
    expect(await inUse()).toEqual([user.email, 'office@muster.example'])
    expect(await settings()).toMatchObject({ practice: true, smtp_from: 'office@muster.example' })
    await leavePractice()
    expect(await inUse()).toEqual(['office@muster.example', 'office@muster.example'])

    await practise()
    await remove(second)
    expect(await inUse()).toEqual([user.email, 'third@muster.example'])
    await leavePractice()
    expect(await inUse()).toEqual(['third@muster.example', 'third@muster.example'])
  })

  test('can be chosen during practice, which goes on; saving servers of any account ends it', async () => {
    const first = await added('sales')
    const second = await added('office')
    await practise()
    await change(second, { primary: true, hourly_limit: 30 })
    expect(await inUse()).toEqual([user.email, 'office@muster.example'])
    await change(first, { smtp_password: 'sales secret' })
    expect(await inUse()).toEqual(['office@muster.example', 'office@muster.example'])
  })

  test('follow-ups stay on while any account is left', async () => {
    await added('sales')
    const second = await added('office')
    await call(app.url, mailboxSetup.save, { token: user.token, body: { auto_followup_enabled: true } })
    await remove(second)
    expect((await settings()).auto_followup_enabled).toBe(true)
    await leavePractice()
    expect((await settings()).auto_followup_enabled).toBe(false)
  })
})

test('an account of somebody else, or the practice mailbox, is no account of one’s own', async () => {
  const id = await added('sales')
  const other = await signUp(app.url)
  expect(await change(id, { primary: true }, other)).toMatchObject(NO_ACCOUNT)
  expect(await remove(id, other)).toMatchObject(NO_ACCOUNT)
  expect(await call(app.url, mailboxes.getAccount, { token: other.token, params: { id } })).toMatchObject(
    NO_ACCOUNT,
  )
  expect(
    await call(app.url, mailboxSetup.test, { token: other.token, body: { account_id: id } }),
  ).toMatchObject(NO_ACCOUNT)
  await practise()
  const practice = (await list()).find((row) => row.practice)?.id ?? 0
  expect(await remove(practice)).toMatchObject(NO_ACCOUNT)
  expect(await inUse()).toEqual([user.email, 'sales@muster.example'])
})
