import Papa from 'papaparse'
import type { CsvRow } from '../contact-files/csv-rows.ts'
import { TOO_LONG } from '../contact-files/csv-text.ts'
import { escapeFormula } from '../contact-files/formula-escape.ts'

const BOM = '\uFEFF'
const NEWLINE = '\r\n'

/** What the file of refused rows calls its last column. */
const REASON = 'Reason'

/** The first line of a file of refused rows: the columns of the imported file, and the reason. */
export function refusedHead(names: readonly string[]): string {
  return BOM + lineOf([...names, REASON])
}

/** A refused row as it stood in its file, and why it was refused. */
export function refusedLine(row: CsvRow, width: number, reason: string): string {
  const fields = row.fields[0] === TOO_LONG ? [] : row.fields
  return lineOf([...Array.from({ length: width }, (_, column) => fields[column] ?? ''), reason])
}

/** Why a row is refused whose address comes again. */
export function repeatReason(usedLine: number): string {
  return `The same address is in line ${usedLine} again; that line was used`
}

// What is escaped already stays as it is: the file goes out as it came in, but for what a spreadsheet would run.
function lineOf(fields: readonly string[]): string {
  const safe = fields.map((field) => (/^[=+\-@\t\r]/.test(field) ? escapeFormula(field) : field))
  return Papa.unparse([safe], { newline: NEWLINE }) + NEWLINE
}
