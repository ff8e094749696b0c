import {
  type ColumnMeaning,
  IMPORT_COLUMNS_MAX,
  type ImportColumn,
  type ImportSource,
} from '#contract/crm/contact-imports.ts'
import { isEmailAddress } from '#contract/platform/values.ts'
import { invalidInput } from '../../platform/errors.ts'
import { columnsFor, type Columns, headOf, meaningsOf } from './csv-columns.ts'
import { csvRows, type CsvRow } from './csv-rows.ts'
import { csvText } from './csv-text.ts'
import { isCard, VCARD_COLUMNS, vcardRows } from './vcard-rows.ts'

/** How a file of contacts is to be read. */
export type FileLayout = {
  format: 'csv' | 'vcard'
  source: ImportSource
  delimiter: string
  /** The line of the column names, from 1; lines above it are skipped. 0 for a file without one. */
  headerLine: number
  columns: ImportColumn[]
}

/** Rows read for sample values. */
const LOOKED_AT_ROWS = 20
const SAMPLES = 3
const SAMPLE_CHARS = 80
const NAME_CHARS = 120

/**
 * Finds out from a file's beginning how to read it and what its columns hold.
 *
 * @throws Refusal 400 for a file that is empty, no text, or has only blank lines or far too many columns
 */
export async function layoutOf(chunks: AsyncIterable<Buffer>): Promise<FileLayout> {
  const text = csvText(chunks)
  const first = await text.next()
  const beginning = first.done === true ? '' : first.value
  const blocks = startingWith(beginning, text)
  return isCard(beginning) ? vcardLayout(beginning, blocks) : csvLayout(beginning, blocks)
}

async function* startingWith(first: string, others: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* others
}

async function csvLayout(beginning: string, blocks: AsyncIterable<string>): Promise<FileLayout> {
  const { delimiter, headerLine, names } = headOf(beginning)
  if (names.length === 0) throw noEmailColumn()
  if (names.length > IMPORT_COLUMNS_MAX) {
    throw invalidInput(
      `This file has ${names.length.toLocaleString('en')} columns. Howl reads up to ${IMPORT_COLUMNS_MAX}: please take out those that you do not need.`,
    )
  }
  // A list of bare addresses has no header.
  const hasNames = !names.some((name) => isEmailAddress(name.trim()))
  const layout = { format: 'csv', delimiter, headerLine: hasNames ? headerLine : headerLine - 1 } as const
  const rows = await firstRows(csvRows(blocks, delimiter), layout.headerLine)
  const shown = hasNames ? names : names.map((_, column) => `Column ${column + 1}`)
  return { ...layout, source: sourceOf(names), columns: columnsWith(shown, rows) }
}

async function vcardLayout(beginning: string, blocks: AsyncIterable<string>): Promise<FileLayout> {
  const rows = await firstRows(vcardRows(blocks), 0)
  const source = /^PRODID[^\n]*Apple/im.test(beginning) ? 'apple' : 'vcard'
  const columns = columnsWith(VCARD_COLUMNS, rows)
  return { format: 'vcard', source, delimiter: ',', headerLine: 0, columns }
}

async function firstRows(batches: AsyncIterable<CsvRow[]>, headerLine: number): Promise<string[][]> {
  const rows: string[][] = []
  for await (const batch of batches) {
    for (const { line, fields, broken } of batch) {
      if (line > headerLine && !broken && fields.some((field) => field.trim() !== '')) rows.push(fields)
      if (rows.length >= LOOKED_AT_ROWS) return rows
    }
  }
  return rows
}

function columnsWith(names: readonly string[], rows: readonly string[][]): ImportColumn[] {
  const samples = names.map((_, column) =>
    rows.map((fields) => (fields[column] ?? '').trim()).filter((value) => value !== ''),
  )
  const meanings: (ColumnMeaning | null)[] = meaningsOf(names)
  if (!meanings.includes('email')) {
    const holdsAddresses = (values: readonly string[]) =>
      values.length > 0 && values.filter(isEmailAddress).length * 2 > values.length
    const column = samples.findIndex(holdsAddresses)
    if (column >= 0) meanings[column] = 'email'
  }
  return names.map((name, column) => ({
    name: cut(name.trim(), NAME_CHARS) || `Column ${column + 1}`,
    samples: (samples[column] ?? []).slice(0, SAMPLES).map((value) => cut(value, SAMPLE_CHARS)),
    meaning: meanings[column] ?? 'ignore',
  }))
}

const cut = (text: string, max: number) =>
  text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text.toWellFormed()

/** Columns that only one program writes. */
const SOURCES: [ImportSource, readonly string[]][] = [
  ['howl', ['Name', 'Email', 'Activity', 'Last Contact']],
  ['google', ['E-mail 1 - Value']],
  ['thunderbird', ['Display Name', 'Primary Email']],
  ['hubspot', ['Record ID', 'Email']],
  ['hubspot', ['Contact owner', 'Email']],
  ['outlook', ['E-mail Address', 'Business Phone']],
  ['outlook', ['E-mail Address', 'Mobile Phone']],
]

function sourceOf(names: readonly string[]): ImportSource {
  const has = new Set(names.map((name) => name.trim()))
  return SOURCES.find(([, needed]) => needed.every((name) => has.has(name)))?.[0] ?? 'csv'
}

/** 400: no column of addresses was recognised. */
export function noEmailColumn() {
  return invalidInput('This file has no email column. Please name one of its columns “Email”.')
}

/**
 * Which columns hold what: according to the layout, or as the user chose.
 *
 * @throws Refusal 400 when no column holds e-mail addresses, or there is not one meaning per column
 */
export function columnsOfLayout(layout: FileLayout, meanings?: readonly ColumnMeaning[]): Columns {
  const { columns } = layout
  if (meanings !== undefined && meanings.length !== columns.length) {
    throw invalidInput(`This file has ${columns.length} columns: please say of each what it holds.`)
  }
  const found = columnsFor(
    columns.map(({ name }) => name),
    meanings ?? columns.map(({ meaning }) => meaning),
  )
  if (found.email !== undefined) return found
  throw meanings === undefined
    ? noEmailColumn()
    : invalidInput('Please choose the column that holds the email addresses.')
}
