import Papa from 'papaparse'
import { withoutBlanksBeforeQuotes } from './csv-quotes.ts'

/** A record of a CSV file; `line` is where it begins, from 1. `broken` means that its quotes do not close correctly. */
export type CsvRow = { line: number; fields: string[]; broken: boolean }

/** A longer record has an unclosed quote: the longest contact has about 21,000 characters. */
const RECORD_MAX_CHARS = 100_000

type Found = { rows: CsvRow[]; end: number; line: number }

/**
 * The records of blocks of whole lines (see `csvText`), batch by batch.
 *
 * By itself the parser reads an open quote to the end of the file. It therefore only gets text that begins and ends
 * with a record (an even number of quotes), so that a broken line costs that line only.
 */
export async function* csvRows(blocks: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRow[]> {
  let rest = ''
  let line = 1
  for await (const block of blocks) {
    const text = rest + block
    const found = readRecords(text, line, delimiter, false)
    rest = text.slice(found.end)
    line = found.line
    yield found.rows
  }
  yield readRecords(rest, line, delimiter, true).rows
}

function readRecords(text: string, firstLine: number, delimiter: string, isLast: boolean): Found {
  const found: Found = { rows: [], end: 0, line: firstLine }
  while (found.end < text.length) {
    const end = endOfRecords(text, found.end)
    if (end > found.end) readWhole(text.slice(found.end, end), delimiter, found)
    else if (isLast || text.length - found.end > RECORD_MAX_CHARS) {
      const lineEnd = text.indexOf('\n', found.end) + 1
      add(found, readLine(text.slice(found.end, lineEnd), delimiter))
    } else break
  }
  return found
}

type Parsed = { fields: string[][]; text: string; broken: boolean }

function readWhole(text: string, delimiter: string, found: Found): void {
  const parsed = parse(text, delimiter)
  if (!parsed.broken) return add(found, parsed)
  const stop = found.end + text.length
  const next = { quote: text.indexOf('"') }
  for (let at = 0; found.end < stop; at = text.length - (stop - found.end)) {
    const record = text.slice(at, endOfRecord(text, at, next))
    // A record left open here may close in the next block.
    if (record === '') return
    const alone = record === text ? parsed : parse(record, delimiter)
    add(found, alone.broken ? readLine(record, delimiter, alone) : alone)
  }
}

/** Only the first line of the text, whatever its quotes mean for the lines below; `whole` is the text read. */
function readLine(text: string, delimiter: string, whole?: Parsed): Parsed {
  const line = text.slice(0, text.indexOf('\n') + 1)
  const parsed = whole !== undefined && line === text ? whole : parse(line, delimiter)
  return parsed.broken ? { ...parsed, fields: [[line.trim()]] } : parsed
}

function parse(text: string, delimiter: string): Parsed {
  const plain = withoutBlanksBeforeQuotes(text.slice(0, -1), delimiter)
  const { data, errors } = Papa.parse<string[]>(plain, { delimiter, newline: '\n' })
  return { fields: data, text, broken: errors.some((error) => error.type === 'Quotes') }
}

function add(found: Found, { fields, text, broken }: Parsed): void {
  const lines = countLines(text)
  const isOneEach = lines === fields.length
  let { line } = found
  for (const each of fields) {
    found.rows.push({ line, fields: each, broken })
    line += isOneEach ? 1 : 1 + each.reduce((sum, field) => sum + countLines(field), 0)
  }
  found.line += lines
  found.end += text.length
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/**
 * The end of the last whole record from `from` on: after a line end outside of quotes; `from` itself if there is
 * none.
 */
function endOfRecords(text: string, from: number): number {
  let open = -1
  let isOpen = false
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    open = at
    isOpen = !isOpen
  }
  if (!isOpen) return text.length
  // Backwards from the unclosed quote: a line end between two other quotes is part of a value.
  let lineEnd = text.lastIndexOf('\n', open)
  while (lineEnd >= from) {
    const close = open > from ? text.lastIndexOf('"', open - 1) : -1
    if (close < from || lineEnd > close) return lineEnd + 1
    open = text.lastIndexOf('"', close - 1)
    if (lineEnd > open) lineEnd = text.lastIndexOf('\n', open)
  }
  return from
}

/** The end of the record at `from`; `from` itself if it is incomplete. `next` is where the next quote was found. */
function endOfRecord(text: string, from: number, next: { quote: number }): number {
  let at = from
  let lineEnd = text.indexOf('\n', at)
  for (;;) {
    if (lineEnd >= 0 && lineEnd < at) lineEnd = text.indexOf('\n', at)
    if (next.quote >= 0 && next.quote < at) next.quote = text.indexOf('"', at)
    const { quote } = next
    if (lineEnd < 0) return from
    if (quote < 0 || quote > lineEnd) return lineEnd + 1
    const closing = text.indexOf('"', quote + 1)
    if (closing < 0) return from
    at = closing + 1
  }
}
