import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { pino, type Logger } from 'pino'
import { CHECKS, type CheckReport, type Finding, HEALTH_STATES } from '#contract/operations/system-health.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { connect } from '../platform/database/connect.ts'
import { reachEmbeddedPostgres } from '../platform/database/embedded.ts'
import type { Database } from '../platform/database/handles.ts'
import { isMigrated } from '../platform/database/migrate.ts'
import { databaseAnswers } from '../platform/database/transaction.ts'
import { Refusal } from '../platform/errors.ts'
import { withinDeadline } from '../platform/gateways/deadline.ts'
import { makeLanguageModel } from '../platform/gateways/language-model.ts'
import { LIMITS, runChecks } from '../operations/system-health/system-health.ts'

/** A database that is silent for longer counts as down (ms). */
const ANSWERS_MS = 8000
const CLOSES_MS = 2000

const USAGE = 'Usage: npm run doctor -- [--json]'

/**
 * Runs `npm run doctor`: every check, beside a running Howl or without one, also where the database is broken. Nothing is
 * changed; where Howl is stopped, its own database is started for as long as the checks take.
 *
 * @returns what to print, and whether nothing has failed
 * @throws Error with a sentence for the operator
 */
export async function runDoctorCommand(
  config: Config,
  args: readonly string[],
): Promise<{ ok: boolean; text: string }> {
  const { json } = argumentsOf(args)
  const log = pino({ level: 'fatal', base: null }, pino.destination({ dest: process.stderr.fd, sync: true }))
  const postgres = await reachDatabase(config, log)
  const database = connect(postgres.url, () => {})
  try {
    const trouble = postgres.trouble ?? (await troubleOf(database.db))
    const reports = await runChecks(
      {
        config,
        clock: systemClock(config.clockOffsetSeconds),
        log,
        model: makeLanguageModel(config.model),
        db: database.db,
        limits: LIMITS,
      },
      trouble,
    )
    const ok = reports.every(({ state }) => state !== 'failure')
    return { ok, text: json ? JSON.stringify({ ok, checks: reports }, null, 2) : inWords(reports) }
  } finally {
    // A database that hangs does not let go of its connections either.
    await withinDeadline(CLOSES_MS, database.close(), () => {}).catch(() => {})
    await postgres.stop()
  }
}

function argumentsOf(args: readonly string[]): { json: boolean } {
  try {
    return parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } }).values
  } catch {
    throw new Refusal(400, USAGE)
  }
}

async function troubleOf(db: Database): Promise<string | null> {
  const answers = await withinDeadline(ANSWERS_MS, databaseAnswers(db), () => {}).catch(() => false)
  if (!answers) return 'The database does not answer.'
  return (await isMigrated(db)) ? null : NEVER_STARTED
}

const NEVER_STARTED = 'Howl has never been started on this database.'

type Reached = { url: string; trouble: string | null; stop: () => Promise<void> }

/** Nobody listens there: whoever asks nevertheless is refused at once. */
const NOWHERE = 'postgres://127.0.0.1:1/nowhere'

async function reachDatabase({ databaseUrl, dataDir }: Config, log: Logger): Promise<Reached> {
  const unreached = (trouble: string): Reached => ({ url: NOWHERE, trouble, stop: async () => {} })
  if (databaseUrl !== null) return { url: databaseUrl, trouble: null, stop: async () => {} }
  // A database is looked at here, never made.
  if (!existsSync(path.join(dataDir, 'postgres')))
    return unreached(`There is no database in ${dataDir}: Howl has never been started there.`)
  try {
    return { ...(await reachEmbeddedPostgres({ dataDir: path.resolve(dataDir), log })), trouble: null }
  } catch (error) {
    return unreached(error instanceof Error ? error.message : String(error))
  }
}

const MARKS = { failure: '✗', warning: '!', unknown: '?', ok: '✓' } as const

/** The checks as the operator reads them in a terminal, the worst first. */
function inWords(reports: readonly CheckReport[]): string {
  const sorted = HEALTH_STATES.flatMap((state) => reports.filter((report) => report.state === state))
  const count = (state: CheckReport['state']) => reports.filter((report) => report.state === state).length
  const [failed, warned, open] = [count('failure'), count('warning'), count('unknown')]
  const parts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(warned > 0 ? [`${warned} to look at`] : []),
    ...(open > 0 ? [`${open} that could not be told`] : []),
  ]
  const end =
    failed + warned + open === 0
      ? 'This Howl is well.'
      : `${failed > 0 ? 'THIS HOWL IS NOT WELL' : 'This Howl works'}: of ${reports.length} checks ${parts.join(', ')}.`
  return [...sorted.flatMap((report) => [...linesOf(report), '']), end].join('\n')
}

function linesOf({ name, state, findings }: CheckReport): string[] {
  return [`${MARKS[state]} ${CHECKS[name].title}`, ...findings.flatMap(linesOfFinding)]
}

function linesOfFinding({ subject, state, seen, wrong, mend }: Finding): string[] {
  const mark = subject === null ? '' : `${MARKS[state]} ${subject}: `
  return [
    `    ${mark}${seen}`,
    ...(wrong === null ? [] : [`      ${wrong}`]),
    ...(mend === null ? [] : [`      → ${mend}`]),
  ]
}
