import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { ColumnMeaning } from '#contract/crm/contact-imports.ts'
import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/errors.ts'
import { getImport } from './find-import.ts'
import { readOrder, withKeptFile } from './import-file.ts'
import { repeatsAfter } from './imports-store.ts'
import { readImportFile } from './read-import-file.ts'

/** Repeated lines read at a time. */
const REPEATS_AT_ONCE = 20_000

/**
 * All rows that an import refused, as CSV in the columns of its file, with the reason. They are read again from the
 * file as fast as the client receives them.
 *
 * @throws Refusal 404; 409 before the import, and when the file has been deleted
 */
export async function exportRefused(
  context: Context,
  userId: number,
  id: number,
  signal: AbortSignal,
): Promise<{ fileName: string; csv: Readable }> {
  const row = await getImport(context, userId, id)
  if (row.finished_at === null) throw conflict('This file has not been imported yet.')
  const meanings = (row.meanings ?? undefined) as ColumnMeaning[] | undefined
  const csv = new PassThrough()
  const stopped = AbortSignal.any([signal, context.stopping])
  const begun = Promise.withResolvers<void>()
  const work = withKeptFile(context, row, async (file) => {
    const order = await readOrder(context, userId, { file, layout: row.layout, meanings }, 'refused')
    begun.resolve()
    await readImportFile(
      order,
      file.size,
      {
        onBatch: async ({ text }) => {
          if (text.length > 0 && !csv.write(text)) await once(csv, 'drain', { signal: stopped })
        },
        repeatsAfter: (line) => repeatsAfter(context.db, userId, id, line, REPEATS_AT_ONCE),
      },
      stopped,
    )
    csv.end()
  })
  // Before the first byte a fault becomes an error answer; after it the download breaks off, even with nobody
  // listening.
  csv.on('error', () => {})
  work.catch((error: Error) => {
    begun.reject(error)
    csv.destroy(error)
  })
  await begun.promise
  return { fileName: row.file_name.replace(/\.\w+$/, '') + '-refused.csv', csv }
}
