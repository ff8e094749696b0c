import { setTimeout as pause } from 'node:timers/promises'
import { BASE_PATH } from '#contract/platform/endpoint.ts'
import type { TestUser } from '../../tests/support/factories.ts'
import { quantile } from './figure.ts'
import type { BenchHowl } from './howl.ts'

/** Calls by their names. */
export type Calls = Record<string, { user: TestUser; path: string }>
/** Milliseconds that each call took, by its name. */
export type Took = Record<string, number[]>

/** People think between two calls; without a pause the asking itself would be the load. */
const PAUSE_MS = 40

/** Asks these calls one after the other, over and over, until `signal` says that it is enough. */
export async function askBeside(howl: BenchHowl, calls: Calls, signal: AbortSignal): Promise<Took> {
  const took: Took = Object.fromEntries(Object.keys(calls).map((name) => [name, []]))
  while (!signal.aborted) {
    for (const [name, { user, path }] of Object.entries(calls)) {
      if (signal.aborted) break
      took[name]?.push(await timed(howl, user, path))
      await pause(PAUSE_MS)
    }
  }
  return took
}

async function timed(howl: BenchHowl, user: TestUser, path: string): Promise<number> {
  const begun = performance.now()
  const answer = await fetch(`${howl.url}${BASE_PATH}${path}`, {
    headers: { Authorization: `Bearer ${user.token}` },
  })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return performance.now() - begun
}

/** What 95 of a hundred of all these calls take at most. */
export const p95OfAll = (took: Took) => quantile(Object.values(took).flat(), 0.95)

/** "list 3.1, counts 2.0": what 95 of a hundred calls of each name take at most, in milliseconds. */
export const eachP95 = (took: Took) =>
  Object.entries(took)
    .map(([name, times]) => `${name} ${quantile(times, 0.95).toFixed(1)}`)
    .join(', ')
