import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { auth } from '#contract/accounts/auth.ts'
import { devices } from '#contract/accounts/devices.ts'
import { leaving } from '#contract/operations/leaving.ts'
import { passwordReset } from '#contract/accounts/password-reset.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { accountCommand } from '../../../tests/support/operator-command.ts'
import { adminTokenOf, anAdministrator, setAdmin } from '../../../tests/support/administrators.ts'
import { call, type CallOptions } from '../../../tests/support/client.ts'
import { PASSWORD, signUp } from '../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { newestSystemMail, systemMailTo } from '../../../tests/support/system-mail.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { codeOf, switchTwoStepOn } from '../../../tests/support/two-step.ts'

const HOUR_MS = 3_600_000
const DENIED = 'Access denied. Admin privileges required.'
const WRONG = 'Wrong email or password'

let sink: SmtpSink
let app: TestApp
let place = 0

beforeAll(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({ environment: systemMailTo(sink) })
})
afterAll(async () => {
  await app.end()
  await sink.stop()
})

/** Headers of a caller whom no other test has seen. */
const elsewhere = () => ({ 'X-Forwarded-For': `198.51.100.${(place += 1)}` })
const logIn = (options: CallOptions<typeof adminAuth.login>) => call(app.url, adminAuth.login, options)
const me = (token: string) => call(app.url, adminAuth.me, { token })

