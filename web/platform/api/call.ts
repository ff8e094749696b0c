import type { Endpoint, ReplyOf } from '#contract/platform/endpoint.ts'
import { ApiError, answerError, networkError, readJson, timeoutError, unreadableError } from './errors.ts'
import { isShared, shareInFlight } from './in-flight.ts'
import { addressOf, type CallOptions, headersOf } from './request.ts'
import { clearToken, doubtSession } from './token.ts'

/** A call fails after this many milliseconds without a complete answer. */
const TIMEOUT_MS = 30_000

export type PageOf<E extends Endpoint> = {
  rows: ReplyOf<E>
  total: number
  /** The number of rows that are not searchable yet, if the server reports it (X-Not-Searchable-Yet). */
  notSearchable?: number
}

/**
 * Makes one call of the contract.
 *
 * @throws ApiError if the status is 400 or above, the network fails or the answer takes too long; the signal's own
 * reason when aborted.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<ReplyOf<E>> {
  const { status, text } = await exchange(endpoint, options)
  return replyOf<E>(status, text)
}

/** Makes a call that returns a list; `total` counts the rows of all pages (X-Total-Count). */
export async function callPage<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<PageOf<E>> {
  const { status, text, total, notSearchable } = await exchange(endpoint, options)
  const rows = replyOf<E>(status, text)
  return {
    rows,
    total: total ?? (Array.isArray(rows) ? rows.length : 0),
    ...(notSearchable === null ? {} : { notSearchable }),
  }
}

type Exchange = { status: number; text: string; total: number | null; notSearchable: number | null }

function exchange(endpoint: Endpoint, options: CallOptions): Promise<Exchange> {
  const address = addressOf(endpoint, options.params, options.query)
  if (!isShared(endpoint)) return send(endpoint, address, options)
  // A shared request has no signal: one caller that gives up must not abort it for the others.
  const { signal: _, ...rest } = options
  const name = `${endpoint.method} ${address} ${JSON.stringify(options.body ?? null)}`
  return shareInFlight(name, () => send(endpoint, address, rest))
}

async function send(endpoint: Endpoint, address: string, options: CallOptions): Promise<Exchange> {
  const late = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
  const signal = options.signal === undefined ? late : AbortSignal.any([options.signal, late])
  try {
    const response = await fetch(address, {
      method: endpoint.method,
      headers: headersOf(endpoint, options),
      signal,
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    const text = await response.text()
    if (response.status >= 400) throw refused(endpoint, response.status, text)
    return {
      status: response.status,
      text,
      total: numberIn(response, 'X-Total-Count'),
      notSearchable: numberIn(response, 'X-Not-Searchable-Yet'),
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (options.signal?.aborted === true) throw error
    throw late.aborted ? timeoutError() : networkError()
  }
}

function numberIn(response: Response, header: string): number | null {
  const value = response.headers.get(header)
  return value === null ? null : Number(value)
}

function replyOf<E extends Endpoint>(status: number, text: string): ReplyOf<E> {
  if (text === '') return undefined as ReplyOf<E>
  const reply = readJson(text)
  if (reply === undefined) throw unreadableError(status)
  return reply as ReplyOf<E>
}

/**
 * Returns the error of an answer of 400 or above and applies what it means for the session. A 401 from a sign-in call
 * clears the token. Any other 401 only causes the session to be checked, so that one odd answer signs nobody out.
 */
export function refused(endpoint: Endpoint, status: number, text: string): ApiError {
  if (status === 401 && endpoint.path !== '/auth/me') {
    if (endpoint.path.includes('/auth/')) clearToken()
    // A session of an administrator is another one.
    else if (endpoint.access === 'user') doubtSession()
  }
  return answerError(status, text)
}
