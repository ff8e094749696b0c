import type { Generated } from 'kysely'

/** When the follow-ups of a user run next. */
export type FollowUpPlansTable = {
  user_id: number
  next_run_at: Date | null
  is_stale: Generated<boolean>
  last_day: string | null
}

/** One local day on which a user's follow-ups ran. */
export type FollowUpDaysTable = {
  user_id: number
  /** `YYYY-MM-DD` in the user's zone. */
  day: string
  group_id: number
  started_at: Date
  finished_at: Date | null
  settled_at: Date | null
  driver_id: string | null
  after_first_at: Date | null
  after_key: Generated<string>
  queued: Generated<number>
  sent: Generated<number>
  failed: Generated<number>
  templated: Generated<number>
  /** How many contacts were left out, by the sentence that says why. */
  skipped: Generated<Record<string, number>>
  ai_use_id: number | null
  tokens_used: Generated<number>
}

/** "Follow-up n to this contact": one row per mail. */
export type FollowUpMailsTable = {
  user_id: number
  email_id: number
  contact_id: number
  address_key: string
  number: number
  day: string
}

/** No follow-up to a contact before a day, or never (null). */
type FollowUpChoicesTable = {
  user_id: number
  contact_id: number
  until_day: string | null
  chosen_at: Date
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    follow_up_plans: FollowUpPlansTable
    follow_up_days: FollowUpDaysTable
    follow_up_mails: FollowUpMailsTable
    follow_up_choices: FollowUpChoicesTable
  }
}
