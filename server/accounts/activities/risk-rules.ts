import type { ActivityType } from '#contract/accounts/activities.ts'

// How risky an activity is, from 0 to 100. Every number of it stands in this file. Rules about abuse build on these scores.

/** What each activity counts for by itself; what is not listed counts 0. */
const SCORES: Partial<Record<ActivityType, number>> = {
  log_in_failed: 20,
  two_step_failed: 30,
  password_check_failed: 20,
  password_reset_requested: 10,
  password_reset_failed: 30,
  password_changed: 10,
  email_confirmation_failed: 10,
  recovery_code_used: 20,
  recovery_codes_renewed: 10,
  two_step_off: 20,
  user_name_changed: 10,
  mail_settings_changed: 10,
  mailbox_connected: 10,
  mailbox_disconnected: 10,
  own_model_changed: 10,
  run_cancelled: 5,
  contacts_exported: 10,
  contacts_deleted: 5,
  account_deleted: 10,
  account_banned: 50,
  ban_shown: 20,
  limit_reached: 30,
  refused: 20,
  admin_code_accepted: 10,
  admin_code_failed: 40,
  admin_log_in: 10,
  admin_log_in_failed: 40,
  admin_refused: 40,
  admin_claimed: 30,
  admin_claim_failed: 40,
  administrator_made: 30,
  administrator_unmade: 10,
  admin_act: 10,
  backup_restored: 30,
  gap_accepted: 40,
}

/** Tries that went wrong. Each further one within the hour, from the same address or on the same account, adds. */
export const FAILURES: readonly ActivityType[] = [
  'log_in_failed',
  'two_step_failed',
  'password_check_failed',
  'password_reset_failed',
  'admin_code_failed',
  'admin_log_in_failed',
  'admin_refused',
  'admin_claim_failed',
]
const EACH_FAILURE_BEFORE = 10
const FAILURES_COUNT_AT_MOST = 6

/** Acts by which somebody who should not be there would begin, or make sure to stay. */
export const TELLING_PLACE: readonly ActivityType[] = [
  'log_in',
  'admin_log_in',
  'password_changed',
  'two_step_off',
  'contacts_exported',
]
const FROM_NEW_NETWORK = 30
/** Somebody got in after this many failures within the hour. */
const IN_AFTER_FAILURES = { failures: 5, score: 40 }

/** What is known of the hour before, and of where the account was used before. */
export type RiskFacts = {
  /** Failures within the hour from the same address or on the same account, up to {@link FAILURES_LOOKED_AT}. */
  failuresBefore: number
  /** Never before has the account been used from this network. */
  isNewNetwork: boolean
}

export const FAILURES_LOOKED_AT = 20

/** The rules in order, each with its name and what it adds. */
const RULES: readonly { name: string; adds: (type: ActivityType, facts: RiskFacts) => number }[] = [
  { name: 'the activity itself', adds: (type) => SCORES[type] ?? 0 },
  {
    name: 'one failure after another',
    adds: (type, { failuresBefore }) =>
      FAILURES.includes(type) ? EACH_FAILURE_BEFORE * Math.min(failuresBefore, FAILURES_COUNT_AT_MOST) : 0,
  },
  {
    name: 'from a new network',
    adds: (type, { isNewNetwork }) => (TELLING_PLACE.includes(type) && isNewNetwork ? FROM_NEW_NETWORK : 0),
  },
  {
    name: 'in after many failures',
    adds: (type, { failuresBefore }) =>
      TELLING_PLACE.includes(type) && failuresBefore >= IN_AFTER_FAILURES.failures
        ? IN_AFTER_FAILURES.score
        : 0,
  },
]

/** The risk of an activity, 0 to 100. */
export function riskOf(type: ActivityType, facts: RiskFacts): number {
  return Math.min(
    100,
    RULES.reduce((sum, { adds }) => sum + adds(type, facts), 0),
  )
}

/** What an address counts as: a provider gives its customers other addresses of the same network, /24 or /48. */
export function networkOf(ip: string): string {
  const v4 = /(\d+\.\d+\.\d+)\.\d+$/.exec(ip)
  return v4?.[1] ?? ip.split(':').slice(0, 3).join(':')
}
