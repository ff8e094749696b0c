import type { Context } from '../context.ts'
import type { JobRef } from './job-ref.ts'

/**
 * Background work that outlives a request. `run` may be called twice for the same payload and must do the work once;
 * `signal` is aborted when the process stops or the lease is lost.
 */
export type Job<P = unknown> = JobRef<P> & {
  /** How many of this job one process runs at once. */
  readonly concurrency: number
  readonly retries: number
  /** Seconds after which a run is taken for dead; long jobs renew their lease by heartbeat. */
  readonly expireSeconds: number
  readonly run: (context: Context, payload: P, signal: AbortSignal) => Promise<void>
}

const DEFAULTS = { concurrency: 2, retries: 5, expireSeconds: 900 }

/** Writes one job down: its payload's schema and the command it calls. */
export function defineJob<P>(
  job: Pick<Job<P>, 'name' | 'payload' | 'run'> &
    Partial<Pick<Job<P>, 'concurrency' | 'retries' | 'expireSeconds'>>,
): Job<P> {
  return { ...DEFAULTS, ...job }
}
