import { open, readFile, rename, rm, mkdir, readdir, writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import path from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import {
  openSnapshot,
  type Snapshot,
  SnapshotTaken,
  type TableShape,
} from '../../platform/database/snapshot.ts'
import { Refusal } from '../../platform/errors.ts'
import { blobFiles } from '../../platform/gateways/blobs.ts'
import { FILE_MODE, FOLDER_MODE } from '../../platform/gateways/private-folder.ts'
import { type ArchiveWriter, checkArchive, writeArchive } from './archive.ts'
import {
  archiveName,
  keepNewest,
  keyFileOf,
  removeUnfinished,
  syncFolder,
  unfinishedName,
} from './backup-files.ts'
import { markOf, SEALED_KEY, sealKey } from './key-file.ts'
import { backupsFolder, noteLastBackup, readLastBackup } from './last-backup.ts'
import { LAYOUT, type Manifest, type ManifestTable, readManifest, RowSum } from './manifest.ts'

/** Where a backup is taken from. */
export type BackupSource = {
  config: Config
  /** The database. */
  url: string
  clock: Clock
  /** Tells the operator how far it is. */
  say: (words: string) => void
}

export type BackupOptions = {
  /** A folder; DATA_DIR/backups without it. */
  to: string | null
  /** Seals the secret key into the archive; without it the key lies in a file beside it. */
  passphrase: string | null
  /** How many archives the folder keeps; all of them without it. */
  keep: number | null
}

export type TakenBackup = {
  file: string
  bytes: number
  seconds: number
  manifest: Manifest
  removed: number
}

/** Rows are compressed in pieces of this many bytes, so that memory is bounded whatever a table's size. */
const PIECE = 4 * 1024 * 1024
const LEVEL = 3
/** A file is written before the row that names it commits; whatever is younger than the snapshot belongs to none of its rows. */
const CLOCK_STEP_MS = 2000
/** Progress is told at most so often. */
const TELL_EVERY_MS = 5000

export const JOURNAL = 'acceptance-journal'
export const ANCHOR = 'activity-chain.json'
const compress = promisify<Buffer, { params: Record<number, number> }, Buffer>(zstdCompress)

/**
 * Writes everything that is in this house into one file, while it goes on working: all tables as they are at one moment, the
 * files of large mails, the secret key. The file gets its name when it has been read back and compared.
 *
 * @throws Refusal in one sentence; errors of disk and database
 */
export async function takeBackup(source: BackupSource, options: BackupOptions): Promise<TakenBackup> {
  const { config, clock } = source
  const began = performance.now()
  const before = await readLastBackup(config.dataDir)
  try {
    const taken = await writeBackup(source, options, began)
    const { file, bytes, seconds, manifest } = taken
    await noteLastBackup(config.dataDir, {
      good: {
        taken_at: manifest.taken_at.toISOString(),
        file,
        bytes,
        seconds,
        tables: manifest.tables.length,
        rows: rowsIn(manifest),
        blobs: manifest.blobs.files,
        key: manifest.key.place,
      },
      failed: null,
    })
    return taken
  } catch (error) {
    const failure = plainly(error)
    const failed = { at: clock.now().toISOString(), why: failure.message }
    await noteLastBackup(config.dataDir, { good: before?.good ?? null, failed }).catch(() => {})
    throw failure
  }
}

export const rowsIn = ({ tables }: Manifest) => tables.reduce((sum, { rows }) => sum + rows, 0)

/** What happened, as an operator understands it. */
function plainly(error: unknown): Error {
  if (error instanceof SnapshotTaken) return new Refusal(409, 'Another backup is being taken at this moment.')
  const { code, path: place } = error as { code?: string; path?: string }
  if (code === 'ENOSPC')
    return new Error(
      'The disk is full: no backup was made. Free some space, or name another folder with --to.',
      {
        cause: error,
      },
    )
  if (code === 'EACCES' || code === 'EROFS')
    return new Error(`Nothing can be written to ${place ?? 'the folder'}: no backup was made.`, {
      cause: error,
    })
  return error instanceof Error ? error : new Error(String(error))
}

async function writeBackup(source: BackupSource, { to, passphrase, keep }: BackupOptions, began: number) {
  const { config, url, clock, say } = source
  const key = await secretKeyOf(config)
  const folder = path.resolve(to ?? backupsFolder(config.dataDir))
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  await removeUnfinished(folder)
  // What lies outside the database is read before and after: the snapshot begins in between.
  const anchor = await readIfThere(path.join(config.dataDir, ANCHOR))
  const journalsBefore = await journalsOf(config.dataDir)
  const snapshot = await openSnapshot(url)
  const at = clock.now()
  const youngest = Date.now() + CLOCK_STEP_MS
  const name = archiveName(at)
  const file = path.join(folder, name)
  const unfinished = path.join(folder, unfinishedName(name))
  const keyFile = keyFileOf(file)
  let keyWritten = false
  try {
    if (snapshot.migrations.length === 0)
      throw new Refusal(409, 'There is nothing to back up: Howl was never started on this database.')
    const archive = await writeArchive(unfinished, at)
    let manifest: Manifest
    try {
      await archive.add('README.txt', Buffer.from(README))
      if (anchor !== null) await archive.add(ANCHOR, anchor)
      await addJournals(archive, journalsBefore, await journalsOf(config.dataDir))
      const tables = await addTables(archive, snapshot, say)
      await snapshot.close()
      const blobs = await addBlobs(archive, config.blobsDir, youngest, say)
      if (passphrase !== null) await archive.add(SEALED_KEY, await sealKey(key, passphrase))
      const place = passphrase === null ? ('beside' as const) : ('inside' as const)
      const content = {
        format: 'howl-backup' as const,
        layout: LAYOUT,
        howl: config.version,
        taken_at: at,
        migrations: snapshot.migrations,
        tables,
        sequences: snapshot.sequences,
        blobs,
        key: { place, mark: markOf(key) },
      }
      await archive.finish((members, sums) => ({ ...content, members, sums }))
    } finally {
      await archive.close()
    }
    say('Reading it back …')
    manifest = await readBack(unfinished, say)
    // The key comes first: an archive that looks whole never lacks it.
    if (passphrase === null) {
      await writeFile(keyFile, `${key}\n`, { mode: FILE_MODE, flush: true })
      keyWritten = true
    }
    await rename(unfinished, file)
    await syncFolder(folder)
    const { size } = await statOf(file)
    const removed = keep === null ? 0 : await keepNewest(folder, keep)
    return { file, bytes: size, seconds: secondsSince(began), manifest, removed }
  } catch (error) {
    await rm(unfinished, { force: true })
    if (keyWritten) await rm(keyFile, { force: true })
    throw error
  } finally {
    await snapshot.close().catch(() => {})
  }
}

const secondsSince = (began: number) => Math.round((performance.now() - began) / 100) / 10

async function statOf(file: string) {
  const handle = await open(file, 'r')
  try {
    return await handle.stat()
  } finally {
    await handle.close()
  }
}

async function readBack(file: string, say: (words: string) => void): Promise<Manifest> {
  const handle = await open(file, 'r')
  try {
    return readManifest(await checkArchive(file, handle, everySeconds(say, 'read back')))
  } finally {
    await handle.close()
  }
}

/** The key as it is now. Unlike at a start, none is made: a new one would open nothing. */
async function secretKeyOf({ secretKey, dataDir }: Config): Promise<string> {
  if (secretKey !== null) return secretKey
  const found = await readIfThere(path.join(dataDir, 'secret-key'))
  if (found === null)
    throw new Refusal(409, `There is no secret key in ${dataDir}. Give this command the DATA_DIR of Howl.`)
  return found.toString('utf8').trim()
}

async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The acceptance journals of all processes, by name: mails that have left and that the database may not know of. */
async function journalsOf(dataDir: string): Promise<Map<string, Buffer>> {
  const folder = path.join(dataDir, JOURNAL)
  const names = await readdir(folder).catch(() => [])
  const journals = new Map<string, Buffer>()
  for (const name of names) {
    const content = await readIfThere(path.join(folder, name))
    if (content !== null) journals.set(name, content)
  }
  return journals
}

async function addJournals(
  archive: ArchiveWriter,
  before: ReadonlyMap<string, Buffer>,
  after: ReadonlyMap<string, Buffer>,
): Promise<void> {
  for (const [name, content] of before) await archive.add(`${JOURNAL}/${name}-before`, content)
  for (const [name, content] of after) await archive.add(`${JOURNAL}/${name}`, content)
}

async function addTables(archive: ArchiveWriter, snapshot: Snapshot, say: (words: string) => void) {
  const tell = everySeconds(say, 'written')
  const tables: ManifestTable[] = []
  for (const table of snapshot.tables) tables.push(await addTable(archive, snapshot, table, tell))
  const rows = tables.reduce((sum, each) => sum + each.rows, 0)
  say(`${tables.length} tables, ${rows.toLocaleString('en')} rows.`)
  return tables
}

async function addTable(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  table: TableShape,
  tell: (bytes: number) => void,
): Promise<ManifestTable> {
  const sum = new RowSum()
  let chunks: Buffer[] = []
  let size = 0
  let number = 0
  // One piece is compressed, in a thread, while the next one is read.
  let compressing = Promise.resolve<{ name: string; bytes: Buffer } | null>(null)
  const addCompressed = async () => {
    const done = await compressing
    compressing = Promise.resolve(null)
    if (done !== null) await archive.add(done.name, done.bytes)
    tell(archive.bytes)
  }
  const cut = async () => {
    const piece = Buffer.concat(chunks)
    chunks = []
    size = 0
    number += 1
    const name = `tables/${table.name}/${String(number).padStart(6, '0')}.copy.zst`
    await addCompressed()
    const next = compress(piece, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })
    compressing = next.then((bytes) => ({ name, bytes }))
    // Awaited by the next piece; until then nobody listens.
    compressing.catch(() => {})
  }
  for await (const chunk of snapshot.rowsOf(table) as Readable & AsyncIterable<Buffer>) {
    sum.add(chunk)
    chunks.push(chunk)
    size += chunk.length
    if (size >= PIECE) await cut()
  }
  if (size > 0) await cut()
  await addCompressed()
  return { ...table, rows: sum.rows, checksum: sum.checksum }
}

