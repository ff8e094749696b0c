import { CONTACT_STATUSES } from '#contract/crm/contacts.ts'
import { TAG_NAME_MAX, TAGS_PER_CONTACT_MAX } from '#contract/crm/tags.ts'
import { plainAddress } from '#contract/platform/local-part.ts'
import { isEmailAddress } from '#contract/platform/values.ts'
import type { Columns, Meaning } from '../../formats/contact-files/csv-columns.ts'
import type { CsvRow } from '../../formats/contact-files/csv-rows.ts'
import { TOO_LONG } from '../../formats/contact-files/csv-text.ts'
import { unescapeFormula } from '#contract/formats/formula-escape.ts'
import type { PhoneReader } from '../../formats/contact-files/phone-number.ts'
import { storableText } from '../../platform/database/storable-text.ts'
import { readTags, TAG_SEPARATOR } from '../../formats/contact-files/tag-cell.ts'

type Status = (typeof CONTACT_STATUSES)[number]

/** A contact as a line of a file describes it; '' for what the file does not contain. */
export type ImportedContact = {
  line: number
  email: string
  email_key: string
  name: string
  /** The name of a new contact without one in the file. */
  fallback_name: string
  company: string
  position: string
  phone: string
  notes: string
  status: Status | ''
  /** Names joined by `TAG_SEPARATOR`. */
  tags: string
}

export type RefusedRow = { line: number; email: string; reason: string }

/** The same limits as in the form. */
const MAX_CHARS = { name: 200, company: 200, position: 200, phone: 60, notes: 20_000 }
/** This much of a refused line is shown. */
const SHOWN_CHARS = 200

/** How to interpret the rows of one file. */
export type RowReading = { format: 'csv' | 'vcard'; columns: Columns; phone: PhoneReader }

/** Reads a record as a contact, or returns why it is none; null for a blank line. */
export function readRow(
  row: CsvRow,
  { format, columns, phone }: RowReading,
): ImportedContact | RefusedRow | null {
  const isCard = format === 'vcard'
  if (row.broken) {
    return refuse(
      row,
      row.fields[0] ?? '',
      isCard ? 'This card does not end' : 'The quotes in this line do not close',
    )
  }
  if (row.fields[0] === TOO_LONG) return refuse(row, '', 'This line is longer than 1 MB')
  // Only tables are escaped against spreadsheets: in a card an apostrophe is part of the text.
  const text = (field: string) => storableText(isCard ? field : unescapeFormula(field))
  const value = (meaning: Meaning) => firstValue(row.fields, columns[meaning], text)
  // The form allows one line; a spreadsheet wraps long ones.
  const line = (meaning: Meaning) =>
    value(meaning)
      .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .trim()
  const cell = value('email')
  if (cell === '') {
    if (!isCard && row.fields.every((field) => field.trim() === '')) return null
    return refuse(row, '', `There is no email address in this ${isCard ? 'card' : 'line'}`)
  }
  const email = addressIn(cell)
  if (email === null) return refuse(row, cell, 'This is not a valid email address')
  const name =
    line('name') || [line('first_name'), line('middle_name'), line('last_name')].filter(Boolean).join(' ')
  const tags = [
    ...new Set((columns.tags ?? []).flatMap((column) => readTags(text(row.fields[column] ?? '')))),
  ]
  const contact: ImportedContact = {
    line: row.line,
    email,
    email_key: email.toLowerCase(),
    name,
    fallback_name: name === '' ? nameFrom(email) : '',
    company: line('company'),
    position: line('position'),
    phone: phone(line('phone')),
    notes: value('notes'),
    status: statusOf(value('status')),
    tags: tags.join(TAG_SEPARATOR),
  }
  if (tags.some((tag) => tag.length > TAG_NAME_MAX)) {
    return refuse(row, email, `One of the tags is longer than ${TAG_NAME_MAX} characters`)
  }
  if (tags.length > TAGS_PER_CONTACT_MAX) {
    return refuse(row, email, `There are more than ${TAGS_PER_CONTACT_MAX} tags`)
  }
  const tooLong = tooLongField(contact)
  if (tooLong === undefined) return contact
  return refuse(
    row,
    email,
    `The ${tooLong} is longer than ${MAX_CHARS[tooLong].toLocaleString('en')} characters`,
  )
}

export function isRefused(row: ImportedContact | RefusedRow): row is RefusedRow {
  return 'reason' in row
}

function refuse(row: CsvRow, email: string, reason: string): RefusedRow {
  return { line: row.line, email: email.slice(0, SHOWN_CHARS), reason }
}

function firstValue(
  fields: readonly string[],
  columns: readonly number[] | undefined,
  read: (field: string) => string,
): string {
  for (const column of columns ?? []) {
    const text = read(fields[column] ?? '')
    if (text !== '') return text
  }
  return ''
}

/** The address in a cell: alone, as `mailto:`, after a name, or the first of several. */
function addressIn(cell: string): string | null {
  if (isEmailAddress(cell)) return plainAddress(cell)
  const first = cell.split(/ ::: |[;,\n]/, 1)[0] ?? ''
  const address = (/<([^<>]+)>\s*$/.exec(first)?.[1] ?? first).trim().replace(/^mailto:/i, '')
  return isEmailAddress(address) ? plainAddress(address) : null
}

/** A name derived from an address: "jane.doe@…" is "Jane Doe". */
function nameFrom(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@')).replace(/\+.*$/, '')
  const words = local.split(/[._-]+/).filter((word) => word !== '')
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  return (name || local || email).slice(0, MAX_CHARS.name)
}

function statusOf(text: string): Status | '' {
  return CONTACT_STATUSES.find((status) => status === text.toLowerCase()) ?? ''
}

function tooLongField(contact: ImportedContact): keyof typeof MAX_CHARS | undefined {
  return (Object.keys(MAX_CHARS) as (keyof typeof MAX_CHARS)[]).find(
    (field) => contact[field].length > MAX_CHARS[field],
  )
}
