import type { Generated } from 'kysely'
import type { UserStatus } from '#contract/operations/admin.ts'

/** What happened on the whole Howl, by the day in UTC; a sum of slots. */
type HouseDaysTable = {
  day: Date
  slot: number
  opened: Generated<number>
  deleted: Generated<number>
  sent: Generated<number>
  /** Users who were there. */
  seen: Generated<number>
}

/** How many accounts there are of a plan and a state; a sum of slots. */
type AccountCountsTable = {
  tier: string
  state: UserStatus
  slot: number
  accounts: number
}

/** The day in UTC on which each user was last seen. */
type SeenUsersTable = { user_id: number; day: Date }

declare module '../../platform/database/tables.ts' {
  interface Tables {
    house_days: HouseDaysTable
    account_counts: AccountCountsTable
    seen_users: SeenUsersTable
  }
}
