import { copyLine } from '../../platform/database/copy-line.ts'
import type { ImportedContact } from './import-row.ts'

/** The staging table's columns, in the order of its lines. */
export const STAGING_COLUMNS = [
  'line',
  'email_key',
  'email',
  'name',
  'fallback_name',
  'company',
  'position',
  'phone',
  'notes',
  'status',
  'tags',
] as const satisfies readonly (keyof ImportedContact)[]

/** A contact as a line of COPY for the staging table. */
export function stagedLine(contact: ImportedContact): string {
  return copyLine(STAGING_COLUMNS.map((column) => contact[column]))
}
