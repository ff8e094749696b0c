import * as z from 'zod/mini'
import type { Context } from '../../platform/context.ts'
import { defineJob, type Job } from '../../platform/jobs/define-job.ts'
import type { JobRef } from '../../platform/jobs/job-ref.ts'
import { type Loop, startLoop } from '../../platform/jobs/loop.ts'
import { LOOK_AT_LATE_MS, lookAtLateMails } from './late-mails.ts'
import { runBatch } from './run-batch.ts'
import { becomeDriver, type Run, runsWithoutDriver, stopDriving } from './store.ts'

const ADOPT_EVERY_MS = 1000

/** Drives one run for a while; until it is over, the loop below enqueues it again. */
export const driveBatch: Job & JobRef<Run> = defineJob({
  name: 'outreach.drive-batch',
  payload: z.object({ userId: z.number(), batchId: z.number() }),
  concurrency: 10,
  run: async (context, { userId, batchId }, signal) => {
    const mine = context.memory.drivenRuns
    const key = `${userId}/${batchId}`
    if (mine.has(key) || !(await becomeDriver(context.db, userId, batchId, context.workerId))) return
    mine.add(key)
    try {
      await runBatch(context, userId, batchId, signal)
    } finally {
      mine.delete(key)
      await stopDriving(context.db, userId, batchId, context.workerId)
    }
  },
})

/** Enqueues a run; enqueueing twice has the effect of once. */
async function drive(context: Context, run: Run): Promise<void> {
  await context.jobs.enqueue(context.db, driveBatch, run, { key: `${run.userId}/${run.batchId}` })
}

/** Looks for runs without a driver in the table, whatever the queue says, and at mails of runs that nobody drives. */
export function startOutreachLoops(context: Context): Loop[] {
  return [
    startLoop(context, 'adopt runs', ADOPT_EVERY_MS, async () => {
      // The table may be behind: a connection may have been lost before the end of a run was written.
      const mine = context.memory.drivenRuns
      for (const run of await runsWithoutDriver(context.db, context.workerId, context.clock.now())) {
        if (!mine.has(`${run.userId}/${run.batchId}`)) await drive(context, run)
      }
    }),
    startLoop(context, 'look at late mails of runs', LOOK_AT_LATE_MS, () => lookAtLateMails(context)),
  ]
}

export const outreachJobs: readonly Job[] = [driveBatch]
