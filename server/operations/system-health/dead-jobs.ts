import { DEAD_JOBS_MAX, type DeadJob } from '#contract/operations/system-health.ts'
import type { Given } from '#contract/platform/endpoint.ts'
import { noteActivity } from '../../accounts/activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { notFound } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { deadJobs, reviveJobs } from '../../platform/jobs/dead-jobs-store.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { addressesOf } from './store.ts'

/** What the jobs of each name do. */
const TITLES: Readonly<Record<string, string>> = { 'outreach.drive-batch': 'Bulk run' }
/** An error is shown up to here: long enough to understand. */
const ERROR_MAX = 300

/** Jobs that failed every attempt, the newest first. */
export async function listDeadJobs({ db }: Context): Promise<{ jobs: Given<DeadJob>[]; total: number }> {
  const { jobs, total } = await deadJobs(db, DEAD_JOBS_MAX)
  const addresses = await addressesOf(
    db,
    jobs.map((job) => job.user_id),
  )
  return {
    jobs: jobs.map(({ id, name, user_id, created_at, failed_at, failures, last_failure }) => ({
      id,
      title: TITLES[name] ?? name,
      user_id,
      user_email: addresses.get(user_id) ?? null,
      created_at,
      failed_at: failed_at ?? created_at,
      attempts: failures,
      error: shown(last_failure),
    })),
    total,
  }
}

/** An error in one line, without its stack and without what looks like a secret. */
function shown(error: string): string {
  if (error === '') return 'No reason was given.'
  return (error.slice(0, 10 * ERROR_MAX).split(/\n\s+at /)[0] ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\/\/[^\s/@]+@/g, '//…@')
    .replaceAll(
      /\b(bearer|password|passwd|pass|token|secret|api[-_ ]?key)(["']?\s*[:= ]\s*["']?)[^\s"',;]+/gi,
      '$1$2…',
    )
    .slice(0, ERROR_MAX)
}

type Act = { caller: Caller; origin: Origin }

/**
 * Tries dead jobs again at once, one or all; each does its work once, however often it is tried.
 *
 * @returns how many
 * @throws Refusal 404
 */
export async function retryDeadJobs(context: Context, id: string | null, act: Act): Promise<number> {
  return change(context, id, act, 'tried again')
}

/** Gives dead jobs up, one or all. Returns how many. @throws Refusal 404 */
export async function dropDeadJobs(context: Context, id: string | null, act: Act): Promise<number> {
  return change(context, id, act, 'dropped')
}

async function change(
  context: Context,
  id: string | null,
  { caller, origin }: Act,
  what: 'tried again' | 'dropped',
): Promise<number> {
  return inTransaction(context.db, async (tx) => {
    const revived = await reviveJobs(tx, id, what === 'tried again' ? context.clock.now() : null)
    if (id !== null && revived.length === 0)
      throw notFound('This job is no longer among the dead, or this version of Howl has no such jobs.')
    if (revived.length === 0) return 0
    const names = [...new Set(revived)].join(', ')
    const detail = `${revived.length} dead ${revived.length === 1 ? 'job' : 'jobs'} ${what} (${names})`
    await noteActivity(context, tx, { type: 'admin_act', user: caller.id, origin, detail })
    logSecurity(
      context.log,
      { event: 'administered', act: what === 'dropped' ? 'drop_jobs' : 'retry_jobs', account: null },
      caller.id,
      origin,
    )
    return revived.length
  })
}