describe('the first start', () => {
  it('prints a claim link that makes one administrator, once', async () => {
    const { claimLink, accessCodes } = app.welcome
    expect(accessCodes).toHaveLength(2)
    const token = new URL(claimLink ?? '').searchParams.get('token') ?? ''
    expect(claimLink).toMatch(/\/claim\?token=[\w-]{43}$/)

    const body = { token, name: 'Olga Operator', email: 'olga@howl.example', password: PASSWORD }
    const weak = await call(app.url, adminAuth.claim, { body: { ...body, password: 'password123' } })
    expect(weak).toMatchObject({ status: 400, error: { fields: { password: expect.any(String) } } })
    const taken = await signUp(app.url, { email: 'taken@howl.example' })
    const again = await call(app.url, adminAuth.claim, { body: { ...body, email: taken.email } })
    expect(again.error.detail).toContain('npm run account -- make-admin taken@howl.example')

    const both = await Promise.all(
      ['olga@howl.example', 'other@howl.example'].map((email) =>
        call(app.url, adminAuth.claim, { body: { ...body, email } }),
      ),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const made = both.find(({ status }) => status === 200)
    const late = both.find(({ status }) => status === 400)
    expect(late?.error.detail).toContain('This link was used before')
    expect((await me(made?.body.token ?? '')).body).toMatchObject({ name: 'Olga Operator', is_admin: true })
  })

  it('makes codes and link once: the next start says nothing', async () => {
    const next = await startTestApp({ database: { url: app.databaseUrl } })
    expect(next.welcome).toEqual({ claimLink: null, accessCodes: null })
    await next.end()
  })

  it('offers a link for 24 hours, and a new one at each start until there is an administrator', async () => {
    const house = await startTestApp()
    const next = await startTestApp({ database: { url: house.databaseUrl }, clock: house.clock })
    const tokens = [house, next].map(({ welcome }) =>
      new URL(welcome.claimLink ?? '').searchParams.get('token'),
    )
    const body = { name: 'Olga', email: 'olga@howl.example', password: PASSWORD }
    house.clock.forward(24 * HOUR_MS + 1000)
    for (const token of tokens) {
      const answer = await call(house.url, adminAuth.claim, { body: { ...body, token: token ?? '' } })
      expect(answer.error.detail).toContain('older than 24 hours')
    }
    await next.end()
    await house.end()
  })
})

describe('the settings', () => {
  it('make an administrator, give a new password, and name the codes', async () => {
    const ADMIN_EMAIL = 'Boss@howl.example'
    const house = await startTestApp({
      environment: {
        ADMIN_EMAIL,
        ADMIN_PASSWORD: 'the first of two',
        ADMIN_ACCESS_CODES: 'grey wolf, full moon',
      },
    })
    expect(house.welcome).toEqual({ claimLink: null, accessCodes: null })
    for (const [code, status] of [
      ['full moon', 200],
      [' grey wolf ', 200],
      ['Full moon', 400],
      ['', 400],
    ] as const)
      expect((await call(house.url, adminAuth.accessCode, { body: { code } })).status).toBe(status)
    const first = { email: 'boss@howl.example', password: 'the first of two' }
    const before = await call(house.url, adminAuth.login, { body: first })
    expect(before.body.user).toMatchObject({ email: ADMIN_EMAIL, is_admin: true })

    const next = await startTestApp({
      database: { url: house.databaseUrl },
      environment: { ADMIN_EMAIL, ADMIN_PASSWORD: 'the second of two' },
    })
    expect((await call(house.url, adminAuth.login, { body: first })).status).toBe(401)
    const second = { ...first, password: 'the second of two' }
    expect((await call(house.url, adminAuth.login, { body: second })).status).toBe(200)
    expect((await call(house.url, adminAuth.me, { token: before.body.token })).status).toBe(401)
    await next.end()
    await house.end()
  })
})

describe('the log-in', () => {
  it('takes an access code, then the credentials, and checks a proof where one is sent', async () => {
    const admin = await anAdministrator(app)
    const { email, password } = admin
    const wrong = await call(app.url, adminAuth.accessCode, { body: { code: 'abcd' }, headers: elsewhere() })
    expect(wrong).toMatchObject({ status: 400, error: { detail: 'Invalid access code. Access denied.' } })
    const [code = ''] = app.welcome.accessCodes ?? []
    const { body } = await call(app.url, adminAuth.accessCode, { body: { code: code.toUpperCase() } })
    expect((await logIn({ body: { email, password, proof: body.proof } })).status).toBe(200)
    for (const proof of ['', 'nonsense', `${Date.now() + 9e9}.x.y`, `9${body.proof}`])
      expect((await logIn({ body: { email, password, proof } })).error).toMatchObject({
        fields: { proof: expect.stringContaining('too long ago') },
      })
    app.clock.forward(16 * 60_000)
    expect((await logIn({ body: { email, password, proof: body.proof } })).status).toBe(400)
  })

  it('says the same of a wrong password and of nobody, and lets only administrators in', async () => {
    const admin = await anAdministrator(app)
    const user = await signUp(app.url)
    const headers = elsewhere()
    const wrong = { password: 'not the password' }
    for (const email of [admin.email, user.email, 'nobody@howl.example'])
      expect(await logIn({ body: { email, ...wrong }, headers })).toMatchObject({
        status: 401,
        error: { detail: WRONG },
      })
    const { email, password } = user
    expect(await logIn({ body: { email, password }, headers })).toMatchObject({
      status: 403,
      error: { detail: DENIED },
    })
    expect((await logIn({ body: { email: '', password: '' } })).error.detail).toBe(
      'Please enter both email and password',
    )
  })

  it('asks for the code of two-step sign-in', async () => {
    const admin = await anAdministrator(app)
    const { email, password } = admin
    const { secret } = await switchTwoStepOn(app.url, admin, () => app.clock.now())
    expect(await logIn({ body: { email, password } })).toMatchObject({
      status: 400,
      error: { code: 'TOTP_REQUIRED' },
    })
    expect((await logIn({ body: { email, password, totp: '000000' } })).status).toBe(400)
    const totp = codeOf(secret, app.clock.now())
    expect((await logIn({ body: { email, password, totp } })).status).toBe(200)
  })

  it('slows guesses down by account, by address and as a whole, although RATE_LIMITS is off', async () => {
    const admin = await anAdministrator(app)
    const guess = (email: string, headers: Record<string, string>) =>
      logIn({ body: { email, password: 'not the password' }, headers })
    const statuses = async (count: number, email: () => string, from: () => Record<string, string>) => {
      const said: number[] = []
      for (let each = 0; each < count; each += 1) said.push((await guess(email(), from())).status)
      return said
    }
    app.clock.stand()
    // One account, from many addresses.
    const ofAccount = await statuses(6, () => admin.email, elsewhere)
    expect(ofAccount).toEqual([401, 401, 401, 401, 401, 429])
    expect((await logIn({ body: admin, headers: elsewhere() })).status).toBe(429)
    expect((await logIn({ body: admin })).status).toBe(200)
    app.clock.forward(1500)
    expect((await logIn({ body: admin, headers: elsewhere() })).status).toBe(200)

    // One address, at many accounts.
    const here = elsewhere()
    let serial = 0
    const ofAddress = await statuses(
      11,
      () => `nobody${(serial += 1)}@howl.example`,
      () => here,
    )
    expect(ofAddress.slice(0, 10).every((status) => status === 401)).toBe(true)
    expect(ofAddress[10]).toBe(429)

    // Everybody together.
    const ofAll = await statuses(50, () => `nobody${(serial += 1)}@howl.example`, elsewhere)
    expect(ofAll.at(-1)).toBe(429)
    app.clock.forward(2 * HOUR_MS)
  })

  it('slows guesses at access codes down, and goes on for whoever comes from a known place', async () => {
    await anAdministrator(app)
    const here = elsewhere()
    const guess = (code: string, headers?: Record<string, string>) =>
      call(app.url, adminAuth.accessCode, { body: { code }, ...(headers && { headers }) })
    const said: number[] = []
    for (let each = 0; each < 12; each += 1) said.push((await guess(`code ${each}`, here)).status)
    expect(said.slice(0, 10).every((status) => status === 400)).toBe(true)
    expect(said.slice(10)).toEqual([429, 429])
    const [code = ''] = app.welcome.accessCodes ?? []
    expect((await guess(code, here)).status).toBe(429)
    expect((await guess(code)).status).toBe(200)
    app.clock.forward(2 * HOUR_MS)
  })
})

describe('a session', () => {
  it('ends at log-out, after an hour without use, and after eight hours', async () => {
    const admin = await anAdministrator(app)
    expect((await call(app.url, adminAuth.logout, { token: admin.adminToken })).status).toBe(200)
    expect((await me(admin.adminToken)).status).toBe(401)
    // The user goes on.
    expect((await call(app.url, auth.me, { token: admin.token })).status).toBe(200)

    const idle = await adminTokenOf(app, admin)
    app.clock.forward(HOUR_MS + 1000)
    expect((await me(idle)).status).toBe(401)

    const used = await adminTokenOf(app, admin)
    for (let half = 0; half < 15; half += 1) {
      app.clock.forward(HOUR_MS / 2)
      expect((await me(used)).status).toBe(200)
    }
    app.clock.forward(HOUR_MS / 2)
    expect((await me(used)).status).toBe(401)
  })

  it('ends with a new password and with the account, and stays out of the list of devices', async () => {
    const admin = await anAdministrator(app)
    const { body: listed } = await call(app.url, devices.sessions, { token: admin.token })
    expect(listed).toHaveLength(1)
    await call(app.url, passwordReset.requestLink, { body: { email: admin.email } })
    const { text } = await newestSystemMail(sink, admin.email)
    const token = /token=([\w-]+)/.exec(text)?.[1] ?? ''
    const password = 'another horse battery'
    const answer = await call(app.url, passwordReset.resetByToken, {
      body: { token, new_password: password },
    })
    expect(answer.status).toBe(200)
    expect((await me(admin.adminToken)).status).toBe(401)

    const back = await adminTokenOf(app, { ...admin, password })
    const { body: session } = await call(app.url, auth.login, { body: { email: admin.email, password } })
    await call(app.url, leaving.deleteAccount, { token: session.token })
    expect((await me(back)).error.detail).toBe(DENIED)
  })
})

describe('the last administrator', () => {
  it('cannot go: not by deleting the account, by a command, or by SQL', async () => {
    const house = await startTestApp()
    const admin = await anAdministrator(house, { email: 'only@howl.example' })
    const deleted = await call(house.url, leaving.deleteAccount, { token: admin.token })
    expect(deleted).toMatchObject({
      status: 409,
      error: { detail: expect.stringContaining('You are the only administrator of this Howl.') },
    })
    expect((await call(house.url, auth.me, { token: admin.token })).status).toBe(200)
    const unmade = await accountCommand(house, 'unmake-admin', admin.email)
    expect(unmade).toMatchObject({
      code: 1,
      said: expect.stringContaining('only administrator of this Howl'),
    })
    await expect(setAdmin(house, admin.id, false)).rejects.toThrow('last administrator')

    // Of two who leave at the same time, one stays.
    const other = await anAdministrator(house, { email: 'other@howl.example' })
    const both = await Promise.all(
      [admin, other].map(({ token }) => call(house.url, leaving.deleteAccount, { token })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await house.end()
  })

  it('is made and unmade by commands, and new codes are made by one', async () => {
    const user = await signUp(app.url)
    expect(await accountCommand(app, 'make-admin', user.email)).toMatchObject({
      code: 0,
      said: expect.stringContaining(`${user.email} is an administrator now`),
    })
    const adminToken = await adminTokenOf(app, user)
    expect((await accountCommand(app, 'make-admin', user.email)).said).toContain(
      'is an administrator already',
    )
    expect((await accountCommand(app, 'unmake-admin', user.email)).code).toBe(0)
    expect(await me(adminToken)).toMatchObject({ status: 403, error: { detail: DENIED } })
    expect((await accountCommand(app, 'unmake-admin', user.email)).said).toContain('is no administrator')
    expect((await accountCommand(app, 'make-admin', 'nobody@howl.example')).code).toBe(1)

    const { said } = await accountCommand(app, 'new-access-codes')
    const codes = said.match(/^\w{4}-\w{4}-\w{4}$/gm) ?? []
    expect(codes).toHaveLength(2)
    const take = async (code = '') =>
      (await call(app.url, adminAuth.accessCode, { body: { code }, headers: elsewhere() })).status
    expect(await take(codes[1])).toBe(200)
    expect(await take(app.welcome.accessCodes?.[0])).toBe(400)
    const { rows } = await runSql(app.context.db, 'SELECT signature FROM admin_access_codes')
    expect(JSON.stringify(rows)).not.toContain((codes[0] ?? 'x').replaceAll('-', ''))
  })
})
