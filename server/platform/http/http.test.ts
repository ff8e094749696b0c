import { once as onceOn } from 'node:events'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect as dial, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { auth } from '#contract/accounts/auth.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { CONTRACT } from '#contract/contract.ts'
import { BASE_PATH, endpoint, pathOf } from '#contract/platform/endpoint.ts'
import { emails } from '#contract/mail/emails.ts'
import { errorBody } from '#contract/platform/errors.ts'
import { events } from '#contract/platform/events.ts'
import { health } from '#contract/platform/health.ts'
import { id } from '#contract/platform/values.ts'
import { findAdministrator, findCaller, holdSession } from '#server/accounts/auth/auth.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { sql } from '../../../tests/support/sql.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connect } from '../database/connect.ts'
import { invalidInput } from '../errors.ts'
import { healthRoutes } from './health-routes.ts'
import { callKey, once } from './idempotency.ts'
import { buildServer } from './listen.ts'
import { serve } from './serve.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  user = await signUp(app.url)
})
afterAll(() => app.end())

const bearer = () => ({ Authorization: `Bearer ${user.token}` })
const ask = (path: string, init: RequestInit = {}) => fetch(app.url + path, init)

/** Every error has the same shape; returns its status and sentence. */
async function errorOf(
  response: Response,
): Promise<{ status: number; detail: string; code: string | undefined }> {
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
  const body = errorBody.parse(await response.json())
  return { status: response.status, detail: body.detail, code: body.code }
}

test('an unknown path is answered with one sentence, with and without a session', async () => {
  const nothing = { status: 404, detail: 'There is nothing here.', code: 'NOT_FOUND' }
  expect(await errorOf(await ask(`${BASE_PATH}/no/such/call`))).toEqual(nothing)
  expect(
    await errorOf(await ask(`${BASE_PATH}/no/such/call`, { method: 'POST', headers: bearer() })),
  ).toEqual(nothing)
})

test('an unsupported method is refused in the same shape', async () => {
  expect(
    await errorOf(await ask(`${BASE_PATH}/auth/me`, { method: 'PATCH', headers: bearer() })),
  ).toMatchObject({
    status: 404,
  })
})

test.each([
  ['broken JSON', 'application/json', '{"email": ', 400, 'INVALID_INPUT'],
  ['an empty body that says it is JSON', 'application/json', '', 400, 'INVALID_INPUT'],
  ['JSON that is no object', 'application/json', '[1]', 400, 'INVALID_INPUT'],
  ['another content type', 'text/xml', '<login/>', 415, 'UNSUPPORTED_TYPE'],
])('%s is refused with a sentence', async (_, type, body, status, code) => {
  const response = await ask(pathOf(auth.login), { method: 'POST', headers: { 'Content-Type': type }, body })
  expect(await errorOf(response)).toMatchObject({
    status,
    code,
    detail: expect.stringMatching(/\.$|kind$/) as string,
  })
})

test('a body that is too large is refused before it has arrived', async () => {
  const status = await new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': 50 * 1024 * 1024 }
    const call = httpRequest(app.url + pathOf(auth.login), { method: 'POST', headers })
    call.on('response', (response) => {
      resolve(response.statusCode)
      call.destroy()
    })
    call.on('error', reject)
    call.write('{"email":"')
  })
  expect(status).toBe(413)
})

