import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Config } from '../../platform/config.ts'
import { BLOB_KINDS } from '../../platform/gateways/blobs.ts'
import { FILE_MODE, FOLDER_MODE } from '../../platform/gateways/private-folder.ts'
import { syncFolder } from './backup-files.ts'

/**
 * Files of a restore wait beside their place until the database is in its place. A note in DATA_DIR says so: a restore that
 * is killed in between is finished, or forgotten, by the next start.
 */
const NOTE = 'restore-pending.json'
const BLOBS_WAITING = '.restoring'
const KEY_WAITING = 'secret-key.restoring'
const ANCHOR_WAITING = 'activity-chain.json.restoring'

const note = z.object({ token: z.string() })

type Places = Pick<Config, 'dataDir' | 'blobsDir'>

const noteIn = ({ dataDir }: Places) => path.join(dataDir, NOTE)
/** Where the blobs of a restore are written at first. */
export const waitingBlobs = ({ blobsDir }: Places) => path.join(blobsDir, BLOBS_WAITING)

/** Whether a restore has begun here that is neither finished nor forgotten. */
export const hasBegun = (places: Places) => existsSync(waitingBlobs(places))

/** Clears away what a restore that did not come about has left. */
export async function forgetFiles(places: Places): Promise<void> {
  await rm(waitingBlobs(places), { recursive: true, force: true })
  for (const name of [NOTE, KEY_WAITING, ANCHOR_WAITING])
    await rm(path.join(places.dataDir, name), { force: true })
}

/** Makes room for the files of a restore. */
export async function beginFiles(places: Places): Promise<void> {
  await forgetFiles(places)
  await mkdir(waitingBlobs(places), { recursive: true, mode: FOLDER_MODE })
}

/** Writes what belongs into DATA_DIR beside its place, and the note. From here on `finishFiles` does the rest. */
export async function noteFiles(
  places: Places,
  token: string,
  files: { key: string | null; anchor: Buffer | null },
): Promise<void> {
  const put = (name: string, content: string | Buffer) =>
    writeFile(path.join(places.dataDir, name), content, { mode: FILE_MODE, flush: true })
  if (files.key !== null) await put(KEY_WAITING, files.key)
  if (files.anchor !== null) await put(ANCHOR_WAITING, files.anchor)
  await put(NOTE, JSON.stringify({ token }))
  await syncFolder(places.dataDir)
}

/**
 * Finishes the files of a restore whose database is in its place, and forgets those of one whose database is not. May be
 * killed and called again. Without a note nothing happens.
 *
 * @param isInPlace whether the database in use is that of the restore with this token
 * @param clearAway removes what belonged to the replaced house; may be called again
 */
export async function finishFiles(
  places: Places,
  isInPlace: (token: string) => Promise<boolean>,
  clearAway: () => Promise<void>,
): Promise<void> {
  const text = await readFile(noteIn(places), 'utf8').catch(() => null)
  if (text === null) return
  const { token } = note.parse(JSON.parse(text))
  if (await isInPlace(token)) {
    await placeBlobs(places)
    await move(path.join(places.dataDir, KEY_WAITING), path.join(places.dataDir, 'secret-key'))
    // The end of the chain that this folder knows is newer: it stays, and the check names the gap.
    const anchor = path.join(places.dataDir, 'activity-chain.json')
    if (!existsSync(anchor)) await move(path.join(places.dataDir, ANCHOR_WAITING), anchor)
    await clearAway()
  }
  // The note goes last: until then all of this is done again.
  for (const name of [KEY_WAITING, ANCHOR_WAITING]) await rm(path.join(places.dataDir, name), { force: true })
  await rm(waitingBlobs(places), { recursive: true, force: true })
  await rm(noteIn(places), { force: true })
}

/**
 * One kind of blobs after the other: what is there goes, and what was restored comes. The folder itself may be the root of
 * a disk, which nobody can rename, and which has folders that are not Howl's (lost+found): they stay.
 */
async function placeBlobs(places: Places): Promise<void> {
  const waiting = waitingBlobs(places)
  const done = path.join(waiting, '.done')
  if (!existsSync(waiting)) return
  if (!existsSync(done)) {
    const restored = (await namesIn(waiting)).filter(isBlobs)
    for (const name of new Set([...BLOB_KINDS, ...restored]))
      await rm(path.join(places.blobsDir, name), { recursive: true, force: true })
    await writeFile(done, '', { mode: FILE_MODE })
  }
  for (const name of await namesIn(waiting))
    if (isBlobs(name)) await rename(path.join(waiting, name), path.join(places.blobsDir, name))
  await syncFolder(places.blobsDir)
}

const isBlobs = (name: string) => !name.startsWith('.')
const namesIn = (folder: string) => readdir(folder).catch(() => [])

async function move(from: string, to: string): Promise<void> {
  if (existsSync(from)) await rename(from, to)
}
