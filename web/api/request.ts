import { type BodyInput, type Endpoint, pathOf, type QueryInput } from '#contract/endpoint.ts'
import { idempotencyKeyOf } from './idempotency-key.ts'
import { readToken } from './token.ts'

export type CallOptions<E extends Endpoint = Endpoint> = {
  params?: Record<string, string | number>
  /** What is undefined, null or empty is left out of the address. */
  query?: Partial<NonNullable<QueryInput<E>>>
  body?: BodyInput<E>
  signal?: AbortSignal
  /** Until the whole answer is there, in milliseconds. */
  timeoutMs?: number
  /** Instead of the key that is made of recipient, subject and body. */
  idempotencyKey?: string
  /** Instead of the token of this browser. */
  token?: string
  headers?: Record<string, string>
}

let screenZone: () => string | null = () => null

/** From here on every call tells the zone that the screen shows times in. */
export function tellZone(zone: () => string): void {
  screenZone = zone
}

/** The address of a call, with parameters and query filled in. */
export function addressOf(
  endpoint: Endpoint,
  params: CallOptions['params'],
  query: object | undefined,
): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return pathOf(endpoint, params) + (text === '' ? '' : `?${text}`)
}

/** The headers of a call: token, content type, idempotency key, time zone. */
export function headersOf(endpoint: Endpoint, options: CallOptions): Record<string, string> {
  const token = options.token ?? readToken()
  const zone = screenZone()
  const key =
    endpoint.idempotent === true ? (options.idempotencyKey ?? idempotencyKeyOf(options.body)) : undefined
  return {
    Accept: 'application/json',
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(key === undefined || key === '' ? {} : { 'Idempotency-Key': key }),
    ...(zone === null ? {} : { 'X-User-Timezone': zone }),
    ...options.headers,
  }
}
