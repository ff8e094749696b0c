import path from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Readable } from 'node:stream'
import { IMPORT_MAX_BYTES, type ImportResult } from '#contract/contacts.ts'
import type { Context } from '../context.ts'
import { withCopyConnection } from '../database/copy.ts'
import { invalidInput, Refusal } from '../http/errors.ts'
import { layoutOf } from './csv-columns.ts'
import { csvRows } from './csv-rows.ts'
import { csvText } from './csv-text.ts'
import { isRefused, readRow, type RefusedRow } from './import-row.ts'
import { dropRepeated, mergeStaged, openStaging, stagedLine } from './import-store.ts'
import { spool, type SpooledFile } from './spool.ts'

/** So many refused lines are listed with their reasons; all are counted. */
const LISTED_MAX = 1000
const TELL_EVERY_MS = 300

const RESTARTING = 'Howl is restarting, and nothing was imported. Please try again in a moment.'

/** A file on its way in; `truncated` turns true when it goes on beyond the limit. */
export type Upload = { name: string; stream: Readable & { truncated?: boolean } }

/**
 * Imports the contacts of a CSV file: all that can be read in one transaction, or, when the upload or the import is
 * given up, none. Tells the user's tabs how far it is.
 *
 * @throws Refusal 400 for a file that is no CSV, is empty or has no e-mail column; 413 beyond 200 MB.
 */
export async function importContacts(
  context: Context,
  userId: number,
  upload: Upload,
  signal: AbortSignal,
): Promise<ImportResult> {
  if (!/\.csv$/i.test(upload.name)) throw invalidInput('Please choose a .csv file')
  const file = await spool(upload.stream, path.join(context.config.dataDir, 'uploads')).catch(explain)
  try {
    if (upload.stream.truncated === true) throw tooLarge()
    return await importFile(context, userId, file, AbortSignal.any([signal, context.stopping]))
  } catch (error) {
    if (context.stopping.aborted) throw new Refusal(503, RESTARTING, 'UNAVAILABLE')
    throw error
  } finally {
    await file.close()
  }
}

/** 413: the file is beyond the limit. */
export function tooLarge(): Refusal {
  const limit = IMPORT_MAX_BYTES / 1024 / 1024
  return new Refusal(
    413,
    `This file is larger than ${limit} MB. Please split it into smaller files.`,
    'TOO_LARGE',
  )
}

function explain(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOSPC')
    throw new Refusal(503, 'There is no room left on the server for this file.', 'UNAVAILABLE')
  if (error.syscall !== undefined && error.code !== 'ECONNRESET') throw error
  throw cutShort()
}

/** 400: a form that is none, or that ends before its end. */
export function cutShort(): Refusal {
  return invalidInput('The upload did not arrive whole. Please try again.')
}

async function importFile(
  context: Context,
  userId: number,
  file: SpooledFile,
  signal: AbortSignal,
): Promise<ImportResult> {
  const progress = tell(context, userId, file.size)
  try {
    const result = await withCopyConnection(context.db, signal, async (connection) => {
      const staging = await openStaging(connection)
      const refused = await stage(file, progress, (lines) => staging.write(lines))
      await staging.end()
      const repeated = await dropRepeated(connection, LISTED_MAX)
      const counts = await mergeStaged(connection, userId, context.clock.now())
      const listed = [...refused.listed, ...repeated.refused].sort((one, other) => one.line - other.line)
      return { ...counts, skipped: refused.total + repeated.total, refused: listed.slice(0, LISTED_MAX) }
    })
    await context.live.publish(context.db, userId, { topic: 'contacts' })
    const { created, updated, skipped } = result
    return { ...result, message: `Imported ${created}, updated ${updated}, skipped ${skipped}` }
  } finally {
    await progress.end()
  }
}

type Progress = ReturnType<typeof tell>

async function stage(
  file: SpooledFile,
  progress: Progress,
  write: (lines: string) => Promise<void>,
): Promise<{ total: number; listed: RefusedRow[] }> {
  const text = csvText(progress.counting(file.read()))
  const head = await text.next()
  const layout = head.done === true ? null : layoutOf(head.value)
  if (layout === null)
    throw invalidInput('This file has no email column. Please name one of its columns “Email”.')
  const refused: { total: number; listed: RefusedRow[] } = { total: 0, listed: [] }
  for await (const rows of csvRows(startingWith(head.value ?? '', text), layout.delimiter)) {
    let lines = ''
    for (const row of rows) {
      if (row.line <= layout.headerLine) continue
      const read = readRow(row, layout.columns)
      if (read === null) continue
      if (!isRefused(read)) lines += stagedLine(read)
      else if (++refused.total <= LISTED_MAX) refused.listed.push(read)
    }
    if (lines !== '') await write(lines)
    progress.rows(rows.length)
  }
  return refused
}

async function* startingWith(first: string, others: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* others
}

/** Counts what has been read and tells it now and then; a tab that hears nothing more learns of the end at least. */
function tell(context: Context, userId: number, totalBytes: number) {
  let rows = 0
  let bytes = 0
  let toldAt = 0
  let last: Promise<void> = Promise.resolve()
  const say = (done: boolean) => {
    toldAt = performance.now()
    last = last
      .then(() =>
        context.live.publish(context.db, userId, {
          topic: 'import',
          rows,
          bytes,
          total_bytes: totalBytes,
          done,
        }),
      )
      .catch((error: unknown) => context.log.warn({ err: error }, 'the progress of an import was not told'))
  }
  return {
    async *counting(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        yield chunk
        bytes += chunk.length
        if (performance.now() - toldAt >= TELL_EVERY_MS) say(false)
      }
    },
    rows: (count: number) => void (rows += count),
    end: () => {
      say(true)
      return last
    },
  }
}
