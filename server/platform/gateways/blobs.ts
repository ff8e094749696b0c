import { randomUUID } from 'node:crypto'
import { createReadStream, type Dirent } from 'node:fs'
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { FILE_MODE, FOLDER_MODE, makePrivateFolder } from './private-folder.ts'

/** Longest key; ours are short names and ids. */
const MAX_KEY_LENGTH = 200

/** The first part of every key that Howl uses. What else lies in the folder of blobs is not Howl's. */
export const BLOB_KINDS = ['contact-imports', 'invoice-pdfs', 'raw', 'uploads']

/** Segments of letters, digits, "-", "_" and "." joined by "/": nothing that could leave the folder. */
const KEY = /^[a-z0-9][\w.-]*(\/[a-z0-9][\w.-]*)*$/i

/** There is nothing under this key. */
export class BlobNotFound extends Error {
  override readonly name = 'BlobNotFound'
}

/** Bytes by key. A key is written completely or not at all. */
export type Blobs = ReturnType<typeof fileBlobs>

/** A partial file not written to for this long is abandoned: an upload this slow would have been cut off before. */
const DRAFT_KEPT_MS = 60 * 60_000
const DRAFT = /^\.[\da-f-]+\.part$/

/** Blobs as files below `folder`, which is created when first needed. */
export function fileBlobs(folder: string) {
  const root = path.resolve(folder)
  const fileOf = (key: string) => {
    if (key.length > MAX_KEY_LENGTH || !KEY.test(key))
      throw new Error(`Not a blob key: ${key.slice(0, MAX_KEY_LENGTH)}`)
    return path.join(root, key)
  }
  return {
    /** Stores the bytes, replacing any under the same key. Returns their number. */
    put: async (key: string, bytes: Uint8Array | Readable) => await writeWhole(fileOf(key), bytes),
    /** @throws {BlobNotFound} */
    get: async (key: string): Promise<Buffer> =>
      await readFile(fileOf(key)).catch((error: unknown) => notFound(error, key)),
    /** The bytes as a stream. @throws {BlobNotFound} */
    async stream(key: string): Promise<Readable> {
      const file = fileOf(key)
      await stat(file).catch((error: unknown) => notFound(error, key))
      return createReadStream(file)
    },
    /** Deleting a missing key is no error. */
    delete: async (key: string) => await rm(fileOf(key), { force: true }),
    /** Deletes everything of one owner: the second part of a key names its owner, as in `raw/7/15`. May be called again. */
    async deleteAllOf(owner: string) {
      const kinds = await readdir(root, { withFileTypes: true }).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw error
      })
      for (const kind of kinds)
        if (kind.isDirectory()) await rm(fileOf(`${kind.name}/${owner}`), { recursive: true, force: true })
    },
    /**
     * Restricts to this account what earlier versions wrote. Returns how many files and folders could not be
     * restricted.
     */
    async close() {
      // The folder's mode protects what lies in it; each file follows.
      await makePrivateFolder(root)
      let open = 0
      for await (const entry of entriesBelow(root)) {
        if (!entry.isFile() && !entry.isDirectory()) continue
        const mode = entry.isFile() ? FILE_MODE : FOLDER_MODE
        await chmod(path.join(entry.parentPath, entry.name), mode).catch((error: unknown) => {
          // A file deleted meanwhile counts as restricted.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') open += 1
        })
      }
      return open
    },
    /** Removes the partial files of killed processes. */
    async removeDrafts() {
      const before = Date.now() - DRAFT_KEPT_MS
      for await (const entry of entriesBelow(root)) {
        if (!entry.isFile() || !DRAFT.test(entry.name)) continue
        const file = path.join(entry.parentPath, entry.name)
        const found = await stat(file).catch(() => undefined)
        if (found !== undefined && found.mtimeMs < before) await rm(file, { force: true })
      }
    },
  }
}

/** Everything below a folder; links are listed, not followed. What a disk keeps in lost+found is for root alone. */
async function* entriesBelow(folder: string): AsyncGenerator<Dirent> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || (code === 'EACCES' && path.basename(folder) === 'lost+found')) return []
    throw error
  })
  for (const entry of entries) {
    yield entry
    if (entry.isDirectory()) yield* entriesBelow(path.join(folder, entry.name))
  }
}

/** Every blob below a folder with its key, in no order. Partial files are left out. */
export async function* blobFiles(folder: string): AsyncGenerator<{ key: string; file: string }> {
  const root = path.resolve(folder)
  for await (const entry of entriesBelow(root)) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const key = path.relative(root, file).replaceAll(path.sep, '/')
    if (KEY.test(key)) yield { key, file }
  }
}

/**
 * Written next to its place and renamed into it, so that a crash or a full disk leaves no partial file under the key.
 */
async function writeWhole(file: string, bytes: Uint8Array | Readable): Promise<number> {
  await mkdir(path.dirname(file), { recursive: true, mode: FOLDER_MODE })
  const draft = path.join(path.dirname(file), `.${randomUUID()}.part`)
  try {
    const handle = await open(draft, 'wx', FILE_MODE)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    const { size } = await stat(draft)
    await rename(draft, file)
    return size
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function notFound(error: unknown, key: string): never {
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
  throw missing ? new BlobNotFound(`No blob ${key}`, { cause: error }) : error
}
