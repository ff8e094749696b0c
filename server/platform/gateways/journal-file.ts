import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { FILE_MODE, FOLDER_MODE, makePrivateFolder } from './private-folder.ts'

/** The size of a slot in bytes: an entry is at least one byte shorter. */
export const ENTRY_BYTES = 1024
/** Process names. The file system may keep files of its own in the folder. */
const PROCESS_NAME = /^[\w-]+$/

/**
 * Short entries that outlive the process that writes them. Each process has a file of its own on this machine's disk. An
 * entry is there as soon as `write` returns, whatever happens to the process. Only a machine that loses power can lose the
 * latest entries.
 */
export type JournalFile = ReturnType<typeof openJournalFile>

/** Journals below `folder`, which the first write creates. `process` names this process's own file. */
export function openJournalFile(folder: string, process: string) {
  const fileOf = (name: string) => path.join(folder, path.basename(name))
  let file: number | undefined
  const open = () => {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
    return openSync(fileOf(process), 'w', FILE_MODE)
  }
  return {
    /**
     * Writes an entry shorter than {@link ENTRY_BYTES} bytes and overwrites the slot's previous one. Takes a few
     * microseconds.
     *
     * @throws RangeError if the entry is too long; errors of the file system
     */
    write(slot: number, entry: string): void {
      const line = Buffer.alloc(ENTRY_BYTES, ' ')
      if (Buffer.byteLength(entry) >= ENTRY_BYTES) throw new RangeError('The entry is too long')
      line.write(entry)
      line.write('\n', ENTRY_BYTES - 1)
      if (file !== undefined && fstatSync(file).nlink === 0) {
        // This process stalled and was taken for dead: another one has read and deleted its file.
        closeSync(file)
        file = undefined
      }
      file ??= open()
      writeSync(file, line, 0, ENTRY_BYTES, slot * ENTRY_BYTES)
    },
    /** The other processes that have a file here, whether they are still running or not. */
    async otherProcesses() {
      const names = await readdir(folder).catch(emptyIfMissing)
      return names.filter((name) => name !== process && PROCESS_NAME.test(name))
    },
    /** The entries of a process, in the order of their slots; none if its file is gone. */
    async read(name: string) {
      const bytes = Buffer.from(await readFile(fileOf(name)).catch(emptyIfMissing))
      const slots = Array.from({ length: Math.ceil(bytes.length / ENTRY_BYTES) }, (_, slot) =>
        bytes.toString('utf8', slot * ENTRY_BYTES, (slot + 1) * ENTRY_BYTES).replaceAll('\0', ''),
      )
      return slots.map((entry) => entry.trim()).filter((entry) => entry !== '')
    },
    /** Deletes a process's file. */
    delete: (name: string) => rm(fileOf(name), { force: true }),
  }
}

/**
 * Moves the journals that an older version left in `from` to `to`, file by file: a process of that version may still be
 * running and keeps writing to its file. Another process may be moving the same files at the same time.
 */
export async function moveJournals(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(emptyIfMissing)
  if (names.length > 0) await makePrivateFolder(to)
  for (const name of names) await rename(path.join(from, name), path.join(to, name)).catch(emptyIfMissing)
  await rmdir(from).catch((error: unknown) => {
    // A process of the older version has just started a new file here: the next start moves it.
    if ((error as { code?: string }).code !== 'ENOTEMPTY') emptyIfMissing(error)
  })
}

function emptyIfMissing(error: unknown): [] {
  if ((error as { code?: string }).code === 'ENOENT') return []
  throw error
}
