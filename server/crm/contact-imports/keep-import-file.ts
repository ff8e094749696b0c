import { randomUUID } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import { invalidInput } from '../../platform/errors.ts'
import { explainUpload, type UploadedFile } from '../../platform/http/uploaded-file.ts'
import { layoutOf } from '../../formats/contact-files/file-layout.ts'
import { fileNameOf, tooLarge } from './import-contacts.ts'
import { addImport, type ImportRow } from './imports-store.ts'
import { withImportRoom } from './import-room.ts'

/**
 * Stores a file of contacts and reads its beginning, for a preview before the import.
 *
 * @throws Refusal 400 for a file that is neither CSV nor vCard, or is empty; 413 beyond 200 MB
 */
export async function keepImportFile(
  context: Context,
  userId: number,
  file: UploadedFile,
): Promise<ImportRow> {
  if (!/\.(csv|vcf)$/i.test(file.name)) throw invalidInput('Please choose a .csv or .vcf file')
  return withImportRoom(context, userId, file.maxBytes, () => keep(context, userId, file))
}

async function keep(context: Context, userId: number, file: UploadedFile): Promise<ImportRow> {
  const key = `contact-imports/${userId}/${randomUUID()}`
  try {
    const size = await context.blobs.put(key, file.stream).catch(explainUpload)
    if (file.isTruncated) throw tooLarge()
    return await addImport(context.db, userId, {
      file_name: fileNameOf(file.name),
      file_key: key,
      size,
      created_at: context.clock.now(),
      layout: await layoutOf(await context.blobs.stream(key)),
    })
  } catch (error) {
    await context.blobs.delete(key)
    throw error
  }
}
