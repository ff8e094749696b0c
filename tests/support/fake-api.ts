import { onTestFinished } from 'vitest'
import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { auth } from '#contract/accounts/auth.ts'
import { notifications } from '#contract/accounts/notifications.ts'
import { CONTRACT } from '#contract/contract.ts'
import {
  BASE_PATH,
  type BodyInput,
  type Endpoint,
  pathOf,
  type QueryInput,
  type ReplyOf,
} from '#contract/platform/endpoint.ts'
import type { ErrorBody } from '#contract/platform/errors.ts'
import { events, type LiveEvent } from '#contract/platform/events.ts'
import { leaving } from '#contract/operations/leaving.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { blankReply } from './blank-reply.ts'

/** A call that a page made; `query` as it stands in the address. */
export type MadeCall<E extends Endpoint = Endpoint> = {
  params: Record<string, string>
  query: Partial<Record<keyof NonNullable<QueryInput<E>>, string>>
  body: BodyInput<E>
  headers: Headers
}
type Given<E extends Endpoint, Value> = Value | ((made: MadeCall<E>) => Value)
type Answer = (made: MadeCall<never>, signal: AbortSignal) => Response | Promise<Response>

/** A server for one test: it answers what the test says, each answer checked against the contract, and nothing else. */
export type FakeApi = {
  /** Answers with a reply; without one, with empty lists and texts. `total` counts the rows of all pages of a list. */
  answers<E extends Endpoint>(
    endpoint: E,
    reply?: Given<E, ReplyOf<E>>,
    more?: { total?: Given<E, number>; notSearchable?: number },
  ): FakeApi
  /** Refuses with a status and a sentence for the user. */
  refuses(endpoint: Endpoint, status: number, detail: string, more?: Omit<ErrorBody, 'detail'>): FakeApi
  /** The network fails. */
  fails(...endpoints: Endpoint[]): FakeApi
  /** The answer never comes. */
  never(...endpoints: Endpoint[]): FakeApi
  /** Answers with any response, such as a file or a stream. */
  responds<E extends Endpoint>(
    endpoint: E,
    response: (made: MadeCall<E>) => Response | Promise<Response>,
  ): FakeApi
  /** Tells the open pages what has changed, as the server's stream of live events does. */
  tells(event: LiveEvent): void
  /** The calls of an endpoint so far. */
  calls<E extends Endpoint>(endpoint: E): MadeCall<E>[]
}

let current: ((request: Request, signal: AbortSignal) => Promise<Response>) | undefined
const ask = window.fetch.bind(window)
/** Vite and Vitest fetch too: only calls of the contract are the fake server's. */
window.fetch = async (input, init) => {
  const request = new Request(input, init)
  const { origin, pathname } = new URL(request.url)
  const isCall =
    origin === location.origin && (pathname.startsWith(`${BASE_PATH}/`) || pathname === '/health')
  if (!isCall) return ask(input, init)
  if (current === undefined) throw new TypeError('The test with this fake server is over')
  return current(request, request.signal)
}

/** Paths without parameters come first: `/contacts/count` is no contact. */
const ROUTES = [...CONTRACT]
  .map(([name, endpoint]) => {
    const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, each]) => each ?? '')
    const pattern = pathOf({ ...endpoint, path: endpoint.path.replaceAll(/:\w+/g, '0000') })
    const escaped = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    return { name, endpoint, names, pattern: new RegExp(`^${escaped.replaceAll('0000', '([^/]+)')}$`) }
  })
  .sort((a, b) => a.names.length - b.names.length)

