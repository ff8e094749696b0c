import type { ImportResult } from '#contract/crm/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { getImport } from './find-import.ts'
import { importedAlready, importFile, type Plan, withKeptFile } from './import-file.ts'

/**
 * Imports an uploaded file with the user's choices: every readable row, or nothing when it is aborted.
 *
 * @throws Refusal 400 for a file that cannot be read or has no e-mail column, 404, 409 when it was imported already
 */
export async function runImport(
  context: Context,
  userId: number,
  id: number,
  { meanings, duplicates }: Plan,
  signal: AbortSignal,
): Promise<ImportResult> {
  const row = await getImport(context, userId, id)
  if (row.finished_at !== null) throw importedAlready()
  return withKeptFile(context, row, (file) =>
    importFile(context, userId, id, { file, layout: row.layout, meanings }, duplicates, signal),
  )
}
