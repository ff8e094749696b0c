import type { ColumnType } from 'kysely'
import type { BriefFields } from '#contract/outreach/briefs.ts'

export type BriefsTable = {
  user_id: number
  version: number
  fields: ColumnType<BriefFields, string, never>
  made_at: Date
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    briefs: BriefsTable
  }
}
