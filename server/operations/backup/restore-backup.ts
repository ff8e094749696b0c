import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import { connect } from '../../platform/database/connect.ts'
import { beginFilling, type FilledDatabase } from '../../platform/database/fill-database.ts'
import type { Database } from '../../platform/database/handles.ts'
import { LAST_OLD_HOWL, migrate, schemaStateOf } from '../../platform/database/migrate.ts'
import type { TableShape } from '../../platform/database/snapshot.ts'
import {
  beside,
  connectionsTo,
  dropDatabase,
  makeDatabaseLike,
  swapDatabases,
  urlWith,
  whileAlone,
} from '../../platform/database/swap-databases.ts'
import { conflict, notFound, Refusal } from '../../platform/errors.ts'
import { openJournalFile } from '../../platform/gateways/journal-file.ts'
import { FILE_MODE, FOLDER_MODE } from '../../platform/gateways/private-folder.ts'
import { makeSecretBox } from '../../platform/security/secret-box.ts'
import { BadArchive, checkArchive, type Member, membersOf, piecesOf, readAt } from './archive.ts'
import { keyFileOf } from './backup-files.ts'
import type { CarriedOver } from './carry-over.ts'
import { holdRestored } from './hold-restored.ts'
import { markOf, openKey, SEALED_KEY } from './key-file.ts'
import { type Manifest, type ManifestTable, readManifest, RowSum } from './manifest.ts'
import { beginFiles, finishFiles, forgetFiles, hasBegun, noteFiles, waitingBlobs } from './place-files.ts'
import { countPeople, hasRestore } from './restores-store.ts'
import { ANCHOR, everySeconds, JOURNAL, rowsIn } from './take-backup.ts'

/** Of a name in a sentence. */
const NAME_SHOWN = 120

/** The house that a backup is brought back into. Howl is stopped. */
export type RestorePlace = {
  config: Config
  /** The database; it may be empty. */
  url: string
  clock: Clock
  say: (words: string) => void
}

export type RestoreOptions = {
  file: string
  /** Opens the secret key where it is in the archive. */
  passphrase: string | null
  /** Asked before a house with people in it is replaced; null: it is refused. */
  mayReplace: ((people: number) => Promise<boolean>) | null
}

export type Restored = { manifest: Manifest; carried: CarriedOver | undefined; seconds: number }

/** Pieces are at most about this large; what claims more is not one of ours (bytes). */
const PIECE_MAX = 1024 * 1024 * 1024
const ANCHOR_MAX = 64 * 1024
const KEY_MAX = 64 * 1024

const decompress = promisify<Buffer, { maxOutputLength: number }, Buffer>(zstdDecompress)

/**
 * Brings a backup back. Everything is checked before anything is touched; the rows go into a new database, which takes the
 * place of the present one only when all of it is there and compared. Until then a failure or a kill leaves the present
 * state as it is.
 *
 * @throws BadArchive, Refusal with a sentence for the operator; errors of disk and database
 */
export async function restoreBackup(place: RestorePlace, options: RestoreOptions): Promise<Restored> {
  const began = performance.now()
  const { config, url, say } = place
  const file = path.resolve(options.file)
  const handle = await open(file, 'r').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Refusal(404, `There is no file ${file}.`)
    throw error
  })
  try {
    say('Checking the backup …')
    const manifest = readManifest(await checkArchive(file, handle, everySeconds(say, 'checked')))
    checkVersion(manifest)
    const key = await keyOf(handle, file, manifest, options.passphrase, config)
    if ((await connectionsTo(url)) > 0)
      throw conflict(
        'Howl is running, or another program uses its database. Stop it first; nothing was changed.',
      )
    await finishRestore(config, url)
    await checkReplace(url, options.mayReplace)
    const restored = await whileAlone(url, () => restoreInto(place, handle, file, manifest, key))
    if (restored === null) throw conflict('Another restore is running. Nothing was changed.')
    const carried = restored.result
    return { manifest, carried, seconds: Math.round((performance.now() - began) / 100) / 10 }
  } finally {
    await handle.close()
  }
}

