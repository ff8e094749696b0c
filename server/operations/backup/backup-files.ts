import { open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

const PREFIX = 'howl-'
const ENDING = '.tar'
const WHOLE = /^howl-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar$/
const UNFINISHED = /^\.howl-[\dTZ-]+\.tar\.part(\.sums)?$/
/** An unfinished file that nobody has written to for this long was left by a process that was killed. */
const UNFINISHED_KEPT_MS = 10 * 60_000

/** The name of the archive of a moment. */
export const archiveName = (at: Date) =>
  `${PREFIX}${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z${ENDING}`
/** Under which it is written until it is whole. */
export const unfinishedName = (name: string) => `.${name}.part`
/** The file with the secret key beside an archive. */
export const keyFileOf = (archive: string) => `${archive.slice(0, -ENDING.length)}.key`

/** Removes all but the newest archives of a folder, with their keys. Returns how many. */
export async function keepNewest(folder: string, keep: number): Promise<number> {
  const archives = (await readdir(folder)).filter((name) => WHOLE.test(name)).toSorted()
  const old = archives.slice(0, Math.max(0, archives.length - keep))
  for (const name of old) {
    await rm(path.join(folder, name), { force: true })
    await rm(path.join(folder, keyFileOf(name)), { force: true })
  }
  return old.length
}

/** Removes what killed backups have left. */
export async function removeUnfinished(folder: string): Promise<void> {
  const before = Date.now() - UNFINISHED_KEPT_MS
  for (const name of await readdir(folder)) {
    if (!UNFINISHED.test(name)) continue
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => undefined)
    if (found !== undefined && found.mtimeMs < before) await rm(file, { force: true })
  }
}

/** Waits until the disk holds the names in a folder. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