test('a call takes as much JSON as its own limits need, and no more', async () => {
  const post = async (path: string, body: unknown, headers = {}) =>
    errorOf(
      await ask(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    )
  const tooLarge = { status: 413, detail: 'This is too large.', code: 'TOO_LARGE' }
  const long = 'a'.repeat(150_000)
  expect(await post(pathOf(auth.login), { email: 'a@b.co', password: long })).toEqual(tooLarge)
  const ids = Array.from({ length: 10_000 }, (_, n) => Number.MAX_SAFE_INTEGER - n)
  expect(await post(pathOf(contacts.removeMany), { ids, expected: 1 }, bearer())).toMatchObject({
    status: 409,
  })
  expect(await post(pathOf(contacts.add), { notes: long }, bearer())).toEqual(tooLarge)
  // Files come in another form.
  expect(await post(pathOf(emails.upload), { file: long }, bearer())).toEqual(tooLarge)
})

test('JSON that is nested too deeply is refused before it is read', async () => {
  const login = async (levels: number) =>
    errorOf(
      await ask(pathOf(auth.login), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: `{"email":"a","password":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`,
      }),
    )
  const detail = 'This is nested too deeply: at most 32 levels can be read.'
  expect(await login(33)).toEqual({ status: 400, detail, code: 'INVALID_INPUT' })
  expect(await login(40_000)).toMatchObject({ detail })
  expect(await login(32)).toMatchObject({ detail: 'This is missing or not of the right kind' })
})

test.each([
  ['arrays', '[[[]]],'],
  ['numbers', '1,'],
  ['objects', '{"constructor":0},'],
])('JSON with too many values is refused before it is read: %s', async (_, unit) => {
  const body = `[${unit.repeat(((emails.saveDraft.bodyMax ?? 0) - 8) / unit.length)}0]`
  const response = await ask(pathOf(emails.saveDraft), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...bearer() },
    body,
  })
  const detail = 'This has too many values: at most 25000 can be read at once.'
  expect(await errorOf(response)).toEqual({ status: 400, detail, code: 'INVALID_INPUT' })
})

test('what fits none of several kinds is refused with the sentence of the one that it almost is', async () => {
  const response = await ask(pathOf(contacts.add), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...bearer() },
    body: JSON.stringify({ name: 'Ada', email: 'ada@lake.example', tags: ['a'.repeat(51)] }),
  })
  expect((await errorOf(response)).detail).toBe('Please keep this under 50 characters')
})

/** The answer to bytes that no client of ours would send. */
async function exchange(text: string): Promise<{ head: string; body: unknown }> {
  const { hostname, port } = new URL(app.url)
  const socket = dial(Number(port), hostname)
  socket.write(text)
  let got = ''
  for await (const chunk of socket as AsyncIterable<Buffer>) got += String(chunk)
  const [head = '', body = ''] = got.split('\r\n\r\n')
  return { head, body: JSON.parse(body) }
}

test.each([
  ['a path that cannot be decoded', `GET ${BASE_PATH}/emails/%zz HTTP/1.1\r\nHost: h`, 400],
  ['a path segment that is too long', `PUT ${BASE_PATH}/emails/${'a'.repeat(500)} HTTP/1.1\r\nHost: h`, 414],
  ['a head that is too long', `GET /health HTTP/1.1\r\nHost: h\r\nX-Long: ${'a'.repeat(40_000)}`, 431],
  ['what is not HTTP', 'HELLO', 400],
  ['a method that nobody knows', 'BREW /health HTTP/1.1\r\nHost: h', 400],
  ['a request for no host', 'GET /health HTTP/1.1', 400],
  [
    'an unknown expectation',
    `POST ${pathOf(auth.login)} HTTP/1.1\r\nHost: h\r\nExpect: tea\r\nContent-Length: 0`,
    417,
  ],
  [
    'two lengths',
    `POST ${pathOf(auth.login)} HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 3`,
    400,
  ],
])('%s is refused in the usual shape', async (_, text, status) => {
  const { head, body } = await exchange(`${text}\r\nConnection: close\r\n\r\n`)
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(head).toMatch(/^Content-Type: application\/json/im)
  expect(head).toMatch(/^Cache-Control: no-store/im)
  expect(Object.keys(errorBody.parse(body))).toEqual(Object.keys(body as object))
  expect(body).toMatchObject({ detail: expect.stringMatching(/\.$/) as string })
})

test('a compressed body is refused, whatever it holds', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
  const answer = await ask(pathOf(auth.login), { method: 'POST', headers, body: gzipSync('{}') })
  expect(answer.headers.get('Accept-Encoding')).toBe('identity')
  expect(await errorOf(answer)).toMatchObject({ status: 415, code: 'UNSUPPORTED_TYPE' })
})

