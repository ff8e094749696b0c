import type { Generated } from 'kysely'
import type { UserStatus } from '#contract/operations/admin.ts'

/** What happened on the whole house, by the hour and its quarters; a sum of slots. */
type HouseActivityTable = {
  at: Date
  slot: number
  opened: Generated<number[]>
  deleted: Generated<number[]>
  sent: Generated<number[]>
}

/** How many accounts there are of a plan and a state; a sum of slots. */
type AccountCountsTable = {
  tier: string
  state: UserStatus
  slot: number
  accounts: number
}

/** Users who were there in a half hour: `fresh[n]` of them had not been there in the n half hours before. */
type ActiveUsersTable = {
  at: Date
  fresh: number[]
}

/** The half hour in which each user was last seen. */
type SeenUsersTable = {
  user_id: number
  at: Date
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    house_activity: HouseActivityTable
    account_counts: AccountCountsTable
    active_users: ActiveUsersTable
    seen_users: SeenUsersTable
  }
}
