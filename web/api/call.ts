import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { ApiError, answerError, networkError, readJson, timeoutError, unreadableError } from './errors.ts'
import { isShared, shareInFlight } from './in-flight.ts'
import { addressOf, type CallOptions, headersOf } from './request.ts'
import { clearToken, doubtSession } from './token.ts'

/** After this many milliseconds without the whole answer a call counts as failed. */
const TIMEOUT_MS = 30_000

export type PageOf<E extends Endpoint> = {
  rows: ReplyOf<E>
  total: number
  /** So many rows could not be searched yet, where that was asked for (X-Not-Searchable-Yet). */
  notSearchable?: number
}

/**
 * Makes one call of the contract.
 *
 * @throws ApiError for an answer of 400 and above, no network, no answer in time; the signal's own reason when aborted.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<ReplyOf<E>> {
  const { status, text } = await exchange(endpoint, options)
  return replyOf<E>(status, text)
}

/** Makes a call that answers a list; `total` counts the rows of all pages (X-Total-Count). */
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
  // One caller that gives up must not take the request from the others: a shared one has no signal.
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
 * The error of an answer of 400 and above, after what it means for the session: a 401 of the sign-in calls clears the
 * token; any other 401 only makes the session be asked for, so that one odd answer throws nobody out.
 */
export function refused(endpoint: Endpoint, status: number, text: string): ApiError {
  if (status === 401 && endpoint.path !== '/auth/me') {
    if (endpoint.path.includes('/auth/')) clearToken()
    else doubtSession()
  }
  return answerError(status, text)
}
