import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { arrivals, type BulkRun, CONNECTIONS, seeded } from './bulk-run.ts'

const LOOK_EVERY_MS = 15
const PATIENCE_MS = 180_000

/** Waits until the sink holds `count` mails, or the run is over. */
async function untilArrived(run: BulkRun, count: number): Promise<void> {
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
 * Kills Howl with -9 at random moments of a run and starts it again. Nothing may be lost, and each kill may double at
 * most one mail a connection, with the Message-ID that it has.
 */
export async function killAtRandom(
  run: BulkRun,
  mails: number,
  kills: number,
  seed: number,
): Promise<{ doubles: number }> {
  const random = seeded(seed)
  run.begin()
  for (let kill = 0; kill < kills; kill++) {
    const next = Math.floor(((kill + random()) * mails * 0.95) / kills)
    await untilArrived(run, next)
    await run.howl.kill()
    await run.restart()
  }
  await untilDone(run)
  const { mails: arrived, doubles } = await arrivals(run.sink)
  expect(arrived, 'every mail arrives').toBe(mails)
  expect(doubles, 'doubles').toBeLessThanOrEqual(kills * CONNECTIONS)
  expect(await run.summary()).toMatchObject({ sent: mails, errors: 0, pending: 0 })
  return { doubles }
}
