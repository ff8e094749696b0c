import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { devices } from '#contract/accounts/devices.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { purgeSessions } from './purge-sessions.ts'
import { findUserByLogin } from './store.ts'

const FREE_TRIES = 5
const DAY_MS = 86_400_000

let app: TestApp
let serial = 0

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'], environment: { RATE_LIMITS: 'on' } })
  app.clock.stand()
})
afterAll(() => app.end())

/** A new address each time: the limit per address has tests of its own. */
const strange = () => `203.${(serial += 1) >> 16}.${(serial >> 8) & 255}.${serial & 255}`

/** A log-in from an address; returns what an attacker sees of the answer. */
async function logIn(email: string, password: string, ip = strange()) {
  const headers = { 'X-Forwarded-For': ip }
  const answer = await call(app.url, auth.login, { body: { email, password }, headers })
  return {
    status: answer.status,
    detail: answer.error.detail,
    after: Number(answer.headers.get('Retry-After')),
    token: answer.body?.token,
  }
}

const guess = (email: string, ip?: string) => logIn(email, `guess ${Math.random()}`, ip)

async function guessAway(email: string, times: number) {
  for (let n = 0; n < times; n++) expect((await guess(email)).status).toBe(401)
}

test('of 100 simultaneous guesses from 100 addresses, five are checked', async () => {
  const { email, token } = await signUp(app.url)
  const answers = await Promise.all(Array.from({ length: 100 }, () => guess(email)))
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(FREE_TRIES)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(100 - FREE_TRIES)
  expect((await call(app.url, auth.me, { token })).status).toBe(200)
})