test('personal data is never cached', async () => {
  const own = [
    ask(pathOf(auth.me), { headers: bearer() }),
    ask(pathOf(auth.me)),
    ask(pathOf(contacts.list), { headers: bearer() }),
    ask(pathOf(contacts.export), { headers: bearer() }),
    ask(`${BASE_PATH}/none`),
    ask('/health'),
  ]
  for (const answer of await Promise.all(own)) expect(answer.headers.get('Cache-Control')).toBe('no-store')
})

test('only pages are served from the build', async () => {
  for (const path of ['/.stamp', '/%2estamp', '/assets/../.stamp', '/assets/.hidden', '/.well-known/x'])
    expect([path, (await ask(path)).status]).toEqual([path, 404])
})

test('a trailing slash is optional', async () => {
  for (const path of ['/auth/me', '/auth/me/', '/contacts', '/contacts/']) {
    expect((await ask(BASE_PATH + path, { headers: bearer() })).status).toBe(200)
  }
})

test('every answer carries a strict content policy and forbids sniffing', async () => {
  for (const path of ['/', `${BASE_PATH}/auth/me`, `${BASE_PATH}/docs`]) {
    const { headers } = await ask(path)
    const policy = headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("object-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
  }
})

test('an internal error reveals nothing about the server', async () => {
  const broken = await startTestApp({ roles: ['web'] })
  try {
    const { token } = await signUp(broken.url)
    await sql(broken.databaseUrl, 'ALTER TABLE contacts RENAME TO contacts_away')
    const response = await fetch(broken.url + pathOf(contacts.list), {
      headers: { Authorization: `Bearer ${token}` },
    })
    const text = await response.clone().text()
    expect(await errorOf(response)).toMatchObject({ status: 500, code: 'INTERNAL' })
    expect(text).not.toMatch(/contacts|relation|select|\.ts|node_modules| at /i)
  } finally {
    await broken.end()
  }
})

test('a page of a list gives the total and the link to the next page', async () => {
  const { token } = await signUp(app.url)
  for (const name of ['One', 'Two', 'Three']) {
    await call(app.url, contacts.add, { token, body: { name, email: `${name}@acme.example` } })
  }
  const first = await call(app.url, contacts.list, { token, query: { page: 1, page_size: 2, sort: 'name' } })
  expect(first.body.map(({ name }) => name)).toEqual(['One', 'Three'])
  expect(first.headers.get('X-Total-Count')).toBe('3')
  const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('Link') ?? '')?.[1] ?? ''
  const second = await ask(next, { headers: { Authorization: `Bearer ${token}` } })
  expect(((await second.json()) as { name: string }[]).map(({ name }) => name)).toEqual(['Two'])
  expect(second.headers.get('Link')).toBeNull()
})

test.each([
  ['DELETE', `${BASE_PATH}/auth/sessions/%00`, undefined, 404],
  ['PUT', `${BASE_PATH}/auth/profile`, { profile_image_url: 'data:image/png;base64,AA\0' }, 400],
])('a NUL is refused as bad input: %s %s', async (method, path, body, status) => {
  const headers = { ...bearer(), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) }
  const answer = await ask(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  expect(answer.status).toBe(status)
})

test('a nonsensical page number is refused', async () => {
  for (const query of ['page=0', 'page_size=1001', 'page=abc', 'limit=-1']) {
    expect(
      await errorOf(await ask(`${pathOf(contacts.list)}?${query}`, { headers: bearer() })),
    ).toMatchObject({
      status: 400,
    })
  }
})

test('the stream tells only its own user what has changed', async () => {
  const other = await signUp(app.url)
  const [mine, theirs] = await Promise.all([openStream(user.token), openStream(other.token)])
  await app.context.live.publish(app.context.db, other.id, { topic: 'meetings' })
  await app.context.live.publish(app.context.db, user.id, { topic: 'contacts' })
  expect(await mine.next()).toEqual({ topic: 'contacts' })
  expect(await theirs.next()).toEqual({ topic: 'meetings' })
  await Promise.all([mine.close(), theirs.close()])
})

