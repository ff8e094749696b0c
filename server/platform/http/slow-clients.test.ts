import { connect as dial, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { emails } from '#contract/mail/emails.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { events } from '#contract/platform/events.ts'
import { authRoutes, findAdministrator, findCaller, holdSession } from '#server/accounts/auth/auth.ts'
import { emailRoutes } from '#server/mail/emails/emails.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { eventRoutes } from './events-route.ts'
import { makeLiveHub } from './events.ts'
import { buildServer } from './listen.ts'
import type { Server } from './server.ts'
import { CONNECTIONS_MAX, PATIENCE, type Patience } from './slow-clients.ts'
import { serveStaticFiles } from './static-files.ts'

/** The real limits, about fifty times shorter. */
const SHORT = { head: 500, request: 60_000, idle: 500, body: 1500, bodyBytes: 3000, check: 50 }

let app: TestApp
let user: TestUser
let server: Server
/** One that is more patient with bodies: a moment in which this process stands still is not the steady client's fault. */
let patient: Server
let port: number
const hub = makeLiveHub(() => {})

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  user = await signUp(app.url)
  server = await listening(SHORT)
  patient = await listening({ ...SHORT, body: 5000 })
  port = portOf(server)
})
afterAll(async () => {
  hub.close()
  await Promise.all([server.close(), patient.close()])
  await app.end()
})

async function listening(patience: Patience): Promise<Server> {
  const built = await buildServer(app.context, { findCaller, findAdministrator, holdSession }, patience)
  authRoutes(built, [])
  emailRoutes(built)
  eventRoutes(built, hub)
  await serveStaticFiles(built)
  await built.listen({ port: 0, host: '127.0.0.1' })
  return built
}

function portOf({ server: listening }: Server): number {
  const address = listening.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A client that says `beginning` and goes on with `drop` now and then; `answer` is all that it gets until the end. */
function client(beginning: string, drop = '', at = port): { socket: Socket; answer: Promise<string> } {
  const socket = dial(at, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(beginning)
  const timer = setInterval(() => {
    if (drop !== '') socket.write(drop)
  }, 100)
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
    clearInterval(timer)
  })
  // A byte that arrives at the end of the connection resets it; what was answered before still counts.
  const answer = new Promise<string>((resolve) => {
    socket.once('close', () => {
      clearInterval(timer)
      resolve(text)
    })
  })
  return { socket, answer }
}

const head = (path: string, length: number, type: string) =>
  `POST ${path} HTTP/1.1\r\nHost: howl.example\r\nAuthorization: Bearer ${user.token}\r\n` +
  `Content-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
const chunkedHead = (path: string, type: string) =>
  head(path, 0, type).replace('Content-Length: 0', 'Transfer-Encoding: chunked')
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const LOG_IN = pathOf(auth.login)
const UPLOAD = pathOf(emails.upload)
const FORM = 'multipart/form-data; boundary=b'
const PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
const GET = 'GET /api/v1/none HTTP/1.1\r\nHost: howl.example\r\n\r\n'

test.each([
  ['a head that drips', () => client('GET / HTTP/1.1\r\nX-Slow: ', 'a'), 408],
  ['a caller that says nothing', () => client(''), 408],
  ['a body that drips', () => client(`${head(LOG_IN, 100_000, 'application/json')}{"email":"`, 'a'), 408],
  ['an upload that drips', () => client(head(UPLOAD, 100_000, FORM) + PART, 'a'), 408],
  ['an upload that stops', () => client(head(UPLOAD, 100_000, FORM) + PART), 408],
  ['a body that nobody reads', () => client(head('/api/v1/none', 100_000, FORM), 'a'), 404],
  ['a connection that is not used any more', () => client(GET), 404],
])('%s ends', async (_, begin, status) => {
  const text = await begin().answer
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    detail: expect.stringMatching(/\.$/) as string,
  })
})

test('a slow but steady upload and a stream of events survive while slower ones are ended', async () => {
  const at = portOf(patient)
  const stream = await fetch(`http://127.0.0.1:${at}${pathOf(events.stream)}`, {
    headers: { Authorization: `Bearer ${user.token}` },
  })
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()

  const end = '\r\n--b--\r\n'
  const piece = 'x'.repeat(1500)
  const slow = client(chunkedHead(UPLOAD, FORM) + chunk(PART), '', at)
  // Two stalling clients, one after the other, mark the time: the steady one takes longer than they may.
  for (const dripping of [0, 1]) {
    const other = client(`${head(LOG_IN, 100_000, 'application/json')}{"email":"`, 'a', at)
    while (!other.socket.closed) {
      slow.socket.write(chunk(piece))
      await pause(60)
    }
    expect([dripping, slow.socket.destroyed]).toEqual([dripping, false])
  }
  const { promise, resolve } = Promise.withResolvers<string>()
  slow.socket.on('data', (answer) => resolve(String(answer)))
  slow.socket.write(`${chunk(end)}0\r\n\r\n`)
  expect(await promise).toMatch(/^HTTP\/1\.1 200 /)

  hub.receive(JSON.stringify({ userId: user.id, event: { topic: 'contacts' } }))
  let told = ''
  while (!told.includes('contacts')) told += new TextDecoder().decode((await reader.read()).value)
  expect(told).toContain('data: {"topic":"contacts"}')
  await reader.cancel()
})

/** The next answer on a connection that stays; '' when it ends instead. */
async function ask(socket: Socket): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const onEnd = () => resolve('')
  socket.once('data', (chunk) => resolve(String(chunk))).once('close', onEnd)
  if (socket.destroyed) onEnd()
  else socket.write(GET)
  return promise.finally(() => socket.off('close', onEnd))
}

const connectionsOf = ({ server: listening }: Server) =>
  new Promise<number>((resolve) => listening.getConnections((_, count) => resolve(count)))

test('a caller beyond the connections that are held at once is let go; those that are there are answered', async () => {
  const full = await buildServer(app.context, { findCaller, findAdministrator, holdSession }, PATIENCE, 3)
  await full.listen({ port: 0, host: '127.0.0.1' })
  const begin = () => client('', '', portOf(full))
  const held = Array.from({ length: 3 }, begin)
  try {
    for (const { socket } of held) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 404 /)
    const surplus = Array.from({ length: 4 }, begin)
    for (const { answer } of surplus) expect(await answer).toBe('')
    for (const { socket } of held) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 404 /)

    // The place of one that leaves is the next caller's.
    const [leaving] = held.splice(0, 1)
    leaving?.socket.end()
    await expect.poll(() => connectionsOf(full)).toBe(2)
    const next = begin()
    held.push(next)
    expect(await ask(next.socket)).toMatch(/^HTTP\/1\.1 404 /)
  } finally {
    for (const { socket } of held) socket.destroy()
    await full.close()
  }
})

test('in life so many connections are held that each tab of a house may have its own', async () => {
  const inLife = await buildServer(app.context, { findCaller, findAdministrator, holdSession })
  expect(inLife.server.maxConnections).toBe(CONNECTIONS_MAX)
  expect(CONNECTIONS_MAX).toBeGreaterThanOrEqual(1000)
  await inLife.close()
})

test('in life 25 MB pass over a slow line of a phone', () => {
  const slowest = (25 * 1024 * 1024) / (PATIENCE.request / 1000)
  expect((slowest * 8) / 1000).toBeLessThan(64)
  expect(PATIENCE.bodyBytes / (PATIENCE.body / 1000)).toBeLessThan(slowest)
  expect(PATIENCE.head).toBeLessThan(PATIENCE.request)
})
