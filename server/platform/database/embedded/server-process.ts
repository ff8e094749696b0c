import { once } from 'node:events'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Account } from './account.ts'

export type ServerProcess = {
  pid: number
  /** Resolves, never rejects, when the server has ended, with the words for a log line. */
  ended: Promise<string>
  stop(): Promise<void>
}

export type Log = { info(text: string): void; warn(text: string): void; error(text: string): void }

/** How long a fast, then an immediate shutdown may take before the next harder signal (ms). */
const FAST_STOP = 10_000
const IMMEDIATE_STOP = 5000
/** Backends of a killed server let go of its shared memory within this time (ms). */
const SHARED_MEMORY_WAIT = 20_000
const POLL = 5
/** A recovery after a crash may take minutes: say so this often (ms). */
const STILL_STARTING = 10_000
/** Only the end of what the server wrote is read for its reason (bytes). */
const LOG_TAIL = 8192

/**
 * The shell leaves a watcher behind and becomes PostgreSQL, with the same process id. The watcher reads from a pipe
 * whose other end is ours: when we die, however we die, it asks PostgreSQL for a fast shutdown. `$$` is the id of the
 * shell, then of PostgreSQL, also inside the brackets. Double brackets, so that the watcher is no child of PostgreSQL.
 */
const WATCHED = '( { read -r _ <&3 || kill -INT $$; } & ); exec "$0" "$@" 3<&-'

type Launch = {
  account: Account
  postgres: string
  clusterDir: string
  logFile: string
  settings: Record<string, string>
  log: Log
}

/** Starts PostgreSQL and waits until it takes connections. @throws Error with the server's own reason. */
export async function startServer(launch: Launch): Promise<ServerProcess> {
  const giveUp = Date.now() + SHARED_MEMORY_WAIT
  for (;;) {
    try {
      return await startOnce(launch)
    } catch (error) {
      const held = /pre-existing shared memory block|postmaster\.pid" already exists/.test(String(error))
      if (!held || Date.now() > giveUp) throw error
      await pause(100)
    }
  }
}

async function startOnce({
  account,
  postgres,
  clusterDir,
  logFile,
  settings,
  log,
}: Launch): Promise<ServerProcess> {
  const logged = openSync(logFile, 'a+', 0o600)
  try {
    const before = fstatSync(logged).size
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = account.spawn('/bin/sh', ['-c', WATCHED, postgres, '-D', clusterDir, ...flags], {
      // A session of its own: Ctrl-C is for us, and we stop it when the last work is written.
      detached: true,
      stdio: ['ignore', logged, logged, 'pipe'],
    })
    const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error))
    const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? `exit code ${String(code)}`))
    failed.catch(() => {})
    const watcher = child.stdio[3] as Socket
    watcher.on('error', () => {})
    // PostgreSQL has gone: the watcher must not signal a stranger with its number.
    child.on('exit', () => watcher.end('ended\n'))
    let over = false
    ended.then(
      () => (over = true),
      () => (over = true),
    )

    const began = Date.now()
    let said = began
    while (!(await isReady(clusterDir, child.pid))) {
      await Promise.race([pause(POLL), failed])
      if (over) throw new Error(`PostgreSQL did not start (${await ended}): ${reason(logged, before)}`)
      if (Date.now() - said > STILL_STARTING) {
        said = Date.now()
        log.info(
          `PostgreSQL is still starting, after ${Math.round((said - began) / 1000)} s (it may be recovering)`,
        )
      }
    }
    child.unref()
    watcher.unref()
    return { pid: child.pid ?? 0, ended, stop }

    async function stop(): Promise<void> {
      child.ref()
      for (const [signal, patience] of [
        ['SIGINT', FAST_STOP],
        ['SIGQUIT', IMMEDIATE_STOP],
        ['SIGKILL', IMMEDIATE_STOP],
      ] as const) {
        if (over) return
        child.kill(signal)
        await within(patience, ended)
      }
    }
  } finally {
    closeSync(logged)
  }
}

/** Waits for `event`, at most `patience` ms; no timer stays behind to keep the process alive. */
async function within(patience: number, event: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  const timeout = pause(patience, undefined, { signal: done.signal }).catch(() => {})
  await Promise.race([event, timeout])
  done.abort()
}

/** PostgreSQL writes its id on the first and its state on the eighth line of postmaster.pid, as pg_ctl reads it. */
async function isReady(clusterDir: string, pid: number | undefined): Promise<boolean> {
  const lines = (await readFile(path.join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

function reason(logged: number, before: number): string {
  const size = fstatSync(logged).size
  const from = Math.max(before, size - LOG_TAIL)
  const tail = Buffer.alloc(Math.max(0, size - from))
  readSync(logged, tail, 0, tail.length, from)
  const lines = tail.toString('utf8').trim().split('\n')
  const why = lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? ''
  return why === '' ? 'it gave no reason' : why
}
