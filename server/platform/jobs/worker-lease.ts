import type { Context } from '../context.ts'
import { failingLoops } from './loop.ts'
import { beat, buryWorkers, leave } from './store.ts'

/** A beat this late means that we were cut off or held up. */
const BEAT_LATE_MS = 2500
/** A worker reports that it is alive this often … */
const BEAT_EVERY_MS = 1000
/** … and counts as dead after this long in silence; its claims go to others. */
export const WORKER_DEAD_MS = 6000

/**
 * Keeps this process's lease until `stop` ends it. `alone`: no other process can be running, so any recorded worker
 * is dead.
 */
export async function holdWorkerLease(
  context: Context,
  options: { alone: boolean; isWorker: boolean },
): Promise<{ stop: () => Promise<void> }> {
  if (options.alone) await buryWorkers(context.db)

  // Since when all our beats have come through. A worker that was itself cut off from the database cannot tell
  // whether the others are dead or were cut off too. It removes nobody until it has been well for as long as a dead
  // worker takes to be noticed.
  let wellSince = context.clock.now()
  let lastBeat = wellSince
  const renew = async () => {
    const now = context.clock.now()
    const { roundAt } = context.memory.loops
    const rounds = options.isWorker ? { roundAt, failingLoops: failingLoops(context) } : null
    if (now.getTime() - lastBeat.getTime() > BEAT_LATE_MS) wellSince = now
    const isWell = now.getTime() - wellSince.getTime() > WORKER_DEAD_MS
    const deadSince = isWell ? new Date(now.getTime() - WORKER_DEAD_MS) : null
    await beat(context.db, context.workerId, now, { rounds, deadSince })
    lastBeat = now
  }
  await renew()
  const timer = setInterval(() => {
    renew().catch((error: unknown) =>
      context.log.warn({ err: error }, 'the worker could not renew its lease'),
    )
  }, BEAT_EVERY_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await leave(context.db, context.workerId)
    },
  }
}
