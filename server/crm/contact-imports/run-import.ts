import type { ImportResult } from '#contract/crm/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { getImport } from './find-import.ts'
import { importedAlready, importFile, type Plan, withKeptFile, withStaged } from './import-file.ts'
import type { ImportCheck } from '#contract/crm/contact-imports.ts'
import { countStaged } from './import-store.ts'
import { stagedTags } from './import-tags-store.ts'

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

/** A dry run lists this many refused rows. */
const SHOWN_REFUSED = 100

/**
 * A dry run: reads the whole file and says what importing it would do, without changing anything.
 *
 * @throws Refusal 400 for a file that cannot be read or has no e-mail column, 404, 409
 */
export async function checkImport(
  context: Context,
  userId: number,
  id: number,
  { meanings, duplicates }: Plan,
  signal: AbortSignal,
): Promise<ImportCheck> {
  const row = await getImport(context, userId, id)
  if (row.finished_at !== null) throw importedAlready()
  return withKeptFile(context, row, (file) =>
    withStaged(
      context,
      userId,
      { file, layout: row.layout, meanings },
      null,
      async (connection, { refused, listed }) => {
        await stagedTags(connection)
        const { staged, existing } = await countStaged(connection, userId)
        const update = duplicates === 'update' ? existing : 0
        return {
          rows: staged + refused,
          create: staged - existing,
          update,
          skip: refused + existing - update,
          existing,
          refused_total: refused,
          refused: listed.slice(0, SHOWN_REFUSED),
        }
      },
      signal,
    ),
  )
}
