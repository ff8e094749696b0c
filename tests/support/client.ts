import {
  type BodyInput,
  type Endpoint,
  pathOf,
  type QueryInput,
  type ReplyOf,
} from '#contract/platform/endpoint.ts'
import type { ErrorBody } from '#contract/platform/errors.ts'

export type CallOptions<E extends Endpoint> = {
  params?: Record<string, string | number>
  query?: QueryInput<E> extends undefined ? never : Partial<NonNullable<QueryInput<E>>>
  body?: BodyInput<E>
  token?: string
  headers?: Record<string, string>
}

export type Answer<E extends Endpoint> = {
  status: number
  body: ReplyOf<E>
  error: ErrorBody
  headers: Headers
}

/** Makes one call of the contract over HTTP; `body` holds the answer of a 200, `error` that of any other status. */
export async function call<E extends Endpoint>(
  base: string,
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<Answer<E>> {
  const url = new URL(base + pathOf(endpoint, options.params))
  for (const [name, value] of Object.entries((options.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined) url.searchParams.set(name, `${value as string | number}`)
  }
  const response = await fetch(url, {
    method: endpoint.method,
    headers: {
      ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  const text = await response.text()
  const json: unknown = text === '' ? null : JSON.parse(text)
  return {
    status: response.status,
    body: json as ReplyOf<E>,
    error: json as ErrorBody,
    headers: response.headers,
  }
}
