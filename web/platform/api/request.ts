import { type BodyInput, type Endpoint, pathOf, type QueryInput } from '#contract/platform/endpoint.ts'
import { idempotencyKeyOf } from './idempotency-key.ts'
import { readToken } from './token.ts'

export type CallOptions<E extends Endpoint = Endpoint> = {
  params?: Record<string, string | number>
  /** Values that are undefined, null or empty are left out of the address. */
  query?: Partial<NonNullable<QueryInput<E>>>
  body?: BodyInput<E>
  signal?: AbortSignal
  /** Time for the complete answer, in milliseconds. */
  timeoutMs?: number
  /** Replaces the key made of recipient, subject and body. */
  idempotencyKey?: string
  /** Replaces the token stored in this browser. */
  token?: string
  headers?: Record<string, string>
}

let screenZone: () => string | null = () => null

/** Sets the source of the time zone that is sent with every call: the one in which the screen shows times. */
export function tellZone(zone: () => string): void {
  screenZone = zone
}

/** The address of a call with its parameters and query filled in. */
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