/**
 * Finishes a restore that was killed after its database had taken its place: its files, the replaced database, the journals of
 * the replaced house. One that was killed before that is forgotten. Called at each start, before the secret key is read.
 */
export async function finishRestore(config: Config, url: string): Promise<void> {
  const isInPlace = (token: string) => withDatabase(url, (db) => hasRestore(db, token)).catch(ignoreNoTable)
  await finishFiles(config, isInPlace, async () => {
    await rm(path.join(config.dataDir, JOURNAL), { recursive: true, force: true })
    await dropDatabase(url, asideOf(url))
  })
  if (!hasBegun(config)) return
  // Nobody has noted that these files are whole. Unless their restore is still at work, it was killed.
  await whileAlone(url, async () => {
    await dropDatabase(url, freshOf(url))
    await forgetFiles(config)
  })
}

/** The name of the database that a restore fills. */
const freshOf = (url: string) => beside(url, 'restoring')

/** The name of the replaced database until it is removed. */
const asideOf = (url: string) => beside(url, 'before_restore')

function ignoreNoTable(error: unknown): false {
  if ((error as { code?: string }).code === '42P01') return false
  throw error
}

async function withDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const { db, close } = connect(url, () => {})
  try {
    return await work(db)
  } finally {
    await close()
  }
}

function checkVersion({ migrations, howl }: Manifest): void {
  const { newer, tooOld } = schemaStateOf(migrations)
  if (tooOld !== null)
    throw conflict(
      `This backup is too old for this version to bring it up to date (its last change is ${tooOld}). Restore it with ${LAST_OLD_HOWL}, make a backup there, and restore that one. Nothing was changed.`,
    )
  if (newer.length === 0) return
  throw conflict(
    `This backup was made by a newer Howl (${howl}). Install that version, then restore it. Nothing was changed.`,
  )
}

/** The secret key of the backup, compared with the mark in its manifest. */
async function keyOf(
  handle: FileHandle,
  file: string,
  { key: { place, mark } }: Manifest,
  passphrase: string | null,
  { secretKey }: Config,
): Promise<string> {
  if (secretKey !== null) {
    if (markOf(secretKey) === mark) return secretKey
    throw conflict('SECRET_KEY is another one than that of this backup. Set the one it was made with.')
  }
  const key = place === 'inside' ? await sealedKey(handle, passphrase) : await keyBeside(file)
  if (markOf(key) !== mark) throw conflict('The file with the secret key does not belong to this backup.')
  return key
}

async function sealedKey(handle: FileHandle, passphrase: string | null): Promise<string> {
  if (passphrase === null)
    throw new Refusal(400, 'The secret key of this backup is under a passphrase. Give it with --passphrase.')
  for await (const member of membersOf(handle)) {
    if (member.name !== SEALED_KEY) continue
    const key = await openKey(await readAt(handle, member.offset, Math.min(member.size, KEY_MAX)), passphrase)
    if (key === null) throw new Refusal(400, 'This is not the passphrase of the backup.')
    return key
  }
  throw new BadArchive('The backup says that it holds the secret key, but it does not.')
}

