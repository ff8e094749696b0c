import { closeSync, openSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Who holds a data folder; `socketDir` is the holder's socket folder, to clear away if it was killed. */
type Holder = { pid: number; since: string; socketDir: string }

export type Lock = ReturnType<typeof takeLock>

/** SQLite's code for "another process holds the lock". */
const SQLITE_BUSY = 5

/**
 * Takes the one lock on a data folder. The lock is SQLite's exclusive file lock on an empty file: the kernel lets go of
 * it when the holder dies, however it dies, and it holds across containers that share the folder, where process ids say
 * nothing.
 *
 * @throws Error in one sentence that says who holds it.
 */
export function takeLock(dataDir: string) {
  const holderFile = path.join(dataDir, 'postgres.holder.json')
  const lockFile = path.join(dataDir, 'postgres.lock')
  createPrivately(lockFile)
  const file = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    throw (error as { errcode?: number }).errcode === SQLITE_BUSY
      ? new Error(refusal(dataDir, readHolder(holderFile)), { cause: error })
      : error
  }
  return {
    /** What the last holder wrote, if it ended without clearing up; null otherwise. */
    before: readHolder(holderFile),
    /** Writes down who holds the folder now. */
    sign: (holder: Holder) => writeFile(holderFile, `${JSON.stringify(holder)}\n`, { mode: 0o600 }),
    release: async () => {
      // A full disk must not keep the folder locked.
      await writeFile(holderFile, '').catch(() => {})
      file.close()
    },
  }
}

/** Who may open the file may lock it, so nobody else may. An existing file stays shut: closing it would unlock it. */
function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
}

function refusal(dataDir: string, holder: Holder | null): string {
  const who = holder === null ? 'another process' : `process ${holder.pid}, since ${holder.since}`
  return `Howl is already running on ${dataDir} (${who}): stop it first, or give this one its own DATA_DIR and PORT.`
}

function readHolder(file: string): Holder | null {
  try {
    const { pid, since, socketDir } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return typeof pid === 'number' && typeof since === 'string' && typeof socketDir === 'string'
      ? { pid, since, socketDir }
      : null
  } catch {
    return null
  }
}
