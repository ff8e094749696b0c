import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { FILE_MODE, FOLDER_MODE } from './private-folder.ts'

/** Bytes of one note at the most. */
export const ENTRY_BYTES = 1024
/** Names of processes; the file system may have its own files there. */
const NAME = /^[\w-]+$/

/**
 * Short notes that outlive the process that writes them, in a file of its own on this machine's disk. They are there when
 * `note` returns, whatever becomes of the process; only a machine that loses its power may have lost the last ones.
 */
export type JournalFile = {
  /**
   * Notes a text of up to {@link ENTRY_BYTES} bytes in place of what stood there. Takes some microseconds.
   *
   * @throws Error of the file system, and where the text is too long
   */
  note(place: number, text: string): void
  /** The other processes, living or not, that have a file here. */
  others(): Promise<string[]>
  /** What stands in a process's file; none where it is gone. */
  of(process: string): Promise<string[]>
  /** Drops a process's file. */
  forget(process: string): Promise<void>
}

/** Receipts below `folder`, which is made with the first note; `process` names the file of this one. */
export function openJournals(folder: string, process: string): JournalFile {
  const fileOf = (name: string) => path.join(folder, path.basename(name))
  let file: number | undefined
  const open = () => {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
    return openSync(fileOf(process), 'w', FILE_MODE)
  }
  return {
    note(place, text) {
      const line = Buffer.alloc(ENTRY_BYTES, ' ')
      if (Buffer.byteLength(text) >= ENTRY_BYTES) throw new RangeError('The note is too long')
      line.write(text)
      line.write('\n', ENTRY_BYTES - 1)
      if (file !== undefined && fstatSync(file).nlink === 0) {
        // Taken for dead while it was held up: its file was read and dropped.
        closeSync(file)
        file = undefined
      }
      file ??= open()
      writeSync(file, line, 0, ENTRY_BYTES, place * ENTRY_BYTES)
    },
    async others() {
      const names = await readdir(folder).catch(noneWhereMissing)
      return names.filter((name) => name !== process && NAME.test(name))
    },
    async of(name) {
      const bytes = Buffer.from(await readFile(fileOf(name)).catch(noneWhereMissing))
      const places = Array.from({ length: Math.ceil(bytes.length / ENTRY_BYTES) }, (_, place) =>
        bytes.toString('utf8', place * ENTRY_BYTES, (place + 1) * ENTRY_BYTES).replaceAll('\0', ''),
      )
      return places.map((note) => note.trim()).filter((note) => note !== '')
    },
    forget: (name) => rm(fileOf(name), { force: true }),
  }
}

function noneWhereMissing(error: unknown): [] {
  if ((error as { code?: string }).code === 'ENOENT') return []
  throw error
}
