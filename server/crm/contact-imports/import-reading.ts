import { readSync } from 'node:fs'
import { csvRows, type CsvRow } from '../../formats/contact-files/csv-rows.ts'
import { csvText } from '../../formats/contact-files/csv-text.ts'
import { LISTED_MAX, type ReadOrder, type Repeat } from './import-messages.ts'
import { isRefused, readRow, type RefusedRow, type RowReading } from './import-row.ts'
import { stagedLine } from './import-staging.ts'
import { type PhoneReader, phoneReader } from '../../formats/contact-files/phone-number.ts'
import { refusedHead, refusedLine, repeatReason } from './refused-csv.ts'
import { vcardRows } from '../../formats/contact-files/vcard-rows.ts'

const READ_BYTES = 64 * 1024

/** Takes what was read, and knows which lines are repeated later. */
export type ReadingDesk = {
  /** Takes a piece of text of this many rows, once `bytes` of the file are read; the reader waits for it. */
  send(text: string, bytes: number, rows: number): Promise<void>
  /** The next lines, after this one, whose address appears again. */
  repeatsAfter(line: number): Promise<Repeat[]>
}

export type ReadResult = { refused: number; listed: RefusedRow[] }

/**
 * Reads a file of contacts: the good rows as lines of COPY, or the refused ones as CSV, piece by piece.
 *
 * @throws Refusal 400 for a file that cannot be read
 */
export async function readImport(order: ReadOrder, desk: ReadingDesk): Promise<ReadResult> {
  const { layout, columns, country, wants } = order
  // Howl's own export is read back unchanged, even if the user's country is another by now.
  const isAsWritten = columns.phone === undefined || layout.source === 'howl'
  const phone = isAsWritten ? (written: string) => written : await foreignPhone(country)
  const reading = { format: layout.format, columns, phone }
  return wants === 'staging' ? stage(order, desk, reading) : tellRefused(order, desk, reading)
}

/** A number from another program: the first of several, read as one of the user's country. */
async function foreignPhone(country: ReadOrder['country']): Promise<PhoneReader> {
  const read = await phoneReader(country)
  return (cell) => read(firstOfSeveral(cell))
}

/** Google's separator between several values in one cell. */
const firstOfSeveral = (text: string) => text.split(' ::: ', 1)[0]?.trim() ?? ''

type Source = { bytesRead: number; batches: AsyncIterable<CsvRow[]> }

function sourceOf({ fd, layout: { format, delimiter } }: ReadOrder): Source {
  const source: Source = { bytesRead: 0, batches: noBatches() }
  const text = csvText(chunksOf(fd, source))
  source.batches = format === 'vcard' ? vcardRows(text) : csvRows(text, delimiter)
  return source
}

async function* noBatches(): AsyncGenerator<CsvRow[]> {}

async function* chunksOf(fd: number, source: Source): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  for (;;) {
    const read = readSync(fd, buffer, 0, READ_BYTES, source.bytesRead)
    if (read === 0) return
    source.bytesRead += read
    yield buffer.subarray(0, read)
  }
}

/** Passes on the good rows; returns the number of the others and the first of them. */
async function stage(order: ReadOrder, desk: ReadingDesk, reading: RowReading): Promise<ReadResult> {
  const source = sourceOf(order)
  const listed: RefusedRow[] = []
  let refused = 0
  for await (const rows of source.batches) {
    let lines = ''
    for (const row of rows) {
      if (row.line <= order.layout.headerLine) continue
      const read = readRow(row, reading)
      if (read === null) continue
      if (!isRefused(read)) lines += stagedLine(read)
      else if (++refused <= LISTED_MAX) listed.push(read)
    }
    await desk.send(lines, source.bytesRead, rows.length)
  }
  return { refused, listed }
}

/** Passes on the refused rows as CSV, including those whose address appears again. */
async function tellRefused(order: ReadOrder, desk: ReadingDesk, reading: RowReading): Promise<ReadResult> {
  const source = sourceOf(order)
  const { names, headerLine } = order.layout
  const repeatOf = repeatedLines(desk)
  let refused = 0
  await desk.send(refusedHead(names), 0, 0)
  for await (const rows of source.batches) {
    let lines = ''
    for (const row of rows) {
      if (row.line <= headerLine) continue
      const read = readRow(row, reading)
      if (read === null) continue
      const repeat = isRefused(read) ? undefined : await repeatOf(row.line)
      const reason = isRefused(read) ? read.reason : repeat && repeatReason(repeat.usedLine)
      if (reason === undefined) continue
      refused += 1
      lines += refusedLine(row, names.length, reason)
    }
    await desk.send(lines, source.bytesRead, rows.length)
  }
  return { refused, listed: [] }
}

/** Tells whether a line's address appears again; lines must be queried in order. */
function repeatedLines(desk: ReadingDesk): (line: number) => Promise<Repeat | undefined> {
  let page: Repeat[] = []
  let at = 0
  let isLast = false
  return async (line) => {
    for (;;) {
      while ((page[at]?.line ?? Infinity) < line) at += 1
      const found = page[at]
      if (found !== undefined || isLast) return found?.line === line ? found : undefined
      page = await desk.repeatsAfter(line - 1)
      at = 0
      isLast = page.length === 0
    }
  }
}
