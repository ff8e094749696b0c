import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Context } from '../context.ts'
import { DEAD_LETTERS } from './dead-jobs-store.ts'
import type { Job } from './define-job.ts'

/** Connections that pg-boss keeps for itself. */
const CONNECTIONS = 4
const POLL_SECONDS = 0.5
const HEARTBEAT_SECONDS = 10
/** Finished jobs are kept for the administrator to look at. */
const KEEP_ENDED_SECONDS = 7 * 24 * 3600

/** Opens the queue on the same database, in a schema of its own. */
export async function openQueue(
  databaseUrl: string,
  log: Logger,
  role: { supervise: boolean },
): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: 'jobs',
    max: CONNECTIONS,
    supervise: role.supervise,
    schedule: false,
  })
  boss.on('error', (error: Error) => log.warn({ err: error }, 'the job queue has trouble with the database'))
  await boss.start()
  return boss
}

/** Creates missing queues. */
export async function makeQueues(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  await boss.createQueue(DEAD_LETTERS)
  for (const job of jobs) {
    await boss.createQueue(job.name, {
      policy: 'short',
      retryLimit: job.retries,
      retryDelay: 2,
      retryBackoff: true,
      expireInSeconds: job.expireSeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deleteAfterSeconds: KEEP_ENDED_SECONDS,
      deadLetter: DEAD_LETTERS,
    })
  }
}

/** Starts working on every job. */
export async function workOn(boss: PgBoss, context: Context, jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) {
    await boss.work(
      job.name,
      { pollingIntervalSeconds: POLL_SECONDS, localConcurrency: job.concurrency, batchSize: 1 },
      async (batch) => {
        for (const { data, signal } of batch) {
          await job.run(context, data, AbortSignal.any([signal, context.stopping]))
        }
      },
    )
  }
}

/** Lets running jobs reach their safe point within `timeoutMs`, then closes. */
export async function closeQueue(boss: PgBoss, timeoutMs: number): Promise<void> {
  await boss.stop({ graceful: true, timeout: timeoutMs, close: true })
}
