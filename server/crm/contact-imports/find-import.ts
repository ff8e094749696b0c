import { type ContactImport, IMPORT_KEPT_DAYS, type ImportSummary } from '#contract/crm/contact-imports.ts'
import type { Given } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { doneImports, findImport, type ImportRow, type SummaryRow } from './imports-store.ts'

const DAY_MS = 86_400_000
const LISTED_IMPORTS = 50

/** Imports before this instant have expired. */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - IMPORT_KEPT_DAYS * DAY_MS)
}

/** @throws Refusal 404 */
export async function getImport(context: Context, userId: number, id: number): Promise<ImportRow> {
  const row = await findImport(context.db, userId, id)
  if (row === undefined) throw notFound('This import does not exist.')
  return row
}

/** The user's imports of the last seven days, newest first. */
export async function recentImports(context: Context, userId: number): Promise<SummaryRow[]> {
  return doneImports(context.db, userId, keptSince(context.clock.now()), LISTED_IMPORTS)
}

export const presentSummary = (row: SummaryRow): Given<ImportSummary> => ({
  ...row,
  has_file: row.file_key !== null,
})

export function presentImport(row: ImportRow): Given<ContactImport> {
  const { layout, meanings } = row
  const columns = layout.columns.map((column, n) => ({
    ...column,
    meaning: (meanings?.[n] as typeof column.meaning | undefined) ?? column.meaning,
  }))
  return { ...presentSummary(row), source: layout.source, columns }
}
