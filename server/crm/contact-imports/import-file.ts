import path from 'node:path'
import type { ColumnMeaning } from '#contract/crm/contact-imports.ts'
import type { ImportResult } from '#contract/crm/contacts.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { CopyConnection } from '../../platform/database/copy.ts'
import { withCopyConnection } from '../../platform/database/copy.ts'
import { analyzeGrownTables } from '../../platform/database/analyze-grown-tables.ts'
import { BlobNotFound } from '../../platform/gateways/blobs.ts'
import { conflict, Refusal } from '../../platform/errors.ts'
import { columnsOfLayout, type FileLayout } from '../../formats/contact-files/file-layout.ts'
import { LISTED_MAX, type ReadOrder } from './import-messages.ts'
import { tellProgress } from './import-progress.ts'
import type { RefusedRow } from './import-row.ts'
import { dropRepeated, finishImport, type ImportKey, mergeStaged, openStaging } from './import-store.ts'
import { tagStaged } from './import-tags-store.ts'
import type { ImportRow } from './imports-store.ts'
import { phoneCountry } from '../../formats/contact-files/phone-number.ts'
import { readImportFile } from './read-import-file.ts'
import { spool, type SpooledFile } from './spool.ts'

const RESTARTING = 'Howl is restarting, and nothing was imported. Please try again in a moment.'

/** A file ready to be read, and how to read it. */
export type ReadyFile = {
  file: SpooledFile
  layout: FileLayout
  meanings: readonly ColumnMeaning[] | undefined
}

export type Plan = { meanings?: readonly ColumnMeaning[] | undefined; duplicates: 'update' | 'skip' }

/** The result of reading a file into the staging table. */
type Staged = { refused: number; listed: RefusedRow[] }

/** The folder for files that are being read. */
export function spoolFolder(context: Context): string {
  return path.join(context.config.dataDir, 'uploads')
}

/**
 * Puts an uploaded file on disk for as long as `work` runs.
 *
 * @throws Refusal 409 when the file has been deleted
 */
export async function withKeptFile<T>(
  context: Context,
  { file_key: key }: ImportRow,
  work: (file: SpooledFile) => Promise<T>,
): Promise<T> {
  if (key === null) throw fileGone()
  const stream = await context.blobs.stream(key).catch((error: unknown) => {
    throw error instanceof BlobNotFound ? fileGone() : error
  })
  const file = await spool(stream, spoolFolder(context))
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

const fileGone = () => conflict('This file is no longer here. Please choose it again.')

/** Instructions for the reading thread. */
export async function readOrder(
  context: Context,
  userId: number,
  { file, layout, meanings }: ReadyFile,
  wants: ReadOrder['wants'],
): Promise<ReadOrder> {
  const user = await findUser(context.db, userId)
  const { format, source, delimiter, headerLine, columns } = layout
  return {
    fd: file.fd,
    layout: { format, source, delimiter, headerLine, names: columns.map(({ name }) => name) },
    columns: columnsOfLayout(layout, meanings),
    country: user === undefined ? undefined : phoneCountry(user),
    wants,
  }
}

/**
 * Reads a file into a staging table and runs `work` on it in the same transaction; the user's tabs see the progress.
 * `key` is the import whose repeated lines are recorded; null for a dry run.
 *
 * @throws Refusal 400 for a file that cannot be read; 503 when the process is asked to stop; the signal's reason
 */
export async function withStaged<T>(
  context: Context,
  userId: number,
  ready: ReadyFile,
  key: ImportKey | null,
  work: (connection: CopyConnection, staged: Staged) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const order = await readOrder(context, userId, ready, 'staging')
  const { size } = ready.file
  const progress = tellProgress(context, userId, size)
  const stopped = AbortSignal.any([signal, context.stopping])
  try {
    return await withCopyConnection(context.db, stopped, async (connection) => {
      const staging = await openStaging(connection)
      const read = await readImportFile(
        order,
        size,
        {
          onBatch: async ({ text, bytes, rows }) => {
            if (text.length > 0) await staging.write(text)
            progress.read(bytes, rows)
          },
        },
        stopped,
      )
      await staging.end()
      progress.read(size, 0)
      const repeated = await dropRepeated(connection, key, LISTED_MAX)
      const listed = [...read.listed, ...repeated.refused].sort((one, other) => one.line - other.line)
      const staged = { refused: read.refused + repeated.total, listed: listed.slice(0, LISTED_MAX) }
      return await work(connection, staged)
    })
  } catch (error) {
    if (context.stopping.aborted) throw new Refusal(503, RESTARTING, 'UNAVAILABLE')
    throw error
  } finally {
    await progress.end()
  }
}

/**
 * Imports a file in one transaction: every readable row, or nothing. The changes are recorded with the import, so
 * that they can be undone.
 *
 * @throws Refusal as `withStaged`; 409 when the file was imported meanwhile
 */
export async function importFile(
  context: Context,
  userId: number,
  importId: number,
  ready: ReadyFile,
  duplicates: Plan['duplicates'],
  signal: AbortSignal,
): Promise<ImportResult> {
  const key = { userId, importId }
  const meanings = ready.meanings ?? ready.layout.columns.map(({ meaning }) => meaning)
  const result = await withStaged(
    context,
    userId,
    ready,
    key,
    async (connection, { refused, listed }) => {
      const now = context.clock.now()
      const { created, existing } = await mergeStaged(connection, key, duplicates, now)
      await tagStaged(connection, key, duplicates, now)
      const updated = duplicates === 'update' ? existing : 0
      const skipped = refused + existing - updated
      const counts = { created, updated, skipped, refused, meanings }
      if (!(await finishImport(connection, key, counts, now))) throw importedAlready()
      return { created, updated, skipped, refused: listed }
    },
    signal,
  )
  const { created, updated, skipped } = result
  await analyzeGrownTables(context, ['contacts', 'contact_statuses'], created)
  await context.live.publish(context.db, userId, { topic: 'contacts' })
  return { ...result, message: `Imported ${created}, updated ${updated}, skipped ${skipped}` }
}

/** 409: a second click must not import the same contacts twice. */
export function importedAlready(): Refusal {
  return conflict('This file was imported already. Choose it again to import it once more.')
}
