import type { Endpoint } from '#contract/platform/endpoint.ts'

/** Calls that share one request while an identical one is in flight: a double click sends one mail. */
const SHARED = new Set([
  'POST /emails/send',
  'POST /emails/reply',
  'POST /emails/generate-and-send',
  'POST /emails/fast-imap-check',
  'POST /emails/follow-up/preview',
  'POST /meetings/',
  'PUT /meetings/:id',
  'DELETE /meetings/:id',
])

const pending = new Map<string, Promise<unknown>>()

export const isShared = (endpoint: Endpoint) => SHARED.has(`${endpoint.method} ${endpoint.path}`)

/** Runs `work`, or returns the result of the identical call that is still in flight. */
export function shareInFlight<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = pending.get(name) as Promise<T> | undefined
  if (before !== undefined) return before
  const now = work().finally(() => pending.delete(name))
  pending.set(name, now)
  return now
}
