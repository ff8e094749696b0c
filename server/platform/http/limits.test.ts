import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { devices } from '#contract/accounts/devices.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

const LIMITED = { roles: ['web'], environment: { RATE_LIMITS: 'on' } } as const
const GUESS = { email: 'nobody@howl.example', password: 'guess' }
/** From this address on, each call of a test comes from a place that no other test uses. */
let address = 0
const place = () => `203.0.113.${(address += 1)}`
const at = (ip: string) => ({ 'X-Forwarded-For': ip })

let app: TestApp
/** Another process on the same database. */
let second: TestApp
let user: TestUser

beforeAll(async () => {
  app = await startTestApp(LIMITED)
  second = await startTestApp({ ...LIMITED, database: { url: app.databaseUrl } })
  user = await signUp(app.url)
})
afterAll(async () => {
  await second.end()
  await app.end()
})

const meWith = async (authorization: string, ip = place()) => {
  const headers = { Authorization: authorization, ...at(ip) }
  const response = await fetch(app.url + pathOf(auth.me), { headers })
  return { status: response.status, detail: ((await response.json()) as { detail?: string }).detail }
}

test.each<[string, (token: string) => string]>([
  ['a word behind the token', (token) => `Bearer ${token} x`],
  ['a second token', (token) => `Bearer ${token}, Bearer ${token}`],
  ['two spaces', (token) => `Bearer  ${token}`],
  ['a tab', (token) => `Bearer\t${token}`],
  ['no space', (token) => `Bearer${token}`],
  ['no token', () => 'Bearer'],
  ['no scheme', (token) => token],
  ['another scheme', (token) => `Basic ${token}`],
  ['a quoted token', (token) => `Bearer "${token}"`],
])('a header with %s is refused, and the answer says what it must look like', async (_, header) => {
  expect(await meWith(header(user.token))).toEqual({
    status: 401,
    detail: 'The Authorization header must be “Bearer”, one space and the token.',
  })
})

test('only the token counts, whatever the case of the scheme', async () => {
  for (const scheme of ['Bearer', 'bearer'])
    expect((await meWith(`${scheme} ${user.token}`)).status).toBe(200)
})

test('a user has one limit across sessions, addresses and processes', async () => {
  const { token } = user
  const { body } = await call(second.url, auth.login, {
    body: { email: user.email, password: user.password },
    headers: at(place()),
  })
  const max = mailboxSetup.test.limit?.max ?? 0
  const tryOut = (of: TestApp, session: string) =>
    call(of.url, mailboxSetup.test, { token: session, body: {}, headers: at(place()) })
  for (let count = 0; count < max; count++) {
    const answer = count % 2 === 0 ? await tryOut(app, token) : await tryOut(second, body.token)
    expect(answer.status).toBe(200)
  }
  for (const answer of [await tryOut(app, token), await tryOut(second, body.token)]) {
    expect(answer).toMatchObject({ status: 429, error: { code: 'TOO_MANY_REQUESTS' } })
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
  }
  // Somebody else in the same office has a limit of their own.
  expect((await tryOut(app, (await signUp(app.url)).token)).status).toBe(200)
  for (const each of [app, second]) each.clock.forward((mailboxSetup.test.limit?.seconds ?? 0) * 1000)
  expect((await tryOut(second, token)).status).toBe(200)
})

test('an address has one limit across processes', async () => {
  const max = auth.login.limit?.max ?? 0
  const headers = at(place())
  const guess = async (count: number) => {
    const body = { ...GUESS, email: `nobody${count}@howl.example` }
    return (await call((count % 2 === 0 ? app : second).url, auth.login, { body, headers })).status
  }
  for (let count = 0; count < max; count++) expect(await guess(count)).toBe(401)
  expect([await guess(max), await guess(max + 1)]).toEqual([429, 429])
})

test.each<[string, (n: number) => string, string]>([
  ['a household with IPv6', (n) => `2a02:908:1:2::${(n + 1).toString(16)}`, '2a02:908:1:3::1'],
  [
    'an address in both forms',
    (n) => (n % 2 === 0 ? '198.51.100.9' : '::ffff:198.51.100.9'),
    '::ffff:198.51.100.10',
  ],
])('%s counts as one caller', async (_, ip, neighbour) => {
  const max = auth.login.limit?.max ?? 0
  const guess = async (from: string, name: string) =>
    (await call(app.url, auth.login, { body: { ...GUESS, email: name }, headers: at(from) })).status
  for (let n = 0; n < max; n++) expect(await guess(ip(n), `${ip(n)}@${n}.example`)).toBe(401)
  expect(await guess(ip(max), 'last@howl.example')).toBe(429)
  expect(await guess(neighbour, 'neighbour@howl.example')).toBe(401)
})

test('calls without a session count by address and do not affect those with one', async () => {
  const ip = place()
  const nonsense = () => randomBytes(33).toString('base64url')
  const statuses: number[] = []
  for (let n = 0; n < 320; n++) statuses.push((await meWith(`Bearer ${nonsense()}`, ip)).status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(300)
  expect(statuses.slice(300)).toEqual(Array.from({ length: 20 }, () => 429))
  expect((await meWith(`Bearer ${user.token}`, ip)).status).toBe(200)
})

test.each([
  ['127.0.0.1', '203.0.113.200', '203.0.113.200'],
  // What the client itself claims stands left of what the proxy adds.
  ['127.0.0.1', '1.1.1.1, 203.0.113.201', '203.0.113.201'],
  ['198.51.100.7', '1.1.1.1', '198.51.100.7'],
  ['10.0.0.7', '203.0.113.202', '203.0.113.202'],
  ['127.0.0.1', 'nonsense', '127.0.0.1'],
])('from %s, X-Forwarded-For: %s counts as %s', async (remoteAddress, forwarded, seen) => {
  const behind = await startTestApp({ roles: ['web'], environment: { TRUSTED_PROXIES: '10.0.0.0/24' } })
  try {
    const { email, password } = await signUp(behind.url)
    const answer = await behind.app.inject({
      method: 'POST',
      url: pathOf(auth.login),
      remoteAddress,
      headers: { 'X-Forwarded-For': forwarded },
      payload: { email, password },
    })
    const { token } = answer.json<{ token: string }>()
    const { body } = await call(behind.url, devices.sessions, { token })
    expect(body.find(({ current }) => current)?.ip).toBe(seen)
  } finally {
    await behind.end()
  }
})