test('a log-out ends the streams of the user', async () => {
  const leaving = await signUp(app.url)
  const stream = await openStream(leaving.token)
  await call(app.url, auth.logout, { token: leaving.token })
  expect(await stream.next()).toBeNull()
  expect(
    (await ask(pathOf(events.stream), { headers: { Authorization: `Bearer ${leaving.token}` } })).status,
  ).toBe(401)
})

/**
 * An open stream of events; `next` returns null when the server has ended it. What it tells of the account is left out: a sign-up
 * may still be telling of it.
 */
async function openStream(token: string) {
  const response = await ask(pathOf(events.stream), { headers: { Authorization: `Bearer ${token}` } })
  expect(response.headers.get('Content-Type')).toMatch(/^text\/event-stream/)
  const reader = (response.body as ReadableStream<BufferSource>)
    .pipeThrough(new TextDecoderStream())
    .getReader()
  let text = ''
  const next = async (): Promise<unknown> => {
    for (;;) {
      const data = /^data: (.*)\n\n/m.exec(text)
      if (data !== null) {
        text = text.slice(data.index + data[0].length)
        if (data[1] === '{"topic":"account"}') continue
        return JSON.parse(data[1] ?? '')
      }
      const { done, value } = await reader.read()
      if (done) return null
      text += value
    }
  }
  return { next, close: () => reader.cancel() }
}

test('too many log-ins from one address are refused when limits are on', async () => {
  const limited = await startTestApp({ roles: ['web'], environment: { RATE_LIMITS: 'on' } })
  try {
    // A new name each time: a name has a limit of its own.
    let names = 0
    const max = auth.login.limit?.max ?? 0
    const guess = (headers: Record<string, string> = {}) => {
      const body = { email: `nobody${(names += 1)}@howl.example`, password: 'guess' }
      return call(limited.url, auth.login, { body, headers })
    }
    for (let count = 0; count < max; count++) expect((await guess()).status).toBe(401)
    const held = await guess()
    expect(held).toMatchObject({ status: 429, error: { code: 'TOO_MANY_REQUESTS' } })
    // What a caller claims about itself does not make it somebody else.
    for (const headers of [{ Authorization: 'Bearer of nothing' }, { 'User-Agent': 'another' }])
      expect((await guess(headers)).status).toBe(429)
    expect(Number(held.headers.get('Retry-After'))).toBeGreaterThan(0)
  } finally {
    await limited.end()
  }
})

test('of fifty equal calls at once, one runs and all get its answer', async () => {
  const { work, runs } = slowWork()
  const key = callKey(user.id, '/test', 'fifty', { to: 'kim' })
  const answers = await Promise.all(Array.from({ length: 50 }, () => once(app.context, key, work)))
  expect(runs()).toBe(1)
  expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['"run 1"']))
  expect(await once(app.context, key, work)).toEqual({ status: 200, body: '"run 1"' })
})

test('the same key with another payload, user or route is another call', async () => {
  const { work, runs } = slowWork()
  const other = await signUp(app.url)
  const keys = [
    callKey(user.id, '/test', 'same', { to: 'kim' }),
    callKey(user.id, '/test', 'same', { to: 'lee' }),
    callKey(user.id, '/elsewhere', 'same', { to: 'kim' }),
    callKey(other.id, '/test', 'same', { to: 'kim' }),
  ]
  await Promise.all(keys.map((key) => once(app.context, key, work)))
  expect(runs()).toBe(4)
})

