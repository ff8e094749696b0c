import type { Context } from '../../platform/context.ts'
import { type Loop, startDueLoop } from '../../platform/jobs/loop.ts'
import { runBatch } from './run-batch.ts'
import { becomeDriver, type Run, runsWithoutDriver, stopDriving } from './store.ts'

const ADOPT_EVERY_MS = 1000
/** Runs that one process drives at once. */
const DRIVEN_AT_ONCE = 10

/** Drives the runs that no worker drives. */
export function startOutreachLoops(context: Context): Loop[] {
  // The table may be behind: a connection may have been lost before the end of a turn was written.
  const mine = context.memory.drivenRuns
  const turns = new Set<Promise<void>>()
  const adopt = startDueLoop(context, 'adopt runs', ADOPT_EVERY_MS, async () => {
    for (const run of await runsWithoutDriver(context.db, context.workerId, context.clock.now())) {
      const key = `${run.userId}/${run.batchId}`
      if (mine.has(key) || mine.size >= DRIVEN_AT_ONCE || context.stopping.aborted) continue
      mine.add(key)
      const turn = drive(context, run)
        .catch((error: unknown) => context.log.warn({ err: error, ...run }, 'a run could not be driven'))
        .finally(() => {
          mine.delete(key)
          turns.delete(turn)
          adopt.wake()
        })
      turns.add(turn)
    }
  })
  const ended = adopt.ended.then(async () => void (await Promise.allSettled(turns)))
  return [{ ...adopt, ended }]
}

/** Drives a run for a while. If that fails, it is tried again later, and later each time. */
async function drive(context: Context, run: Run): Promise<void> {
  const { clock, db, stopping, workerId } = context
  if (!(await becomeDriver(db, run.userId, run.batchId, workerId))) return
  try {
    await runBatch(context, run.userId, run.batchId, stopping)
    await stopDriving(db, { ...run, workerId, now: clock.now(), failure: null })
  } catch (error) {
    // What a stop cuts off has not failed.
    const failure = stopping.aborted ? null : error instanceof Error ? error.message : String(error)
    await stopDriving(db, { ...run, workerId, now: clock.now(), failure })
    throw error
  }
}
