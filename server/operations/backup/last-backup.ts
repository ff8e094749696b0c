import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { FILE_MODE, FOLDER_MODE } from '../../platform/gateways/private-folder.ts'

/**
 * What `DATA_DIR/backups/last.json` says. `good` is the last backup that was written and read back without a fault; null
 * before the first. `failed` is the last one that did not come about; a good one after it clears it. Times are ISO 8601.
 */
const lastBackup = z.object({
  good: z.nullable(
    z.object({
      /** The moment that the backup shows. */
      taken_at: z.iso.datetime(),
      /** Where it was written; somebody may have moved it since. */
      file: z.string(),
      bytes: z.number(),
      seconds: z.number(),
      tables: z.number(),
      rows: z.number(),
      /** Files of large mails, attachments and invoices. */
      blobs: z.number(),
      key: z.enum(['beside', 'inside']),
    }),
  ),
  failed: z.nullable(z.object({ at: z.iso.datetime(), why: z.string() })),
})
export type LastBackup = z.output<typeof lastBackup>

/** Where backups are written unless a folder is named. */
export const backupsFolder = (dataDir: string) => path.join(dataDir, 'backups')
const fileIn = (dataDir: string) => path.join(backupsFolder(dataDir), 'last.json')

/** What is known of the last backup; null where none was ever tried. */
export async function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  try {
    return lastBackup.parse(JSON.parse(await readFile(fileIn(dataDir), 'utf8')))
  } catch {
    return null
  }
}

export async function noteLastBackup(dataDir: string, last: LastBackup): Promise<void> {
  const file = fileIn(dataDir)
  await mkdir(path.dirname(file), { recursive: true, mode: FOLDER_MODE })
  await writeFile(`${file}.new`, `${JSON.stringify(last, null, 1)}\n`, { mode: FILE_MODE })
  await rename(`${file}.new`, file)
}
