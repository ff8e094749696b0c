import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { invalidInput } from '../http/errors.ts'
import type { UploadedFile } from '../http/uploaded-file.ts'
import { layoutOf } from '../contact-files/file-layout.ts'
import { fileNameOf, tooLarge } from './import-contacts.ts'
import { addImport, type ImportRow, letGoBeyond } from './imports-store.ts'
import { explainUpload } from './spool.ts'

/** What the files of one user's imports may take together; beyond it the oldest go. */
const KEPT_BYTES_MAX = 1024 * 1024 * 1024

/**
 * Keeps a file of contacts and looks at its beginning, so that it can be shown before it is imported.
 *
 * @throws Refusal 400 for a file that is neither CSV nor vCard, or is empty; 413 beyond 200 MB
 */
export async function keepImportFile(
  context: Context,
  userId: number,
  { name, stream }: UploadedFile,
): Promise<ImportRow> {
  if (!/\.(csv|vcf)$/i.test(name)) throw invalidInput('Please choose a .csv or .vcf file')
  const row = await keep(context, userId, name, stream)
  // What goes wrong with an old file is not the new one's fault.
  for (const old of await letGoBeyond(context.db, userId, KEPT_BYTES_MAX)) await context.blobs.delete(old)
  return row
}

async function keep(
  context: Context,
  userId: number,
  name: string,
  stream: UploadedFile['stream'],
): Promise<ImportRow> {
  const key = `contact-imports/${userId}/${randomUUID()}`
  try {
    const size = await context.blobs.put(key, stream).catch(explainUpload)
    if (stream.truncated === true) throw tooLarge()
    return await addImport(context.db, userId, {
      file_name: fileNameOf(name),
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
