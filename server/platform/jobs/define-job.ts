import type { Context } from '../context.ts'
import type { JobRef } from './job-ref.ts'

/** Background work that outlives a request, as the worker sees it. */
export type Job = {
  readonly name: string
  /** How many of this job one process runs at once. */
  readonly concurrency: number
  readonly retries: number
  /** Seconds after which a run is taken for dead; long jobs renew their lease by heartbeat. */
  readonly expireSeconds: number
  /**
   * Runs the job on what the queue holds for it, which is checked first. It may be called twice with the same payload
   * and must do the work once; `signal` is aborted when the process stops or the lease is lost.
   */
  readonly run: (context: Context, payload: unknown, signal: AbortSignal) => Promise<void>
}

const DEFAULTS = { concurrency: 2, retries: 5, expireSeconds: 900 }

/** Defines a job by its payload's schema and the command it calls. */
export function defineJob<P>(
  job: JobRef<P> & {
    run: (context: Context, payload: P, signal: AbortSignal) => Promise<void>
  } & Partial<Pick<Job, 'concurrency' | 'retries' | 'expireSeconds'>>,
): Job & JobRef<P> {
  return {
    ...DEFAULTS,
    ...job,
    run: (context, payload, signal) => job.run(context, job.payload.parse(payload), signal),
  }
}
