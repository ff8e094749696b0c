import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Log } from './server-process.ts'

/** How long an orphan may take for a fast, then an immediate shutdown, then to be killed (ms). */
const PATIENCE = { SIGINT: 15_000, SIGQUIT: 5000, SIGKILL: 5000 } as const
const POLL = 10

/**
 * Ends a PostgreSQL that outlived the process which started it. The caller holds the folder's lock, so whatever server
 * still runs on it has no owner any more.
 */
export async function endOrphan(clusterDir: string, log: Log): Promise<void> {
  const pidFile = path.join(clusterDir, 'postmaster.pid')
  const text = await readFile(pidFile, 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return
  if (await isServerOf(pid, clusterDir)) {
    log.warn(`PostgreSQL (process ${pid}) outlived the Howl that started it: stopping it first`)
    for (const signal of Object.keys(PATIENCE) as (keyof typeof PATIENCE)[]) {
      if (await endsBy(signal, pid, clusterDir)) break
    }
  }
  // The number now belongs to a stranger, or to a corpse nobody buries: PostgreSQL would refuse to start. Our own number
  // it takes for stale, as its parent's, yet it still looks whether old backends hold the shared memory named below.
  const left = await readFile(pidFile, 'utf8').catch(() => '')
  if (isAlive(pid) && Number(left.split('\n')[0]) === pid) {
    await writeFile(pidFile, left.replace(/^\d+/, String(process.pid)))
  }
}

async function endsBy(signal: keyof typeof PATIENCE, pid: number, clusterDir: string): Promise<boolean> {
  try {
    process.kill(pid, signal)
  } catch {
    return true
  }
  const until = Date.now() + PATIENCE[signal]
  while (Date.now() < until) {
    if (!isAlive(pid) || !(await isServerOf(pid, clusterDir))) return true
    await pause(POLL)
  }
  return false
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

/** By its command line, since a process id alone may be a stranger's; a corpse has none. */
async function isServerOf(pid: number, clusterDir: string): Promise<boolean> {
  const words = await (
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/cmdline`, 'utf8').then((line) => line.replaceAll('\0', ' '))
      : promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).then(({ stdout }) => stdout)
  ).catch(() => '')
  return /^\S*postgres\s|\/postgres -D /.test(words) && words.includes(` ${clusterDir} `)
}
