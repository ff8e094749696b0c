import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { devices } from '#contract/accounts/devices.ts'
import { endpoint, pathOf } from '#contract/platform/endpoint.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { profile } from '#contract/accounts/profile.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { findAdministrator, findCaller, holdSession } from '#server/accounts/auth/auth.ts'
import { purgeSessions } from '#server/accounts/auth/purge-sessions.ts'
import { buildServer } from '../http/listen.ts'
import { serve } from '../http/serve.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

type Line = { name?: string; event?: string; level: number; user: number | null } & Record<string, unknown>

const written: string[] = []
const log = pino({ level: 'info', base: null }, { write: (line: string) => void written.push(line) })

/** What the security log contains while `act` runs and a moment later: a call is logged after its answer was sent. */
async function during(act: () => Promise<unknown>, count: number): Promise<Line[]> {
  const from = written.length
  await act()
  const lines = () =>
    written
      .slice(from)
      .map((line) => JSON.parse(line) as Line)
      .filter(({ name }) => name === 'security')
  await expect.poll(() => lines().length, { interval: 10 }).toBeGreaterThanOrEqual(count)
  return lines()
}

/** A new account, whose own line has been written. */
async function newUser(): Promise<TestUser> {
  let user: TestUser | undefined
  await during(async () => void (user = await signUp(app.url)), 1)
  if (user === undefined) throw new Error('no account was opened')
  return user
}

const IP = '203.0.113.9'
const headers = { 'X-Forwarded-For': IP }
let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ environment: { RATE_LIMITS: 'on', LOG_LEVEL: 'info' }, log })
  app.clock.stand()
})
afterAll(() => app.end())

const WHERE = {
  time: expect.any(Number) as number,
  address: IP,
  reqId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
}

test('records new accounts, and successful and failed log-ins', async () => {
  const user = await newUser()
  const logIn = (email: string, password: string) =>
    call(app.url, auth.login, { body: { email, password }, headers })
  expect(await during(() => logIn(user.email, user.password), 1)).toEqual([
    { ...WHERE, level: 30, name: 'security', event: 'log_in', user: user.id },
  ])
  expect(await during(() => logIn(user.email, 'my-other-password'), 1)).toEqual([
    { ...WHERE, level: 40, name: 'security', event: 'log_in_failed', user: user.id },
  ])
  expect(await during(() => logIn('nobody@howl.example', 'my-other-password'), 1)).toEqual([
    { ...WHERE, level: 40, name: 'security', event: 'log_in_failed', user: null },
  ])
  expect(await during(() => signUp(app.url), 1)).toMatchObject([{ event: 'account_opened', level: 30 }])
})

test('records refusals, with and without a user', async () => {
  const refused = { ...WHERE, level: 40, name: 'security', event: 'refused', call: 'GET /api/v1/auth/me' }
  const me = (token?: string) => call(app.url, auth.me, { headers, ...(token && { token }) })
  expect(await during(() => me(), 1)).toEqual([{ ...refused, status: 401, user: null }])
  expect(await during(() => me('nonsense.secret.token'), 1)).toEqual([
    { ...refused, status: 401, user: null },
  ])

  const user = await newUser()
  const server = await buildServer(app.context, { findCaller, findAdministrator, holdSession })
  const admins = endpoint({ method: 'GET', path: '/admins', access: 'admin', summary: '' })
  serve(server, admins, async () => undefined)
  const Authorization = `Bearer ${user.token}`
  const asking = () => server.inject({ url: pathOf(admins), headers: { ...headers, Authorization } })
  expect(await during(asking, 1)).toEqual([
    { ...refused, call: 'GET /api/v1/admins', status: 403, user: user.id },
  ])
  await server.close()
})