async function keyBeside(file: string): Promise<string> {
  const keyFile = keyFileOf(file)
  try {
    return (await readFile(keyFile, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw notFound(`The secret key is missing: put ${path.basename(keyFile)} beside the backup.`)
  }
}

async function checkReplace(url: string, mayReplace: RestoreOptions['mayReplace']): Promise<void> {
  const people = await withDatabase(url, countPeople)
  if (people === 0) return
  if (mayReplace === null)
    throw conflict(
      `This Howl is not empty: it has ${people === 1 ? '1 account' : `${people.toLocaleString('en')} accounts`}. To replace all of it, add --replace.`,
    )
  if (!(await mayReplace(people))) throw conflict('Nothing was changed.')
}

async function restoreInto(
  place: RestorePlace,
  handle: FileHandle,
  file: string,
  manifest: Manifest,
  key: string,
): Promise<CarriedOver | undefined> {
  const { config, url, clock, say } = place
  const fresh = freshOf(url)
  const token = randomUUID()
  await mkdir(config.dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : FOLDER_MODE })
  await beginFiles(config)
  let isInPlace = false
  try {
    await makeDatabaseLike(url, fresh)
    const freshUrl = urlWith(url, fresh)
    await withDatabase(freshUrl, (db) => migrate(db, schemaStateOf(manifest.migrations).last))
    const files = await fill(place, handle, manifest, freshUrl)
    const carried = await withDatabase(freshUrl, async (db) => {
      await migrate(db)
      const context = { db, clock, secrets: makeSecretBox(key) }
      const facts = { token, takenAt: manifest.taken_at, file: path.basename(file) }
      const journal = [...files.journal, ...(await presentJournal(config, key))]
      const before = await openPresent(url)
      try {
        return await holdRestored(context, { ...facts, journal, before: before?.db ?? null })
      } finally {
        await before?.close()
      }
    })
    await noteFiles(config, token, { key: config.secretKey === null ? key : null, anchor: files.anchor })
    await swapDatabases(url, fresh, asideOf(url))
    isInPlace = true
    say('The database is in its place.')
    await finishRestore(config, url)
    return carried
  } catch (error) {
    // What is in its place is finished by the next start.
    if (!isInPlace) {
      await forgetFiles(config).catch(() => {})
      await dropDatabase(url, fresh).catch(() => {})
    }
    throw error
  }
}

/** The database that is replaced, where it has what is compared; null where it is empty or older than that. */
async function openPresent(url: string) {
  const present = connect(url, () => {})
  if ((await countPeople(present.db)) > 0) return present
  await present.close()
  return null
}

/** Fills the new database and compares it. @returns what belongs into DATA_DIR */
async function fill({ config, say }: RestorePlace, handle: FileHandle, manifest: Manifest, url: string) {
  const filled = await beginFilling(url)
  const journals = await mkdtemp(path.join(os.tmpdir(), 'howl-restore-'))
  try {
    const tables = shapesOf(manifest, filled.tables)
    const intake = new Intake(filled, tables)
    const tell = everySeconds(say, 'restored')
    let anchor: Buffer | null = null
    for await (const member of membersOf(handle)) {
      tell(member.offset)
      const [kind, ...rest] = member.name.split('/')
      if (kind === 'tables') await intake.write(rest[0] ?? '', handle, member)
      else if (kind === 'blobs') await writeBlob(config, rest, handle, member)
      else if (kind === JOURNAL)
        await writeNamed(member, path.join(journals, path.basename(member.name)), [
          await contentOf(handle, member),
        ])
      else if (member.name === ANCHOR)
        anchor = await readAt(handle, member.offset, Math.min(member.size, ANCHOR_MAX))
    }
    await intake.end()
    say('Comparing the rows …')
    for (const table of manifest.tables) await compare(filled, table)
    say(
      `${manifest.tables.length} tables, ${rowsIn(manifest).toLocaleString('en')} rows. Making the indexes …`,
    )
    await filled.finish(manifest.sequences)
    return { journal: await entriesIn(journals), anchor }
  } finally {
    await filled.close()
    await rm(journals, { recursive: true, force: true })
  }
}

/** The tables of the backup, if this schema has them with just these columns. */
function shapesOf(manifest: Manifest, tables: readonly TableShape[]): Map<string, TableShape> {
  const shapes = new Map(tables.map((table) => [table.name, table]))
  for (const { name, columns } of manifest.tables) {
    const here = shapes.get(name)?.columns ?? []
    if (here.toSorted().join() !== columns.toSorted().join())
      throw conflict(`The table ${name} of this backup is another one here. Nothing was changed.`)
  }
  return new Map(manifest.tables.map(({ name, columns }) => [name, { name, columns }]))
}

/** Passes the pieces of tables on to the database; those of one table come one after the other. */
class Intake {
  private readonly filled: FilledDatabase
  private readonly tables: ReadonlyMap<string, TableShape>
  private name = ''
  private stream: Writable | undefined
  private failure: Error | undefined

  constructor(filled: FilledDatabase, tables: ReadonlyMap<string, TableShape>) {
    this.filled = filled
    this.tables = tables
  }

  async write(name: string, handle: FileHandle, member: Member): Promise<void> {
    if (name !== this.name) {
      await this.end()
      const table = this.tables.get(name)
      if (table === undefined)
        throw new BadArchive(`The backup has rows of ${name}, which its manifest does not name.`)
      this.name = name
      this.stream = this.filled.intake(table).on('error', (error: Error) => (this.failure = error))
    }
    const packed = await contentOf(handle, member)
    const rows = await decompress(packed, { maxOutputLength: PIECE_MAX }).catch(() => {
      throw new BadArchive(`${member.name} cannot be unpacked. Nothing was changed.`)
    })
    if (this.failure !== undefined) throw this.failure
    if (this.stream?.write(rows) === false) await once(this.stream, 'drain')
  }

  async end(): Promise<void> {
    const { stream } = this
    this.stream = undefined
    this.name = ''
    if (stream === undefined) return
    if (this.failure !== undefined) throw this.failure
    stream.end()
    await once(stream, 'finish')
  }
}

async function contentOf(handle: FileHandle, member: Member): Promise<Buffer> {
  if (member.size > PIECE_MAX) throw new BadArchive(`${member.name} is too large for a part of a backup.`)
  return readAt(handle, member.offset, member.size)
}

async function writeBlob(config: Config, key: readonly string[], handle: FileHandle, member: Member) {
  if (key.length === 0 || key.some((part) => part === '' || part.startsWith('.')))
    throw new BadArchive(`${JSON.stringify(member.name.slice(0, NAME_SHOWN))} is no name of a file of Howl.`)
  await writeNamed(member, path.join(waitingBlobs(config), ...key), piecesOf(handle, member))
}

/** What a system says of a name that is there already, is a folder and a file at once, or cannot be one. */
const NAME_FAULTS = new Set([
  'EEXIST',
  'EISDIR',
  'ENOTDIR',
  'ENAMETOOLONG',
  'EINVAL',
  'ERR_INVALID_ARG_VALUE',
])

/** Writes a file into a folder that is this restore's own: a name that cannot be written is the archive's fault. */
async function writeNamed(member: Member, file: string, content: Iterable<Buffer> | AsyncIterable<Buffer>) {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: FOLDER_MODE })
    await pipeline(
      Readable.from(content),
      createWriteStream(file, { mode: FILE_MODE, flush: true, flags: 'wx' }),
    )
  } catch (error) {
    if (!NAME_FAULTS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    throw new BadArchive(
      `${JSON.stringify(member.name.slice(0, NAME_SHOWN))} cannot be the name of a file of Howl, or is there twice. Nothing was changed.`,
    )
  }
}

/** Reads a table back and compares it with the backup. */
async function compare(filled: FilledDatabase, table: ManifestTable): Promise<void> {
  const sum = new RowSum()
  for await (const chunk of filled.rowsOf(table) as Readable & AsyncIterable<Buffer>) sum.add(chunk)
  if (sum.rows === table.rows && sum.checksum === table.checksum) return
  throw new Error(`The rows of ${table.name} did not arrive as they were: nothing was changed.`)
}

async function entriesIn(folder: string): Promise<string[]> {
  const journal = openJournalFile(folder, 'restore')
  const entries: string[] = []
  for (const name of await journal.otherProcesses()) entries.push(...(await journal.read(name)))
  return entries
}

/** The journals of DATA_DIR: of the same house, if it has the same key. */
async function presentJournal({ dataDir, secretKey }: Config, key: string): Promise<string[]> {
  const own = secretKey ?? (await readFile(path.join(dataDir, 'secret-key'), 'utf8').catch(() => '')).trim()
  return own === key ? entriesIn(path.join(dataDir, JOURNAL)) : []
}
