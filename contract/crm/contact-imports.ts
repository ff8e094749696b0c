import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { IMPORT_MAX_BYTES, importResult, refusedRow } from './contacts.ts'
import { atMost, id, instant } from '../platform/values.ts'

/** What a column of a file may hold; the parts of a name are joined. `ignore`: none of our fields. */
export const COLUMN_MEANINGS = [
  'ignore',
  'name',
  'first_name',
  'middle_name',
  'last_name',
  'email',
  'company',
  'position',
  'phone',
  'notes',
  'status',
  'tags',
] as const
export const columnMeaning = z.enum(COLUMN_MEANINGS)
export type ColumnMeaning = z.infer<typeof columnMeaning>

/** A file with more columns than this is no list of contacts. */
export const IMPORT_COLUMNS_MAX = 500

/** Days for which an import can be undone and its file is kept. */
export const IMPORT_KEPT_DAYS = 7

const importColumn = z.object({
  /** As named in the file. */
  name: z.string(),
  /** The first values, shortened if long. */
  samples: z.array(z.string()),
  /** The meaning Howl recognised; the user may choose another. */
  meaning: columnMeaning,
})
export type ImportColumn = z.infer<typeof importColumn>

/** The program that wrote the file, if its columns show it. */
const importSource = z.enum(['howl', 'google', 'outlook', 'thunderbird', 'apple', 'hubspot', 'vcard', 'csv'])
export type ImportSource = z.infer<typeof importSource>

const importSummary = z.object({
  id,
  file_name: z.string(),
  size: z.number(),
  created_at: instant,
  /** Whether the file still exists: it can be imported, or its refused rows downloaded. */
  has_file: z.boolean(),
  /** Null until it was imported. */
  finished_at: z.nullable(instant),
  undone_at: z.nullable(instant),
  created: z.number(),
  updated: z.number(),
  skipped: z.number(),
  refused: z.number(),
})
export type ImportSummary = z.infer<typeof importSummary>

export const contactImport = z.object({
  ...importSummary.shape,
  source: importSource,
  columns: z.array(importColumn),
})
export type ContactImport = z.infer<typeof contactImport>

const plan = z.object({
  /** One meaning per column, in the file's order; if absent, as recognised. */
  meanings: z.optional(z.array(columnMeaning).check(atMost(IMPORT_COLUMNS_MAX))),
  /** What happens to existing contacts. */
  duplicates: z._default(z.enum(['update', 'skip']), 'update'),
})

/** What an import would do, according to a dry run. */
export const importCheck = z.object({
  rows: z.number(),
  create: z.number(),
  update: z.number(),
  skip: z.number(),
  /** Addresses of the file that are contacts already, whatever is chosen for them. */
  existing: z.number(),
  /** How many rows cannot be read, and the first of them. */
  refused_total: z.number(),
  refused: z.array(refusedRow),
})
export type ImportCheck = z.infer<typeof importCheck>

/** What undoing would do, or did. */
export const importUndo = z.object({
  remove: z.number(),
  restore: z.number(),
  /** Added contacts that stay, because they were mailed or edited since. */
  keep: z.number(),
  message: z.string(),
})
export type ImportUndo = z.infer<typeof importUndo>

const byId = z.object({ id })

export const contactImports = {
  list: endpoint({
    method: 'GET',
    path: '/contacts/imports',
    summary: 'The imports of the last seven days, newest first',
    reply: z.array(importSummary),
  }),
  upload: endpoint({
    method: 'POST',
    path: '/contacts/imports',
    summary: 'Upload a CSV or vCard file to look at it before it is imported; it is kept for a day',
    upload: { maxBytes: IMPORT_MAX_BYTES },
    reply: contactImport,
  }),
  get: endpoint({
    method: 'GET',
    path: '/contacts/imports/:id',
    summary: 'An uploaded file: its columns, sample values and what they are taken for; later its result',
    params: byId,
    reply: contactImport,
  }),
  check: endpoint({
    method: 'POST',
    path: '/contacts/imports/:id/check',
    summary: 'A dry run: what would be created, updated and skipped, and what cannot be read',
    params: byId,
    body: plan,
    reply: importCheck,
  }),
  run: endpoint({
    method: 'POST',
    path: '/contacts/imports/:id/run',
    summary: 'Import the file; hanging up stops it and nothing is changed; progress comes as server events',
    params: byId,
    body: plan,
    reply: importResult,
  }),
  refused: endpoint({
    method: 'GET',
    path: '/contacts/imports/:id/refused',
    summary: 'All rows that an import refused, in the columns of the file, each with the reason',
    params: byId,
    download: 'text/csv',
  }),
  undoPlan: endpoint({
    method: 'GET',
    path: '/contacts/imports/:id/undo',
    summary: 'What undoing an import would do',
    params: byId,
    reply: importUndo,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/contacts/imports/:id/undo',
    summary:
      'Undo an import: contacts it added go, values it changed come back, where nobody touched them since',
    params: byId,
    reply: importUndo,
  }),
  discard: endpoint({
    method: 'DELETE',
    path: '/contacts/imports/:id',
    summary: 'Throw an uploaded file away that was not imported',
    params: byId,
    reply: z.object({ ok: z.boolean() }),
  }),
}