test('records a limit once, not for each call that it stops', async () => {
  const user = await newUser()
  const address = { 'X-Forwarded-For': '203.0.113.77' }
  const guess = (n: number) =>
    call(app.url, auth.login, { body: { email: `n${n}@howl.example`, password: 'x' }, headers: address })
  const max = auth.login.limit?.max ?? 0
  const lines = await during(async () => {
    for (let n = 0; n < max + 5; n++) await guess(n)
  }, max + 1)
  expect(lines.filter(({ event }) => event === 'limit_reached')).toMatchObject([
    { limit: 'address', call: 'POST /api/v1/auth/login', address: '203.0.113.77', user: null },
  ])
  const tries = await during(async () => {
    for (let n = 0; n < 6; n++) {
      const body = { email: user.email, password: 'guess' }
      await call(app.url, auth.login, { body, headers: { 'X-Forwarded-For': `198.51.100.${n}` } })
    }
  }, 6)
  expect(tries.at(-1)).toMatchObject({ event: 'limit_reached', limit: 'account', user: user.id })
  const tests = await during(async () => {
    for (let n = 0; n < (mailboxSetup.test.limit?.max ?? 0) + 3; n++)
      await call(app.url, mailboxSetup.test, { token: user.token, body: {} })
  }, 1)
  expect(tests).toMatchObject([{ event: 'limit_reached', limit: 'user', user: user.id }])
})

test('records changed settings by their names', async () => {
  const { token, id } = await newUser()
  const password = 'the-password-of-the-mailbox'
  const saving = () =>
    call(app.url, mailboxSetup.save, {
      token,
      headers,
      body: {
        smtp_host: 'smtp.muster.example',
        smtp_port: 587,
        smtp_from: 'ada@muster.example',
        smtp_username: 'ada',
        smtp_password: password,
      },
    })
  const [saved] = await during(saving, 1)
  expect(saved).toMatchObject({
    event: 'mail_settings_changed',
    user: id,
    address: IP,
    fields: ['smtp_host', 'smtp_port', 'smtp_username', 'smtp_password', 'smtp_from'],
  })
  const practising = () => call(app.url, mailboxSetup.practice, { token, headers })
  expect(await during(practising, 1)).toMatchObject([{ fields: ['practice'], user: id }])
  const leaving = () => call(app.url, mailboxSetup.remove, { token, headers })
  expect(await during(leaving, 1)).toMatchObject([{ fields: ['disconnected'], user: id }])
  const renaming = () => call(app.url, profile.update, { token, headers, body: { username: `new${id}` } })
  expect(await during(renaming, 1)).toMatchObject([{ event: 'user_name_changed', user: id }])
  const back = () => call(app.url, profile.update, { token, headers, body: { username: `old${id}` } })
  const same = () =>
    call(app.url, profile.update, { token, headers, body: { username: `new${id}`, phone: '1' } })
  // The one that changes nothing has no line of its own before that of the next change.
  const lines = await during(async () => {
    await same()
    await back()
  }, 1)
  expect(lines).toMatchObject([{ event: 'user_name_changed', user: id }])
})

test('records how a session ended', async () => {
  const user = await newUser()
  const phone = await call(app.url, auth.login, {
    body: { email: user.email, password: user.password },
    headers: { 'X-Forwarded-For': '198.51.100.90' },
  })
  const { body } = await call(app.url, devices.sessions, { token: user.token })
  const [mine, other] = [true, false].map((current) => body.find((row) => row.current === current)?.id ?? '')
  const ended = { event: 'session_ended', user: user.id, level: 30 }
  const ending = () =>
    call(app.url, devices.endSession, { token: user.token, params: { id: other ?? '' }, headers })
  expect(await during(ending, 1)).toMatchObject([{ ...ended, why: 'ended_elsewhere', session: other }])
  const leaving = () => call(app.url, auth.logout, { token: user.token, headers })
  expect(await during(leaving, 1)).toMatchObject([{ ...ended, why: 'log_out', session: mine, address: IP }])
  expect(phone.status).toBe(200)
})

test('records expired sessions', async () => {
  const user = await newUser()
  const { body } = await call(app.url, devices.sessions, { token: user.token })
  app.clock.forward(15 * 86_400_000)
  const lines = await during(() => purgeSessions(app.context), 1)
  expect(lines.find((each) => each.user === user.id)).toMatchObject({
    event: 'session_ended',
    why: 'expired',
    session: body[0]?.id,
    address: null,
    reqId: null,
  })
})

test('no line contains typed text, a token or a mail address', () => {
  const lines = written.filter((line) => line.includes('"name":"security"')).join('')
  expect(lines.length).toBeGreaterThan(1000)
  expect(lines).not.toMatch(/correct horse|my-other-password|guess|the-password|nonsense|Bearer|ey[\w-]+\.|@/)
})
