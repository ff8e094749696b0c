import { type Endpoint, pathOf } from '#contract/platform/endpoint.ts'
import type { Answer } from './client.ts'

/** Sends one file as a browser's form does. */
export async function postFile<E extends Endpoint>(
  base: string,
  endpoint: E,
  token: string,
  file: File,
  headers: Record<string, string> = {},
): Promise<Answer<E>> {
  const form = new FormData()
  form.set('file', file)
  const response = await fetch(base + pathOf(endpoint), {
    method: 'POST',
    headers: { ...headers, Authorization: `Bearer ${token}` },
    body: form,
  })
  const json: unknown = await response.json()
  const { status, headers: received } = response
  return { status, body: json as Answer<E>['body'], error: json as Answer<E>['error'], headers: received }
}
