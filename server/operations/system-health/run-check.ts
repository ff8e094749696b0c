import { CHECK_NAMES, type CheckName, type CheckReport } from '#contract/operations/system-health.ts'
import type { Context } from '../../platform/context.ts'
import { DeadlinePassed, withinDeadline } from '../../platform/gateways/deadline.ts'
import { checkDatabase, checkMigrations } from './checks/database.ts'
import { checkMailboxes, checkOutgoingMail, checkSystemMail } from './checks/mail.ts'
import { checkCertificate, checkExchangeRates, checkModel, checkPublicUrl } from './checks/outside.ts'
import { checkSendingDomains } from './checks/sending-domains.ts'
import { checkClock, checkDisk, checkFiles, checkMemory } from './checks/server.ts'
import { checkActivityLog, checkBackups, checkQueue, checkWorker } from './checks/work.ts'
import { failure, unknown, worst } from './finding.ts'
import type { Check, HealthContext } from './health-context.ts'
import { LIMITS } from './limits.ts'

const MINUTE_MS = 60_000

const here: Omit<Check, 'look'> = { withinMs: 8000, needsDatabase: true, keptMs: 0 }
const elsewhere: Omit<Check, 'look'> = { withinMs: 12_000, needsDatabase: false, keptMs: 10 * MINUTE_MS }

const ALL: Record<CheckName, Check> = {
  database: { ...here, look: checkDatabase },
  migrations: { ...here, look: checkMigrations },
  activity_log: { ...here, look: checkActivityLog },
  backups: { ...here, look: checkBackups, needsDatabase: false },
  worker: { ...here, look: checkWorker },
  queue: { ...here, look: checkQueue },
  outgoing_mail: { ...here, look: checkOutgoingMail },
  mailboxes: { ...here, look: checkMailboxes },
  disk: { ...here, look: checkDisk, needsDatabase: false },
  memory: { ...here, look: checkMemory, needsDatabase: false },
  files: { ...here, look: checkFiles, needsDatabase: false },
  exchange_rates: { ...here, look: checkExchangeRates },
  clock: { ...elsewhere, look: checkClock, needsDatabase: true },
  public_url: { ...elsewhere, look: checkPublicUrl, keptMs: 0 },
  certificate: { ...elsewhere, look: checkCertificate },
  system_mail: { ...elsewhere, look: checkSystemMail, withinMs: 25_000, needsDatabase: true },
  sending_domains: {
    ...elsewhere,
    look: checkSendingDomains,
    withinMs: 25_000,
    needsDatabase: true,
    keptMs: 60 * MINUTE_MS,
  },
  model: { ...elsewhere, look: checkModel, withinMs: 25_000, needsDatabase: true },
}

/** Nobody's server is asked again sooner than this, whoever presses the button (ms). */
const AGAIN_AFTER_MS = 5000

/** What a process remembers of checks. */
export type CheckMemory = {
  /** The last answers of servers elsewhere. */
  reports: Map<CheckName, { report: CheckReport; at: number }>
  /** Checks that run: whoever asks meanwhile gets the same answer. */
  running: Map<CheckName, Promise<CheckReport>>
}

export const emptyCheckMemory = (): CheckMemory => ({ reports: new Map(), running: new Map() })

/** What checks need of the running app. */
export function healthContext({ config, clock, log, model, db }: Context): HealthContext {
  return { config, clock, log, model, db, limits: LIMITS }
}

/**
 * Runs one check, or tells what is remembered of it. It never fails and never hangs: what goes wrong is `unknown`, with the
 * reason.
 *
 * @param again servers elsewhere are asked again, whatever is remembered
 * @param trouble why the database does not answer; null if it does
 */
export async function runCheck(
  context: HealthContext,
  name: CheckName,
  memory: CheckMemory = emptyCheckMemory(),
  { again = false, trouble = null }: { again?: boolean; trouble?: string | null } = {},
): Promise<CheckReport> {
  const now = context.clock.now().getTime()
  const known = memory.reports.get(name)
  const keptMs = again ? Math.min(AGAIN_AFTER_MS, ALL[name].keptMs) : ALL[name].keptMs
  if (known !== undefined && now - known.at < keptMs) return known.report
  const running = memory.running.get(name)
  if (running !== undefined) return running
  const started = runNow(context, name, trouble)
    .then((report) => {
      if (ALL[name].keptMs > 0) memory.reports.set(name, { report, at: now })
      return report
    })
    .finally(() => memory.running.delete(name))
  memory.running.set(name, started)
  return started
}

/** Every check beside the others. */
export async function runChecks(context: HealthContext, trouble: string | null): Promise<CheckReport[]> {
  const memory = emptyCheckMemory()
  return Promise.all(CHECK_NAMES.map((name) => runCheck(context, name, memory, { trouble })))
}

async function runNow(context: HealthContext, name: CheckName, trouble: string | null): Promise<CheckReport> {
  const began = performance.now()
  const findings = [await findingsOf(context, name, trouble)].flat()
  return {
    name,
    state: worst(findings.map(({ state }) => state)),
    findings,
    checked_at: context.clock.now().toISOString(),
    took_ms: Math.round(performance.now() - began),
  }
}

async function findingsOf(context: HealthContext, name: CheckName, trouble: string | null) {
  const { look, withinMs, needsDatabase } = ALL[name]
  if (trouble !== null && name === 'database')
    return failure(
      trouble,
      'Nothing works without the database.',
      'See DATA_DIR/postgres.log, or whether the server of DATABASE_URL runs. The disk may be full.',
    )
  if (trouble !== null && needsDatabase)
    return unknown('The database does not answer, so this cannot be told.')
  const ending = new AbortController()
  try {
    return await withinDeadline(withinMs, look(context, ending.signal), () => ending.abort())
  } catch (error) {
    if (error instanceof DeadlinePassed || ending.signal.aborted)
      return unknown(
        `It took longer than ${Math.round(withinMs / 1000)} seconds, and was given up.`,
        'Try again. If it lasts, something on the way hangs.',
      )
    context.log.warn({ err: error, check: name }, 'a check could not be done')
    return unknown('This check could not be done.', 'The log says why.')
  } finally {
    ending.abort()
  }
}
