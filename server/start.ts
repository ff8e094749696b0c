import { pino } from 'pino'
import { type Config, isForOthers, isOnThisMachine, readConfig } from './platform/config.ts'
import { checkDatabase } from './platform/database/check-database.ts'
import { startEmbeddedPostgres } from './platform/database/embedded.ts'
import type { Welcome } from './accounts/admin-auth/admin-auth.ts'
import { type Role, runHowl } from './run.ts'

/** A stop is forced after this many milliseconds: systemd and containers kill at 30 s, deploys expect 20. */
const FORCE_STOP_MS = 19_500

const ROLES: readonly Role[] = ['web', 'worker']

function rolesOf(args: readonly string[]): readonly Role[] {
  const given = args
    .find((arg) => arg.startsWith('--run='))
    ?.slice('--run='.length)
    .split(',')
  if (given === undefined) return ROLES
  const unknown = given.filter((role) => !ROLES.includes(role as Role))
  if (unknown.length > 0) throw new Error(`--run takes web, worker or both, not “${unknown.join(', ')}”`)
  return given as Role[]
}

async function start(): Promise<void> {
  const config = readConfig()
  const roles = rolesOf(process.argv.slice(2))
  const log = pino({
    level: config.logLevel,
    base: null,
    serializers: { err: plainError },
    redact: ['*.password', 'req.headers.authorization'],
  })
  if (config.clockOffsetSeconds !== 0) {
    log.warn(
      `THE CLOCK IS MOVED by ${config.clockOffsetSeconds} s (CLOCK_OFFSET): this is a drill, not business`,
    )
  }
  if (config.databaseUrl !== null) await checkDatabase(config.databaseUrl)
  const postgres =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null
  const howl = await runHowl({
    config,
    databaseUrl: config.databaseUrl ?? postgres?.url ?? '',
    roles,
    log,
    alone: postgres !== null,
  })

  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    log.info(`${signal}: stopping`)
    setTimeout(() => process.exit(1), FORCE_STOP_MS).unref()
    await howl.stop()
    await postgres?.stop()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
  greet(config, howl.url)
  warn(config)
  welcome(config, howl.welcome)
}

/** An error without the live objects that libraries attach to it: a log line must not hold a whole connection. */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
  }
}

function greet(config: Config, url: string | null): void {
  if (url === null) console.log('Howl works in the background.')
  else
    console.log(
      `\n  Howl is ready. Open ${config.port === 0 ? url : config.publicUrl} and press “Get Started Free”.\n  Your data is in ${config.dataDir}\n`,
    )
}

/** Others reach this Howl, and cannot get a new password. The doctor says so too. */
function warn(config: Config): void {
  if (config.systemSmtp === null && isForOthers(config))
    console.log(
      `  Password codes are only written to the log, although others use Howl at ${placeOf(config)}. Set SYSTEM_SMTP_URL so that they get them by email.\n`,
    )
}

/** Where others reach Howl: its public address, or where it listens. */
function placeOf({ publicUrl, host, port }: Config): string {
  return isOnThisMachine(publicUrl) ? `${host}:${port}` : publicUrl
}

/** Printed and not logged: a log is kept and read by more people. */
function welcome({ publicUrl }: Config, { claimLink, accessCodes }: Welcome): void {
  if (claimLink !== null)
    console.log(
      `  Nobody administers this Howl yet. Open this link to become its administrator; it works once, within 24 hours:\n  ${claimLink}\n`,
    )
  if (accessCodes !== null)
    console.log(
      `  Administrators log in at ${publicUrl}/admin-login with one of these access codes. Write them down, they are shown only now:\n  ${accessCodes.join('\n  ')}\n`,
    )
}

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
