import Papa from 'papaparse'
import { Readable } from 'node:stream'
import type { Context } from '../../platform/context.ts'
import { escapeFormula, needsQuotes } from '#contract/formats/formula-escape.ts'
import type { ContactFilter } from './matching-store.ts'
import { type ContactRow, contactsAfter } from './store.ts'
import { tagCell } from '../../formats/contact-files/tag-cell.ts'

/** Rows read at a time. */
const PAGE_ROWS = 2000
/** Without it, spreadsheets mistake UTF-8 for a legacy encoding. */
const BOM = '\uFEFF'
const NEWLINE = '\r\n'

const COLUMNS: Record<string, (row: ContactRow) => string> = {
  Name: (row) => row.name,
  Email: (row) => row.email,
  Company: (row) => row.company,
  Position: (row) => row.position,
  Phone: (row) => row.phone,
  Status: (row) => row.status,
  Notes: (row) => row.notes,
  Tags: (row) => tagCell(row.tags.map(({ name }) => name)),
  // The columns below are computed, and the import ignores them.
  Activity: (row) => row.computed_status,
  'Last Contact': (row) => row.last_contact?.toISOString() ?? '',
}

/** The user's contacts as CSV (RFC 4180), oldest first; read page by page as fast as the client receives them. */
export function exportContacts(context: Context, userId: number, filter: ContactFilter): Readable {
  return Readable.from(pages(context, userId, filter))
}

async function* pages(context: Context, userId: number, filter: ContactFilter): AsyncGenerator<string> {
  const now = context.clock.now()
  yield BOM + Papa.unparse([Object.keys(COLUMNS)]) + NEWLINE
  for (let id = 0; ;) {
    const rows = await contactsAfter(context.db, userId, filter, { id, limit: PAGE_ROWS }, now)
    if (rows.length > 0)
      yield Papa.unparse(rows.map(line), { newline: NEWLINE, quotes: needsQuotes }) + NEWLINE
    if (rows.length < PAGE_ROWS) return
    id = rows.at(-1)?.id ?? id
  }
}

function line(row: ContactRow): string[] {
  return Object.values(COLUMNS).map((value) => escapeFormula(value(row).replaceAll(/\r\n?/g, '\n')))
}
