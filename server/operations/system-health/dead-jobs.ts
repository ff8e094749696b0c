import { DEAD_JOBS_MAX, type DeadJob } from '#contract/operations/system-health.ts'
import type { Given } from '#contract/platform/endpoint.ts'
import { noteActivity } from '../../accounts/activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { notFound } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { deadJobs, takeDeadJobs } from '../../platform/jobs/dead-jobs-store.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { addressesOf } from './store.ts'

/** What the jobs of each queue do. */
const TITLES: Readonly<Record<string, string>> = { 'outreach.drive-batch': 'Bulk run' }
/** An error is shown up to here: long enough to understand. */
const ERROR_MAX = 300

/** Jobs that failed every attempt, the newest first. */
export async function listDeadJobs({ db }: Context): Promise<{ jobs: Given<DeadJob>[]; total: number }> {
  const { jobs, total } = await deadJobs(db, DEAD_JOBS_MAX)
  const owners = jobs.map(({ data }) => ownerOf(data))
  const addresses = await addressesOf(
    db,
    owners.filter((id) => id !== null),
  )
  return {
    jobs: jobs.map(({ id, name, created_at, failed_at, attempts, output }, place) => {
      const owner = owners[place] ?? null
      return {
        id,
        title: TITLES[name] ?? name,
        user_id: owner,
        user_email: owner === null ? null : (addresses.get(owner) ?? null),
        created_at,
        failed_at,
        attempts,
        error: errorIn(output),
      }
    }),
    total,
  }
}

function ownerOf(data: unknown): number | null {
  const { userId } = (data ?? {}) as { userId?: unknown }
  return typeof userId === 'number' ? userId : null
}

/** The queue keeps an error with stack and properties; only its message is shown, in one line and without what looks like a secret. */
function errorIn(output: unknown): string {
  const { message } = (output ?? {}) as { message?: unknown }
  if (typeof message !== 'string' || message === '') return 'No reason was given.'
  return (issuesIn(message) ?? message.slice(0, 10 * ERROR_MAX).split(/\n\s+at /)[0] ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\/\/[^\s/@]+@/g, '//…@')
    .replaceAll(
      /\b(bearer|password|passwd|pass|token|secret|api[-_ ]?key)(["']?\s*[:= ]\s*["']?)[^\s"',;]+/gi,
      '$1$2…',
    )
    .slice(0, ERROR_MAX)
}

/** What does not fit in a job's payload, which is checked first; null for any other error. */
function issuesIn(message: string): string | null {
  if (!message.startsWith('[')) return null
  try {
    const issues = JSON.parse(message) as { path: string[]; message: string }[]
    return issues.map(({ path, message: why }) => `${path.join('.')}: ${why}`).join('; ')
  } catch {
    return null
  }
}

type Act = { caller: Caller; origin: Origin }

/**
 * Puts dead jobs into their queues again, one or all; each job does its work once, however often it is tried.
 *
 * @returns how many
 * @throws Refusal 404
 */
export async function retryDeadJobs(context: Context, id: string | null, act: Act): Promise<number> {
  return change(context, id, act, 'tried again', async (tx, { name, data, key }) =>
    context.jobs.again(tx, name, data ?? {}, key),
  )
}

/** Gives dead jobs up, one or all. Returns how many. @throws Refusal 404 */
export async function dropDeadJobs(context: Context, id: string | null, act: Act): Promise<number> {
  return change(context, id, act, 'dropped', async () => {})
}

async function change(
  context: Context,
  id: string | null,
  { caller, origin }: Act,
  what: 'tried again' | 'dropped',
  each: (
    tx: Parameters<typeof takeDeadJobs>[0],
    job: Awaited<ReturnType<typeof takeDeadJobs>>[number],
  ) => Promise<void>,
): Promise<number> {
  return inTransaction(context.db, async (tx) => {
    const taken = await takeDeadJobs(tx, id, what === 'tried again')
    if (id !== null && taken.length === 0)
      throw notFound('This job is no longer among the dead, or this version of Howl has no such jobs.')
    for (const job of taken) await each(tx, job)
    if (taken.length === 0) return 0
    const names = [...new Set(taken.map(({ name }) => name))].join(', ')
    const detail = `${taken.length} dead ${taken.length === 1 ? 'job' : 'jobs'} ${what} (${names})`
    await noteActivity(context, tx, { type: 'admin_act', user: caller.id, origin, detail })
    logSecurity(
      context.log,
      { event: 'administered', act: what === 'dropped' ? 'drop_jobs' : 'retry_jobs', account: null },
      caller.id,
      origin,
    )
    return taken.length
  })
}
