import type { ColumnType, Generated } from 'kysely'

export type ActivitiesTable = {
  id: Generated<number>
  user_id: number | null
  activity_type: string
  description: string
  risk_score: number
  ip_address: string | null
  created_at: Date
  salt: Buffer | null
  person_digest: Buffer
  seal: Buffer
  erased_at: Date | null
  erasure: Buffer | null
  position: number | null
  link: Buffer | null
  /** Made by the database from description and address. */
  words: ColumnType<string[] | null, never, never>
}

/** How the last comparison of the chain ended: one row. */
type ActivityChecksTable = { id: number; checked_at: Date; is_whole: boolean; checked: number }

export type ActivityChainTable = {
  id: number
  position: number
  link: Buffer
  seal: Buffer
  linked_at: Date
  cleared: number
  cleared_link: Buffer
  cleared_seal: Buffer
}

/** Positions that a restore has taken, and that the operator has accepted. */
export type AcceptedGapsTable = {
  first_position: number
  last_position: number
  accepted_at: Date
  seal: Buffer
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    activities: ActivitiesTable
    activity_chain: ActivityChainTable
    activity_checks: ActivityChecksTable
    accepted_gaps: AcceptedGapsTable
  }
}