test('the same key for another row is another call', async () => {
  const server = await buildServer(app.context, { findCaller, findAdministrator, holdSession })
  const params = z.object({ id })
  const reply = z.object({ id })
  const path = '/things/:id'
  const things = endpoint({
    method: 'POST',
    path,
    access: 'user',
    summary: '',
    params,
    reply,
    idempotent: true,
  })
  serve(server, things, async (asked) => asked.params)
  const ask = (thing: number) =>
    server.inject({
      method: 'POST',
      url: pathOf(things, { id: thing }),
      headers: { ...bearer(), 'Idempotency-Key': 'same' },
    })
  expect((await ask(1)).json()).toEqual({ id: 1 })
  expect((await ask(2)).json()).toEqual({ id: 2 })
  await server.close()
})

test('a refusal reaches all who waited for it, and a later click tries again', async () => {
  const key = callKey(user.id, '/test', 'refused', {})
  const refuse = async () => {
    await pause(50)
    throw invalidInput('Not like this')
  }
  const told = await Promise.all(
    [1, 2, 3].map(() =>
      once(app.context, key, refuse).then(
        ({ body }) => (JSON.parse(body) as { detail: string }).detail,
        (error: Error) => error.message,
      ),
    ),
  )
  expect(told).toEqual(['Not like this', 'Not like this', 'Not like this'])
  const { work, runs } = slowWork()
  expect(await once(app.context, key, work)).toMatchObject({ status: 200 })
  expect(runs()).toBe(1)
})

test('after two minutes the same call counts as new', async () => {
  const { work, runs } = slowWork()
  const key = callKey(user.id, '/test', 'later', {})
  await once(app.context, key, work)
  app.clock.forward(2 * 60_000 + 1000)
  await once(app.context, key, work)
  expect(runs()).toBe(2)
})

function slowWork() {
  let count = 0
  const work = async () => {
    count += 1
    const body = JSON.stringify(`run ${count}`)
    await pause(50)
    return { status: 200, body }
  }
  return { work, runs: () => count }
}

test('health answers at the root and under the base path, without a session', async () => {
  for (const endpoint of [health.root, health.base]) {
    const { status, body } = await call(app.url, endpoint)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'ok',
      database: 'ok',
      version: expect.stringMatching(/^\d/) as string,
      // This process serves pages, and none does background work.
      worker_lag: null,
    })
  }
})

test.each([
  ['says nothing', true],
  ['is not there', false],
])('health answers 503 quickly while the database %s', async (_, listens) => {
  const dialled: Socket[] = []
  const deaf = createServer((socket) => dialled.push(socket)).listen(0, '127.0.0.1')
  await onceOn(deaf, 'listening')
  const { port } = deaf.address() as AddressInfo
  if (!listens) deaf.close()
  const { db, close } = connect(`postgres://howl@127.0.0.1:${port}/howl`, () => {})
  const server = await buildServer({ ...app.context, db }, { findCaller, findAdministrator, holdSession })
  healthRoutes(server)
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => server.inject({ url: pathOf(health.root) })),
  )
  for (const answer of answers) {
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({
      status: 'degraded',
      database: 'down',
      worker_lag: null,
      detail: 'The database does not answer.',
    })
  }
  expect(db.pool.totalCount).toBeLessThanOrEqual(1)
  await server.close()
  deaf.close()
  // Closing waits for what is still dialled.
  for (const socket of dialled) socket.destroy()
  await close()
})

test('the OpenAPI document and the reference page list every call of the contract', async () => {
  const document = (await (await ask(`${BASE_PATH}/openapi.json`)).json()) as {
    paths: Record<string, object>
  }
  const page = await (await ask('/api/docs')).text()
  const written = new Set(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\/$/, '')}`),
    ),
  )
  const promised = [...CONTRACT.values()].map((endpoint) => {
    const path = (endpoint.root === true ? '' : BASE_PATH) + endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    return `${endpoint.method} ${path.replace(/\/$/, '')}`
  })
  expect(promised.filter((name) => !written.has(name))).toEqual([])
  for (const endpoint of CONTRACT.values()) expect(page).toContain(endpoint.method)
  expect(promised.filter((name) => !page.includes(name.split(' ')[1] ?? ''))).toEqual([])
})
