import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { typedInstant } from '../platform/typed-instant.ts'
import { countUpTo, id, instant, line } from '../platform/values.ts'

/** Everything that the activity log records, with the words that an administrator reads. */
export const ACTIVITY_LABELS = {
  account_opened: 'Account opened',
  log_in: 'Logged in',
  log_in_failed: 'Failed log-in',
  log_out: 'Logged out',
  session_ended: 'Signed out elsewhere',
  two_step_on: 'Two-step sign-in switched on',
  two_step_off: 'Two-step sign-in switched off',
  two_step_failed: 'Wrong code of two-step sign-in',
  recovery_code_used: 'Recovery code used',
  recovery_codes_renewed: 'New recovery codes',
  password_check_failed: 'Wrong password in the settings',
  password_reset_requested: 'Password reset requested',
  password_reset_failed: 'Wrong code or link of a password reset',
  password_changed: 'Password changed',
  email_confirmed: 'Address confirmed',
  email_confirmation_failed: 'Wrong link of an address confirmation',
  user_name_changed: 'User name changed',
  profile_changed: 'Profile changed',
  mail_settings_changed: 'Email settings changed',
  mailbox_connected: 'Email account connected',
  mailbox_disconnected: 'Email account disconnected',
  own_model_changed: 'AI model changed',
  run_started: 'Bulk run started',
  run_paused: 'Bulk run paused',
  run_resumed: 'Bulk run resumed',
  run_cancelled: 'Bulk run cancelled',
  run_without_model: 'Rest of a bulk run written from the template',
  run_finished: 'Bulk run finished',
  contacts_imported: 'Contacts imported',
  import_undone: 'Import undone',
  contacts_exported: 'Contacts exported',
  contacts_deleted: 'Contacts deleted',
  account_deleted: 'Account deleted',
  account_restored: 'Account restored',
  account_removed: 'Account removed for good',
  account_banned: 'Account banned',
  ban_lifted: 'Ban lifted',
  ban_expired: 'Ban ended',
  ban_shown: 'Log-in refused because of a ban',
  appeal_submitted: 'Appeal against a ban',
  appeal_answered: 'Appeal answered',
  limit_reached: 'Stopped by a limit',
  refused: 'Denied',
  admin_code_accepted: 'Administrator access code accepted',
  access_codes_made: 'New administrator access codes',
  admin_code_failed: 'Wrong administrator access code',
  admin_log_in: 'Administrator logged in',
  admin_log_in_failed: 'Failed administrator log-in',
  admin_refused: 'Denied entry to the administrator area',
  admin_claimed: 'Administrator area claimed',
  admin_claim_failed: 'Wrong claim link',
  administrator_made: 'Made an administrator',
  administrator_unmade: 'No longer an administrator',
  admin_act: 'Act of an administrator',
  backup_restored: 'Backup restored',
  gap_accepted: 'Gap of the activity log accepted',
} as const

export type ActivityType = keyof typeof ACTIVITY_LABELS
export const ACTIVITY_TYPES = Object.keys(ACTIVITY_LABELS) as [ActivityType, ...ActivityType[]]

export const ACTIVITY_DESCRIPTION_MAX = 500
export const ACTIVITY_SEARCH_MAX = 120
export const ACTIVITIES_PAGE_MAX = 200
/** Further pages would make the database count through everything; the filter by time leads there instead. */
export const ACTIVITIES_PAGES_MAX = 200

/** Scores from which on a risk has another colour. */
export const RISK_STEPS = { red: 80, yellow: 50, orange: 20 } as const

export const activity = z.object({
  id,
  /** Null where nobody has proved who they are, for Howl's own acts, and once the account is removed. */
  user_id: z.nullable(z.number()),
  /** The user's address as it is now; null like `user_id`. */
  user_email: z.nullable(z.string()),
  activity_type: z.enum(ACTIVITY_TYPES),
  description: z.string(),
  /** 0 to 100. */
  risk_score: z.number(),
  ip_address: z.nullable(z.string()),
  created_at: instant,
})
export type Activity = z.infer<typeof activity>

/** What is wrong at one place of the chain. `id` and `position` name it where they are known. */
export const chainFault = z.object({
  kind: z.enum(['changed', 'inserted', 'removed', 'moved', 'head', 'file']),
  id: z.nullable(z.number()),
  position: z.nullable(z.number()),
  /** A sentence for the operator. */
  what: z.string(),
})
export type ChainFault = z.infer<typeof chainFault>

export const chainReport = z.object({
  ok: z.boolean(),
  /** Rows that were compared, and those of them that wait for their link. */
  checked: z.number(),
  waiting: z.number(),
  /** Rows whose personal part went with its account. */
  erased: z.number(),
  /** The last link's position; rows up to `cleared` were cleared because of their age. */
  position: z.number(),
  cleared: z.number(),
  /** The first faults; `more` if there are further ones. */
  faults: z.array(chainFault),
  more: z.boolean(),
})
export type ChainReport = z.infer<typeof chainReport>

export const activities = {
  list: endpoint({
    method: 'GET',
    path: '/admin/users/activities',
    access: 'admin',
    summary: 'What happened on this Howl, newest first',
    query: z.object({
      limit: countUpTo(ACTIVITIES_PAGE_MAX, 50),
      page: countUpTo(ACTIVITIES_PAGES_MAX, 1),
      user_id: z.optional(id),
      type: z.optional(z.enum(ACTIVITY_TYPES)),
      /** Words of descriptions, an IP address or its beginning up to a dot, or a user's whole address or user name. */
      search: z.optional(line(ACTIVITY_SEARCH_MAX)),
      min_risk: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100))),
      from: z.optional(typedInstant),
      /** Not included. */
      to: z.optional(typedInstant),
    }),
    reply: z.object({ activities: z.array(activity), has_more: z.boolean() }),
  }),
  check: endpoint({
    method: 'POST',
    path: '/admin/users/activities/check',
    access: 'admin',
    summary: 'Compare every activity with the chain that it is linked in',
    reply: chainReport,
    limit: { max: 6, seconds: 60 },
  }),
}
