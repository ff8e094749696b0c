import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { seeded } from '../support/seeded.ts'
import { type BulkRun, duplicatesIn, CONNECTIONS } from './bulk-run.ts'

const LOOK_EVERY_MS = 15
const PATIENCE_MS = 180_000

/** Waits until the sink holds `count` mails, or the run is over. */
export async function untilArrived(run: BulkRun, count: number): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  while ((await run.sink.count()) < count) {
    if (Date.now() > until)
      throw new Error(
        `Only ${await run.sink.count()} of ${count} mails arrived: ${JSON.stringify(await run.summary())}`,
      )
    await pause(LOOK_EVERY_MS)
  }
}

/** Waits until the run says that it is done. */
export async function untilDone(run: BulkRun): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const summary = await run.summary()
    if (summary.state === 'done' && summary.pending === 0) return
    if (Date.now() > until) throw new Error(`The run does not end: ${JSON.stringify(summary)}`)
    await pause(100)
  }
}

/**
 * Kills Howl with -9 at random moments of a run and starts it again. Nothing may be lost. Of the mails that a connection
 * carried only the one whose answer was still on its way may come again, with the Message-ID that it has; so a kill
 * duplicates at most as many mails as there are connections, and nothing is duplicated without a kill.
 */
export async function killAtRandom(
  run: BulkRun,
  mails: number,
  kills: number,
  seed: number,
): Promise<{ duplicates: number }> {
  const random = seeded(seed)
  /** After each kill the number of the last connection that was opened before it. */
  const lastBefore: number[] = []
  run.begin()
  for (let kill = 0; kill < kills; kill++) {
    const next = Math.floor(((kill + random()) * mails * 0.95) / kills)
    await untilArrived(run, next)
    await run.howl.kill()
    lastBefore.push((await run.sink.connections()).total)
    await run.restart()
  }
  await untilDone(run)
  const duplicates = await checkArrivals(run, mails, lastBefore)
  expect(await run.summary()).toMatchObject({ sent: mails, errors: 0, pending: 0 })
  return { duplicates }
}

/**
 * That every mail has arrived, and what came twice is the fault of a kill, and no more than it may be; returns how many did.
 * `lastBefore` has for each kill the number of the last connection that was opened before it.
 */
export async function checkArrivals(
  run: Pick<BulkRun, 'sink'>,
  mails: number,
  lastBefore: readonly number[],
): Promise<number> {
  const byMessageId = await run.sink.byMessageId()
  expect(byMessageId.size, 'every mail arrives').toBe(mails)
  const duplicates = duplicatesIn(byMessageId)
  expect(most(duplicates), 'mails of one connection that came again').toBeLessThanOrEqual(1)
  expect(duplicates.length, 'duplicates').toBeLessThanOrEqual(lastBefore.length * CONNECTIONS)
  const killOf = duplicates.map((connection) => lastBefore.findIndex((last) => connection <= last))
  expect(killOf, 'the kill behind each duplicate (-1: there was none)').not.toContain(-1)
  expect(most(killOf), 'mails duplicated by one kill').toBeLessThanOrEqual(CONNECTIONS)
  return duplicates.length
}

/** How often the most frequent of these numbers occurs. */
function most(numbers: readonly number[]): number {
  const times = new Map<number, number>()
  for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1)
  return Math.max(0, ...times.values())
}
