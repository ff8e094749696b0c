import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { counted } from '#contract/platform/counted.ts'
import type { Finding } from '#contract/operations/system-health.ts'
import { lastCheck } from '../../../accounts/activities/activities.ts'
import { countJobs } from '../../../platform/jobs/dead-jobs-store.ts'
import { WORKER_DEAD_MS } from '../../../platform/jobs/worker-lease.ts'
import { about, bytes, failure, ok, secondsBetween, span, unknown, warning } from '../finding.ts'
import type { HealthContext } from '../health-context.ts'
import { workers } from '../store.ts'

/** Somebody does the background work, and gets on with it. */
export async function checkWorker({ db, clock, limits }: HealthContext) {
  const now = clock.now()
  const alive = (await workers(db)).filter(
    ({ heartbeat_at: at }) => now.getTime() - at.getTime() < WORKER_DEAD_MS,
  )
  const working = alive.filter(({ is_worker: isWorker }) => isWorker)
  if (working.length === 0)
    return failure(
      alive.length === 0 ? 'No process of Howl is running.' : 'No process does background work.',
      'No mail is sent or read, and nothing reminds anybody.',
      alive.length === 0 ? 'Start Howl.' : 'Start Howl without --run, or a second process with --run=worker.',
    )
  const lag = Math.min(...working.map(({ heartbeat_at: at }) => secondsBetween(at, now)))
  const seen = `${counted(working.length, 'process does', 'processes do')} the background work, last heard of ${lag < 2 ? 'a moment' : span(lag)} ago.`
  const late = working.filter(({ round_at: at }) => at !== null && secondsBetween(at, now) > limits.roundLate)
  const failing = [...new Set(working.flatMap((each) => each.failing_loops))].toSorted()
  if (late.length > 0)
    return failure(
      `${seen} No step of its work has come to an end for ${span(secondsBetween(late[0]?.round_at ?? now, now))}.`,
      'The background work hangs.',
      'Restart Howl. If it happens again, the log says what it was doing.',
    )
  if (failing.length > 0)
    return warning(
      seen,
      `Parts of the background work fail again and again: ${failing.join(', ')}.`,
      'Look for “a step of background work failed” in the log. It is tried again by itself.',
    )
  return ok(seen)
}

/** Jobs that wait, and those that failed every attempt. */
export async function checkQueue({ db, clock, limits }: HealthContext) {
  const now = clock.now()
  const jobs = await countJobs(db, now)
  if (jobs === null) return unknown('There is no queue yet: Howl has not been started on this database.')
  const { waiting, active, oldest, dead } = jobs
  const seen =
    waiting + active === 0
      ? 'No job waits or is at work.'
      : `${counted(waiting, 'job waits', 'jobs wait')}, ${active} at work.`
  const lag = oldest === null ? 0 : secondsBetween(oldest, now)
  const findings = [
    lag > limits.jobsLate
      ? failure(
          `${seen} The oldest has waited for ${span(lag)}.`,
          'Jobs are not taken up.',
          'See whether background work is running (above), and restart Howl.',
        )
      : ok(seen),
  ]
  if (dead > 0)
    findings.push(
      about(
        'Dead jobs',
        warning(
          `${counted(dead, 'job has', 'jobs have')} failed every attempt.`,
          'What they were to do has not been done.',
          'Read their errors, then try them again or drop them.',
        ),
      ),
    )
  return findings
}

/** When the activity log was last compared with its chain. */
export async function checkActivityLog({ db, clock, limits }: HealthContext) {
  const last = await lastCheck(db)
  const mend = 'Open User Management, User Activities, and press “Check the log”.'
  if (last === undefined) return unknown('The activity log has never been checked.', mend)
  const age = secondsBetween(last.checked_at, clock.now())
  const seen = `${counted(last.checked, 'activity was', 'activities were')} checked ${age < 60 ? 'just now' : `${span(age)} ago`}.`
  if (!last.is_whole)
    return failure(
      seen,
      'Somebody has changed the activity log.',
      `${mend} It names what was changed. Change the passwords of this server and of the database.`,
    )
  if (age > limits.chainCheckOld) return unknown(`${seen} Nothing was changed then.`, mend)
  return ok(`${seen} Nothing was changed, removed or inserted.`)
}

/** When the last backup was made, and whether a later one failed. */
export async function checkBackups({ config, clock, limits }: HealthContext) {
  const { good, failed } = await lastBackup(config.dataDir)
  const mend = 'Make one with “npm run backup”, and let the server do so every night.'
  const findings: Finding[] = []
  if (failed !== null)
    findings.push(
      about(
        'Last try',
        failure(
          `It failed ${span(Math.max(1, secondsBetween(new Date(failed.at), clock.now())))} ago: ${failed.why}`,
          'No backup was made.',
          'Mend the cause, and run “npm run backup” again.',
        ),
      ),
    )
  if (good === null)
    return [
      ...findings,
      warning(
        'No backup is known.',
        'If the disk fails, everything is lost.',
        `${mend} If you make backups in another way, all is well.`,
      ),
    ]
  const age = secondsBetween(new Date(good.taken_at), clock.now())
  const seen = `The last backup was made ${age < 120 ? 'just now' : `${span(age)} ago`} (${bytes(good.bytes)}).`
  const aged =
    age > limits.backupTooOld
      ? failure(seen, 'The last backup is far too old.', mend)
      : age > limits.backupOld
        ? warning(seen, 'The last backup is old.', mend)
        : ok(seen)
  return [...findings, aged]
}

/** What a backup writes down about itself. */
const backupRecord = z.object({
  good: z.nullable(z.object({ taken_at: z.iso.datetime(), bytes: z.number() })),
  failed: z.nullable(z.object({ at: z.iso.datetime(), why: z.string() })),
})

async function lastBackup(dataDir: string): Promise<z.infer<typeof backupRecord>> {
  try {
    return backupRecord.parse(JSON.parse(await readFile(path.join(dataDir, 'backups', 'last.json'), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { good: null, failed: null }
    throw error
  }
}
