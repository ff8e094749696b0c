import type { ImportResult } from '#contract/crm/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { invalidInput, Refusal } from '../../platform/errors.ts'
import { explainUpload, type UploadedFile } from '../../platform/http/uploaded-file.ts'
import { layoutOf, noEmailColumn } from '../../formats/contact-files/file-layout.ts'
import { importFile, spoolFolder } from './import-file.ts'
import { IMPORT_MAX_BYTES } from '#contract/crm/contacts.ts'
import { addImport, dropUnused } from './imports-store.ts'
import { spool } from './spool.ts'
import { withImportRoom } from './import-room.ts'

/**
 * Imports the contacts of a CSV file in one transaction: every readable row, or nothing when the upload or the import
 * is aborted. The user's tabs see the progress.
 *
 * @throws Refusal 400 for a file that is no CSV, is empty or has no e-mail column; 413 beyond 200 MB
 */
export async function importContacts(
  context: Context,
  userId: number,
  upload: UploadedFile,
  signal: AbortSignal,
): Promise<ImportResult> {
  if (!/\.csv$/i.test(upload.name)) throw invalidInput('Please choose a .csv file')
  return withImportRoom(context, userId, upload.maxBytes, () => importNow(context, userId, upload, signal))
}

async function importNow(context: Context, userId: number, upload: UploadedFile, signal: AbortSignal) {
  const file = await spool(upload.stream, spoolFolder(context)).catch(explainUpload)
  try {
    if (upload.isTruncated) throw tooLarge()
    const layout = await layoutOf(file.read())
    // The user has not previewed this file: only a column called tags counts as tags, not labels or categories.
    const meanings = layout.columns.map(({ name, meaning }) =>
      meaning === 'tags' && !/^tags$/i.test(name) ? 'ignore' : meaning,
    )
    // Checked before anything is stored.
    if (!meanings.includes('email')) throw noEmailColumn()
    const { id } = await addImport(context.db, userId, {
      file_name: fileNameOf(upload.name),
      file_key: null,
      size: file.size,
      created_at: context.clock.now(),
      layout,
    })
    try {
      return await importFile(context, userId, id, { file, layout, meanings }, 'update', signal)
    } catch (error) {
      await dropUnused(context.db, userId, id)
      throw error
    }
  } finally {
    await file.close()
  }
}

const FILE_NAME_CHARS = 200

/** A file's name, fit to be stored and shown. */
export function fileNameOf(name: string): string {
  return name.replaceAll(/\p{C}/gu, '').toWellFormed().slice(-FILE_NAME_CHARS)
}

/** 413: the file exceeds the limit. */
export function tooLarge(): Refusal {
  const limit = IMPORT_MAX_BYTES / 1024 / 1024
  return new Refusal(
    413,
    `This file is larger than ${limit} MB. Please split it into smaller files.`,
    'TOO_LARGE',
  )
}
