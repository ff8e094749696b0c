import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { emails } from '#contract/mail/emails.ts'
import { BASE_PATH, pathOf } from '#contract/platform/endpoint.ts'
import { health } from '#contract/platform/health.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { runSql } from '../database/transaction.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  const environment = { RATE_LIMITS: 'on', PUBLIC_URL: 'https://howl.example' }
  app = await startTestApp({ roles: ['web'], environment })
  user = await signUp(app.url)
})
afterAll(() => app.end())

type Headers = Record<string, string>
/** As a browser would: fetch of Node has a Sec-Fetch-Mode of its own. */
async function ask(
  method: string,
  path: string,
  headers: Headers,
): Promise<{ status: number; body: string }> {
  const request = httpRequest(app.url + path, { method, headers }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: await text(response) }
}
const FOREIGN = 'https://shop.example'
const refused = {
  detail: 'This request came from another website. Open Howl directly.',
  code: 'FORBIDDEN',
}

test('a foreign page cannot lock its visitor out, and nothing is held against them', async () => {
  const visitor = { 'X-Forwarded-For': '51.15.1.7' }
  for (let n = 0; n < 24; n += 1) {
    for (const of of [
      { 'Sec-Fetch-Site': 'cross-site', Origin: FOREIGN },
      { 'Sec-Fetch-Site': 'same-site', Origin: 'https://shop.howl.example' },
      { Origin: FOREIGN },
    ] as Headers[]) {
      const { status, body } = await ask('POST', pathOf(auth.login), {
        ...visitor,
        ...of,
        'Content-Type': 'text/plain',
      })
      expect({ status, ...(JSON.parse(body) as object) }).toEqual({
        status: 403,
        ...refused,
      })
    }
    await ask('POST', pathOf(auth.logout), { ...visitor, 'Sec-Fetch-Site': 'cross-site' })
  }
  const body = { email: user.email, password: user.password }
  expect((await call(app.url, auth.login, { body, headers: visitor })).status).toBe(200)
  const { rows } = await runSql(
    app.context.db,
    `SELECT activity_type FROM activities WHERE ip_address = '51.15.1.7' AND activity_type <> 'log_in'`,
  )
  expect(rows).toEqual([])
})

test.each<[string, Headers, boolean]>([
  ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, false],
  [
    'a page of another site that opens a frame',
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
    false,
  ],
  [
    'a link on another site',
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
    true,
  ],
  ['our own page', { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://howl.example' }, true],
  [
    'a page on another port or subdomain',
    { 'Sec-Fetch-Site': 'same-site', Origin: 'https://shop.howl.example' },
    false,
  ],
  ['an image on such a page', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' }, false],
  [
    'a link on such a page',
    { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
    true,
  ],
  ['an address that was typed', { 'Sec-Fetch-Site': 'none' }, true],
  ['an older browser on another site', { Origin: FOREIGN }, false],
  ['an older browser on a page without an origin', { Origin: 'null' }, false],
  ['a page that only begins like ours', { Origin: 'https://howl.example.shop.example' }, false],
  ['a page on another port, in an older browser', { Origin: 'https://howl.example:8443' }, false],
  ['an older browser at PUBLIC_URL', { Origin: 'https://howl.example' }, true],
  [
    '… with a proxy that passes the host on',
    { Origin: 'http://howl.lan', 'X-Forwarded-Host': 'howl.lan:80' },
    true,
  ],
  ['a program', {}, true],
])('%s is told from others', async (_, headers, isLetThrough) => {
  const { status } = await ask('GET', pathOf(health.base), headers)
  expect(status).toBe(isLetThrough ? 200 : 403)
})

test('an older browser at the address that the server listens on is our own page', async () => {
  expect((await ask('GET', pathOf(health.base), { Origin: new URL(app.url).origin })).status).toBe(200)
})

test('mail services unsubscribe from wherever they are, and links in mails lead to their pages', async () => {
  const token = pathOf(emails.unsubscribe, { token: 'unknown' })
  for (const headers of [
    {},
    { 'Sec-Fetch-Site': 'cross-site', Origin: FOREIGN },
    { Origin: 'null' },
  ] as Headers[])
    expect((await ask('POST', token, headers)).status).toBe(404)
  const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
  for (const page of ['/i/token', '/connect-mailbox?code=1&state=2', '/confirm-email?token=1'])
    expect((await ask('GET', page, link)).status).not.toBe(403)
})

test('the description of the calls is under the limit that all calls have', async () => {
  const reader = { 'X-Forwarded-For': '51.15.1.8' }
  const docs = async () =>
    Promise.all(
      ['/api/docs', `${BASE_PATH}/openapi.json`].map(async (path) => (await ask('GET', path, reader)).status),
    )
  expect(await docs()).toEqual([200, 200])
  for (let n = 0; n < 12; n += 1)
    await Promise.all(Array.from({ length: 100 }, () => ask('HEAD', pathOf(health.base), reader)))
  expect(await docs()).toEqual([429, 429])
})