async function addBlobs(
  archive: ArchiveWriter,
  folder: string,
  youngest: number,
  say: (words: string) => void,
): Promise<Manifest['blobs']> {
  const tell = everySeconds(say, 'written')
  let files = 0
  let bytes = 0
  for await (const { key, file } of blobFiles(folder)) {
    const handle = await open(file, 'r').catch((error: unknown) => {
      // Deleted meanwhile, with the row that named it.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    })
    if (handle === null) continue
    try {
      const { size, mtimeMs } = await handle.stat()
      if (mtimeMs > youngest) continue
      await archive.addStream(`blobs/${key}`, size, handle.createReadStream({ autoClose: false }))
      files += 1
      bytes += size
    } finally {
      await handle.close()
    }
    tell(archive.bytes)
  }
  if (files > 0) say(`${files.toLocaleString('en')} files of mails, attachments and invoices.`)
  return { files, bytes }
}

/** Tells how many megabytes are done, a few times a minute. */
export function everySeconds(say: (words: string) => void, done: string): (bytes: number) => void {
  let toldAt = performance.now()
  return (bytes) => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return
    toldAt = performance.now()
    say(`${Math.round(bytes / 1_000_000).toLocaleString('en')} MB ${done} …`)
  }
}

const README = `A backup of Howl. "npm run restore -- FILE" brings it back.

By hand:
  tar -xf FILE                                 unpacks it
  sha256sum -c SHA256SUMS                      compares every part with its sum
  zstd -dc tables/contacts/*.zst               shows the rows of a table, as PostgreSQL's COPY writes them
  manifest.json                                names the columns of each table and counts its rows
  blobs/                                       large mails, attachments, PDFs of issued invoices
`
