import type { Generated } from 'kysely'
import type { PatternType } from '#contract/operations/abuse.ts'

type SendingDaysTable = {
  user_id: number
  day: Date
  sent: number
  strangers: number
  role_addresses: number
  seen: Generated<number>
}

type FailedAddressesTable = {
  user_id: number
  address_key: string
  kind: 'no_address' | 'no_domain' | 'complaint'
  at: Date
  at_once: boolean
  is_certain: Generated<boolean>
  is_seen: Generated<boolean>
}

export type AbusePatternsTable = {
  user_id: number
  id: Generated<number>
  pattern_type: PatternType
  severity: number
  occurrences: number
  first_detected: Date
  last_detected: Date
  /** What it counts for at `last_detected`; it decays from then on. */
  score: number
  description: string
  auto_ban_triggered: Generated<boolean>
}

export type AbuseAnswersTable = {
  user_id: number
  warned_at: Date | null
  told_at: Date | null
  bans: Generated<number>
  is_due: Generated<boolean>
}

type AbuseRoundsTable = { id: number; looked_until: Date }

declare module '../../platform/database/tables.ts' {
  interface Tables {
    sending_days: SendingDaysTable
    failed_addresses: FailedAddressesTable
    abuse_patterns: AbusePatternsTable
    abuse_answers: AbuseAnswersTable
    abuse_rounds: AbuseRoundsTable
  }
}
