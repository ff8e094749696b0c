import Papa from 'papaparse'
import type { CsvRow } from '../../formats/contact-files/csv-rows.ts'
import { TOO_LONG } from '../../formats/contact-files/csv-text.ts'
import { escapeFormula, needsQuotes } from '#contract/formats/formula-escape.ts'

const BOM = '\uFEFF'
const NEWLINE = '\r\n'

/** The name of the last column in the file of refused rows. */
const REASON = 'Reason'

/** The header of a file of refused rows: the columns of the imported file, and the reason. */
export function refusedHead(names: readonly string[]): string {
  return BOM + lineOf([...names, REASON])
}

/** A refused row as it was in its file, and why it was refused. */
export function refusedLine(row: CsvRow, width: number, reason: string): string {
  const fields = row.fields[0] === TOO_LONG ? [] : row.fields
  return lineOf([...Array.from({ length: width }, (_, column) => fields[column] ?? ''), reason])
}

/** The reason for refusing a row whose address appears again. */
export function repeatReason(usedLine: number): string {
  return `The same address is in line ${usedLine} again; that line was used`
}

// Already escaped text stays as it is: the file is returned unchanged except for what a spreadsheet would run.
function lineOf(fields: readonly string[]): string {
  const safe = fields.map((field) =>
    /(?:^|[;\t\r\n])[=+\-@＝＋－＠]|^[\t\r]/.test(field) ? escapeFormula(field) : field,
  )
  return Papa.unparse([safe], { newline: NEWLINE, quotes: needsQuotes }) + NEWLINE
}
