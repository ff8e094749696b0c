import type { ColumnType } from 'kysely'
import type { BriefFields } from '#contract/briefs.ts'

export type BriefsTable = {
  user_id: number
  version: number
  fields: ColumnType<BriefFields, string, never>
  made_at: Date
}

declare module '../database/tables.ts' {
  interface Tables {
    briefs: BriefsTable
  }
}
