import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { seeded } from '../support/seeded.ts'
import { arrivals, type BulkRun } from './bulk-run.ts'
import { untilDone } from './kill.ts'

/** The embedded PostgreSQL's process id, from its own file. */
function postmaster(run: BulkRun): number {
  return Number(
    readFileSync(path.join(run.environment['DATA_DIR'] ?? '', 'postgres/postmaster.pid'), 'utf8').split(
      '\n',
    )[0],
  )
}

/** SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, connections are cut. */
const FAST_SHUTDOWN = 'SIGINT'

/**
 * Restarts PostgreSQL in the middle of a run, again and again; half of the times it is killed with -9. Howl goes on:
 * nothing is lost and nothing is duplicated.
 */
export async function restartPostgres(
  run: BulkRun,
  mails: number,
  restarts: number,
  seed: number,
): Promise<void> {
  const random = seeded(seed)
  run.begin()
  for (let restart = 0; restart < restarts; restart++) {
    const next = Math.floor(((restart + random()) * mails * 0.95) / restarts)
    while ((await run.sink.count()) < next) await pause(10)
    const before = postmaster(run)
    process.kill(before, restart % 2 === 0 ? FAST_SHUTDOWN : 'SIGKILL')
    while (!isAnother(run, before)) await pause(20)
  }
  await untilDone(run)
  expect(await arrivals(run.sink)).toEqual({ mails, duplicates: 0 })
  expect(await run.summary()).toMatchObject({ sent: mails, errors: 0, pending: 0 })
}

function isAnother(run: BulkRun, before: number): boolean {
  try {
    const now = postmaster(run)
    return now !== before && now > 0
  } catch {
    return false
  }
}
