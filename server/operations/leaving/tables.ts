import type { Generated } from 'kysely'
import type { ContactMethod, Reason } from '#contract/operations/leaving.ts'

export type DepartureFeedbackTable = {
  id: Generated<number>
  /** Null once the account was removed. */
  user_id: number | null
  category: Reason
  custom_category: string
  rating: number
  details: string
  improvements: string
  competitor: string
  contact_consent: boolean
  contact_method: ContactMethod | null
  pricing_tier: string
  account_age_days: number
  given_at: Date
  /** Null while the account lives. */
  deleted_at: Date | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    departure_feedback: DepartureFeedbackTable
  }
}
