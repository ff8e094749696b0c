import type { Generated } from 'kysely'

export type TemplatesTable = {
  user_id: number
  id: Generated<number>
  name: string
  subject: string
  body: string
  created_at: Date
  updated_at: Date
  /** When it was deleted; it can be restored for a day. */
  deleted_at: Date | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    templates: TemplatesTable
  }
}
