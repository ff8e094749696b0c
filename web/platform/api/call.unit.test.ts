import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { devices } from '#contract/accounts/devices.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { call, callPage } from './call.ts'
import { ApiError } from './errors.ts'
import { onSessionDoubt, onTokenChange, readToken, storeToken } from './token.ts'

// A mock of fetch plays the server; tests/e2e uses the real one.
const server = vi.fn<(address: string, request: RequestInit) => Promise<Response>>()

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', server)
  server.mockReset()
})
afterEach(() => vi.unstubAllGlobals())

const json = (status: number, body: unknown, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers })
const failure = async (work: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(error instanceof ApiError)) throw new Error(`This is no ApiError: ${String(error)}`)
  return error
}
const mail = { to: 'kim@acme.example', subject: 'Hello', content: 'Good day' }

test('sends the token and the query without empty values, and returns the reply', async () => {
  storeToken('a.b.c')
  server.mockResolvedValue(json(200, [{ id: 1 }], { 'X-Total-Count': '42' }))
  const page = await callPage(contacts.list, { query: { page: 2, search: '', status: 'new' } })
  expect(page).toEqual({ rows: [{ id: 1 }], total: 42 })
  server.mockResolvedValue(json(200, [], { 'X-Total-Count': '0', 'X-Not-Searchable-Yet': '7' }))
  expect(await callPage(emails.list, { query: { search: 'a' } })).toEqual({
    rows: [],
    total: 0,
    notSearchable: 7,
  })
  const [address, request] = server.mock.calls[0] ?? []
  expect(address).toBe('/api/v1/contacts/?page=2&status=new')
  expect(new Headers(request?.headers).get('Authorization')).toBe('Bearer a.b.c')
})

test('sends an Idempotency-Key with a mail and with no other call', async () => {
  server.mockImplementation(() => Promise.resolve(json(200, {})))
  await call(emails.send, { body: mail })
  await call(contacts.add, { body: { name: 'Kim', email: 'kim@acme.example' } })
  const keys = server.mock.calls.map(([, { headers }]) => new Headers(headers).get('Idempotency-Key'))
  expect(keys).toEqual(['kim@acme.example-Hello-Good_day', null])
})

test('sends one request for the same mail asked for three times at once, and a new one afterwards', async () => {
  server.mockImplementation(() => Promise.resolve(json(200, { id: 7 })))
  const replies = await Promise.all([1, 2, 3].map(() => call(emails.send, { body: mail })))
  expect(replies.map(({ id }) => id)).toEqual([7, 7, 7])
  expect(server).toHaveBeenCalledTimes(1)
  await call(emails.send, { body: mail })
  await Promise.all([
    call(emails.send, { body: mail }),
    call(emails.send, { body: { ...mail, to: 'lee@acme.example' } }),
  ])
  expect(server).toHaveBeenCalledTimes(4)
})

test('a refusal carries the message, the code and the fields', async () => {
  const said = {
    detail: 'Please enter a subject',
    code: 'INVALID_INPUT',
    fields: { subject: 'Please enter a subject' },
  }
  server.mockResolvedValue(json(400, said))
  expect(await failure(call(emails.send, { body: mail }))).toMatchObject({
    kind: 'answer',
    status: 400,
    ...said,
  })
})

test("a proxy's page in place of an answer becomes a message of our own", async () => {
  server.mockResolvedValue(new Response('<html>Bad gateway', { status: 502 }))
  const error = await failure(call(auth.me))
  expect(error.detail).toBe('Server error. Please try again later.')
})

test('tells a lost network, a timeout and an abort apart', async () => {
  server.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  expect(await failure(call(auth.me))).toMatchObject({ kind: 'network', status: null })

  server.mockImplementation(
    (_, { signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  )
  expect(await failure(call(auth.me, { timeoutMs: 5 }))).toMatchObject({ kind: 'timeout', status: null })
  const gaveUp = new AbortController()
  const pending = call(auth.me, { signal: gaveUp.signal })
  gaveUp.abort(new Error('enough'))
  await expect(pending).rejects.toThrow('enough')
})

test.each([
  ['the sign-in calls clear the token', devices.sessions, null, 0],
  ['but the question who I am does not', auth.me, 'a.b.c', 0],
  ['and any other call makes the session doubted', contacts.list, 'a.b.c', 1],
] as const)('after a 401 %s', async (_, endpoint, token, doubts) => {
  storeToken('a.b.c')
  const doubted = vi.fn<() => void>()
  const stop = [onSessionDoubt(doubted), onTokenChange(() => {})]
  server.mockResolvedValue(json(401, { detail: 'Please log in again.' }))
  await failure(call(endpoint))
  expect(readToken()).toBe(token)
  expect(doubted).toHaveBeenCalledTimes(doubts)
  for (const each of stop) each()
})