test('each failure doubles the wait, up to a quarter of an hour', async () => {
  const { email, password } = await signUp(app.url)
  await guessAway(email, FREE_TRIES)
  const waits: number[] = []
  for (let n = 0; n < 12; n++) {
    const { status, after } = await guess(email)
    expect(status).toBe(429)
    waits.push(after)
    // The right password does not get around the delay: that would reveal that it is right.
    expect((await logIn(email, password)).status).toBe(429)
    app.clock.forward(after * 1000)
    expect((await guess(email)).status).toBe(401)
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
})

test('an account that does not exist gets the same answers', async () => {
  const { email, username } = await signUp(app.url)
  const course = async (name: string) => {
    const seen: object[] = []
    for (let n = 0; n < 9; n++) {
      const { token: _, ...answer } = await guess(name)
      seen.push(answer)
      if (n >= FREE_TRIES) app.clock.forward(1000)
    }
    return seen
  }
  const unknown = await course('no-such-account@howl.example')
  expect(unknown.map((answer) => (answer as { status: number }).status)).toContain(429)
  expect(await course(email)).toEqual(unknown)
  // Tries with one name reveal nothing about the other.
  expect(await course(username)).toEqual(unknown)
})

test('other case and blanks in a name count for the same account', async () => {
  const { email } = await signUp(app.url)
  await guessAway(email, FREE_TRIES)
  expect((await guess(` ${email.toUpperCase()}\t`)).status).toBe(429)
})

test('while others guess, the owner can log in from a known place, by either name', async () => {
  const { email, username, password, token } = await signUp(app.url)
  const home = strange()
  expect((await logIn(email, password, home)).status).toBe(200)
  await guessAway(email, FREE_TRIES)
  await guessAway(username, FREE_TRIES)
  expect((await guess(email)).status).toBe(429)
  for (const name of [email, username]) expect((await logIn(name, password, home)).status).toBe(200)
  // That does not help the others, and the earlier session was never affected.
  expect((await guess(email)).status).toBe(429)
  expect((await call(app.url, auth.me, { token })).status).toBe(200)
  // At a known place guesses are counted too.
  for (let n = 0; n < FREE_TRIES; n++) expect((await guess(email, home)).status).toBe(401)
  expect((await logIn(email, password, home)).status).toBe(429)
})

test('failures are forgotten after a successful log-in, and after a day', async () => {
  const { email, password } = await signUp(app.url)
  await guessAway(email, FREE_TRIES - 1)
  expect((await logIn(email, password)).status).toBe(200)
  await guessAway(email, FREE_TRIES)
  expect((await guess(email)).status).toBe(429)
  app.clock.forward(DAY_MS + 1000)
  await guessAway(email, FREE_TRIES)
})

test('typed names are not stored, and nothing is kept for long', async () => {
  const typed = `oops-my-password-${Date.now()}`
  await guessAway(typed, 1)
  const rows = async () =>
    (await runSql(app.context.db, 'SELECT to_jsonb(t)::text AS row FROM log_in_tries t', [])).rows as {
      row: string
    }[]
  const before = await rows()
  expect(before.map(({ row }) => row).join('\n')).not.toContain(typed)
  app.clock.forward(DAY_MS + 1000)
  await purgeSessions(app.context)
  expect((await rows()).filter(({ row }) => row.includes('"place": ""'))).toEqual([])
  app.clock.forward(91 * DAY_MS)
  await purgeSessions(app.context)
  expect(await rows()).toEqual([])
})

test('a large profile does not make a log-in slower', async () => {
  const { email } = await signUp(app.url)
  await runSql(
    app.context.db,
    `UPDATE users SET profile_image_url = repeat('A', 1000000) WHERE email_key = $1`,
    [email.toLowerCase()],
  )
  expect(Object.keys((await findUserByLogin(app.context.db, email)) ?? {})).toEqual(['id', 'password_hash'])
})

test('a session unused for 14 days ends; one in use lasts 30', async () => {
  const [idle, used] = [await signUp(app.url), await signUp(app.url)]
  const me = async (token: string) => (await call(app.url, auth.me, { token })).status
  const isOver = (token: string) => expect.poll(() => me(token), { interval: 100 }).toBe(401)
  // A process that has just looked a session up trusts it for a second, and notes no use.
  const isUsed = async () => {
    const since = app.clock.now()
    const noted = 'SELECT FROM sessions WHERE user_id = $1 AND last_seen_at >= $2'
    await expect
      .poll(async () => {
        expect(await me(used.token)).toBe(200)
        return (await runSql(app.context.db, noted, [used.id, since])).rows.length
      })
      .toBe(1)
  }
  app.clock.forward(13 * DAY_MS)
  await isUsed()
  app.clock.forward(1.5 * DAY_MS)
  await isOver(idle.token)
  await isUsed()
  const { body } = await call(app.url, auth.login, {
    body: { email: idle.email, password: idle.password },
    headers: { 'X-Forwarded-For': strange() },
  })
  const sessions = await call(app.url, devices.sessions, { token: body.token })
  expect(sessions.body).toHaveLength(1)
  app.clock.forward(13 * DAY_MS)
  await isUsed()
  app.clock.forward(3 * DAY_MS)
  await isOver(used.token)
})

test('rows of sessions that are over go, those of living ones stay', async () => {
  const rowsOf = async (id: number) =>
    (await runSql(app.context.db, 'SELECT last_seen_at FROM sessions WHERE user_id = $1', [id])).rows as {
      last_seen_at: Date
    }[]
  const left = async (id: number) => (await rowsOf(id)).length
  // Who was looked at a moment ago is not looked at again.
  const use = async ({ id, token }: { id: number; token: string }) =>
    expect
      .poll(
        async () => {
          const { status } = await call(app.url, auth.me, { token })
          return [status, (await rowsOf(id))[0]?.last_seen_at]
        },
        { interval: 100 },
      )
      .toEqual([200, app.clock.now()])
  const [out, idle, used] = [await signUp(app.url), await signUp(app.url), await signUp(app.url)]
  await call(app.url, auth.logout, { token: out.token })
  app.clock.forward(13 * DAY_MS)
  await use(used)
  await purgeSessions(app.context)
  expect([await left(out.id), await left(idle.id), await left(used.id)]).toEqual([0, 1, 1])
  app.clock.forward(2 * DAY_MS)
  await purgeSessions(app.context)
  expect([await left(idle.id), await left(used.id)]).toEqual([0, 1])
  // However much it is used.
  app.clock.forward(10 * DAY_MS)
  await use(used)
  app.clock.forward(4 * DAY_MS)
  const fresh = await signUp(app.url)
  await purgeSessions(app.context)
  expect(await left(used.id)).toBe(1)
  app.clock.forward(2 * DAY_MS)
  await purgeSessions(app.context)
  expect([await left(used.id), await left(fresh.id)]).toEqual([0, 1])
})

test('a worker clears rows of sessions that are over away by itself', async () => {
  const user = await signUp(app.url)
  const rows = async () =>
    (await runSql(app.context.db, 'SELECT id FROM sessions WHERE user_id = $1', [user.id])).rows.length
  await call(app.url, auth.logout, { token: user.token })
  expect(await rows()).toBe(1)
  const worker = await startTestApp({ database: { url: app.databaseUrl }, roles: ['worker'] })
  try {
    await expect.poll(rows).toBe(0)
  } finally {
    await worker.end()
  }
})
