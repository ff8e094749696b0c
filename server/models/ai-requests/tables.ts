import type { Generated } from 'kysely'

export type AiUsesTable = {
  user_id: number
  id: Generated<number>
  /** `YYYY-MM-DD` in the user's time zone. */
  day: string
  /** In the zone that the day was counted in; null for uses of earlier versions. */
  day_ends_at: Date | null
  purpose: string
  model: string
  /** The user's own model, not the instance's. */
  is_own: Generated<boolean>
  paid_by: 'plan' | 'credit' | 'nothing'
  state: 'open' | 'used' | 'failed'
  input_tokens: number | null
  output_tokens: number | null
  milliseconds: number | null
  /** Estimated, in millionths of a US dollar; null where no price is known. */
  cost: number | null
  started_at: Date
  ended_at: Date | null
}

/** The sums of a day’s uses, kept by triggers. */
export type AiDaysTable = {
  user_id: number
  day: string
  purpose: string
  is_own: boolean
  used: number
  failed: number
  by_plan: number
  by_credit: number
  /** Failed ones that the model had begun to work on. */
  failed_at_work: number
  input_tokens: number
  output_tokens: number
  milliseconds: number
  cost: number
  unpriced_tokens: number
}

type AiCapsTable = {
  user_id: number
  requests: number
}

/** AI requests of all users to the instance's model, by the day in UTC. */
type AiHouseDaysTable = {
  day: string
  requests: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    ai_uses: AiUsesTable
    ai_days: AiDaysTable
    ai_caps: AiCapsTable
    ai_house_days: AiHouseDaysTable
  }
}
