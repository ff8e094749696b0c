import type { ColumnType, Generated } from 'kysely'
import type { FileLayout } from '../../formats/contact-files/file-layout.ts'

/** An uploaded file of contacts, and what became of it. */
export type ContactImportsTable = {
  user_id: number
  id: Generated<number>
  file_name: string
  /** Its key in the blob store; null when it was deleted or never kept. */
  file_key: string | null
  size: number
  created_at: Date
  /** A `FileLayout`, as JSON. */
  layout: ColumnType<FileLayout, string, string>
  /** The meanings of the columns at the time of the import. */
  meanings: string[] | null
  finished_at: Date | null
  undone_at: Date | null
  created: Generated<number>
  updated: Generated<number>
  skipped: Generated<number>
  refused: Generated<number>
  /** Tags that the import created. */
  tag_ids: Generated<number[]>
}

/** Contacts that an import created. */
type ContactImportAdditionsTable = {
  user_id: number
  import_id: number
  part: number
  contact_ids: number[]
}

/** Contacts that an import changed: the values of `UNDOABLE` before and after. */
type ContactImportChangesTable = {
  user_id: number
  import_id: number
  contact_id: number
  before: string[]
  after: string[]
}

/** Tags that an import gave to contacts. */
type ContactImportTagsTable = {
  user_id: number
  import_id: number
  contact_id: number
  tag_id: number
}

/** Lines of an import whose address appears in a later line again. */
type ContactImportRepeatsTable = {
  user_id: number
  import_id: number
  line: number
  used_line: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    contact_imports: ContactImportsTable
    contact_import_additions: ContactImportAdditionsTable
    contact_import_changes: ContactImportChangesTable
    contact_import_repeats: ContactImportRepeatsTable
    contact_import_tags: ContactImportTagsTable
  }
}