/** Starts a fake server for the current test, with a signed-in user and all that the frame around each page asks. */
export function fakeApi(): FakeApi {
  const answers = new Map<string, Answer>()
  const made = new Map<string, MadeCall[]>()
  const faults: string[] = []
  const over = new AbortController()
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const put = (endpoint: Endpoint, answer: Answer) => {
    answers.set(nameOf(endpoint), answer)
    return api
  }

  current = async (request, signal) => {
    const found = routeOf(request)
    const label = found?.name ?? `${request.method} ${new URL(request.url).pathname}, which is no call`
    const answer = found && answers.get(nameOf(found.endpoint))
    if (found === undefined || answer === undefined) {
      faults.push(`nobody answers ${label}`)
      return refusal(500, { detail: `The test answers no ${label}` })
    }
    const call = await readCall(request, found)
    made.set(nameOf(found.endpoint), [...(made.get(nameOf(found.endpoint)) ?? []), call])
    faults.push(...faultsOf(found, call))
    // Never within the same turn: a network does not answer at once.
    await Promise.resolve()
    signal.throwIfAborted()
    return Promise.race([answer(call, signal), untilAborted(signal)])
  }

  const api: FakeApi = {
    answers: (endpoint, reply, more = {}) =>
      put(endpoint, (call) => {
        const said = reply === undefined ? blankReply(endpoint) : valueOf(reply, call as never)
        const { total, ...rest } = more
        return answerOf(endpoint, said, { ...rest, total: total && valueOf(total, call as never) })
      }),
    refuses: (endpoint, status, detail, more) => put(endpoint, () => refusal(status, { detail, ...more })),
    fails: (...endpoints) => {
      for (const each of endpoints) put(each, () => Promise.reject(new TypeError('Failed to fetch')))
      return api
    },
    never: (...endpoints) => {
      for (const each of endpoints)
        put(each, (_, signal) => untilAborted(AbortSignal.any([signal, over.signal])))
      return api
    },
    responds: (endpoint, response) => put(endpoint, (call) => response(call)),
    tells: (event) => {
      const bytes = new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`)
      for (const stream of streams) stream.enqueue(bytes)
    },
    calls: (endpoint) => made.get(nameOf(endpoint)) ?? [],
  }
  for (const stream of [events.stream, notifications.stream])
    put(stream, (_, signal) => openStream(streams, signal))
  api.answers(auth.me, { ...blankReply(auth.me), ...ADA })
  api.answers(adminAuth.me, { ...blankReply(adminAuth.me), ...ADA, is_admin: true })
  api.answers(leaving.mailPause, { paused_at: null, waiting: 0 })
  api.answers(outreach.current, null)
  api.answers(sequences.list)
  onTestFinished(() => {
    current = undefined
    over.abort()
    if (faults.length > 0) throw new Error(`The page made calls that it must not:\n${faults.join('\n')}`)
  })
  return api
}

/** The signed-in user of a fake server. */
const ADA = { id: 1, name: 'Ada Muster', full_name: 'Ada Muster', email: 'ada@howl.example', username: 'ada' }

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

type Route = (typeof ROUTES)[number]

function routeOf(request: Request): Route | undefined {
  const { pathname } = new URL(request.url)
  return ROUTES.find(({ endpoint, pattern }) => endpoint.method === request.method && pattern.test(pathname))
}

async function readCall(request: Request, { endpoint, names, pattern }: Route): Promise<MadeCall> {
  const { pathname, searchParams } = new URL(request.url)
  const values = pattern.exec(pathname)?.slice(1).map(decodeURIComponent) ?? []
  const text = endpoint.upload === undefined ? await request.text() : ''
  return {
    params: Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])),
    query: Object.fromEntries(searchParams),
    body: text === '' ? undefined : JSON.parse(text),
    headers: request.headers,
  }
}

/** What of a call the real server would not read. A body may be refused: the page shows why. */
function faultsOf({ name, endpoint }: Route, { params, query }: MadeCall): string[] {
  return (['params', 'query'] as const).flatMap((part) => {
    const read = endpoint[part]?.safeParse(part === 'params' ? params : query)
    return read?.error === undefined ? [] : [`the ${part} of ${name}: ${read.error.message}`]
  })
}

function valueOf<E extends Endpoint, Value>(given: Given<E, Value>, made: MadeCall<E>): Value {
  return typeof given === 'function' ? (given as (made: MadeCall<E>) => Value)(made) : given
}

function answerOf(
  endpoint: Endpoint,
  reply: unknown,
  { total, notSearchable }: { total?: number | undefined; notSearchable?: number },
): Response {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (Array.isArray(reply)) headers['X-Total-Count'] = String(total ?? reply.length)
  if (notSearchable !== undefined) headers['X-Not-Searchable-Yet'] = String(notSearchable)
  // What the contract does not know never reaches the page, as with the real server.
  return new Response(JSON.stringify(endpoint.reply?.parse(reply)), { headers })
}

function refusal(status: number, body: ErrorBody): Response {
  return Response.json(body, { status })
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

function openStream(
  streams: Set<ReadableStreamDefaultController<Uint8Array>>,
  signal: AbortSignal,
): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      streams.add(stream)
      signal.addEventListener('abort', () => {
        streams.delete(stream)
        stream.error(signal.reason)
      })
    },
  })
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
}
