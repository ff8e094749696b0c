import type { Logger } from 'pino'

/** The origin of an act as the log shows it; null for what Howl does by itself. */
export type Source = { ip: string; requestId: string } | null

/** How a session ended. */
export type SessionEnd = 'log_out' | 'ended_elsewhere' | 'expired'

/**
 * What an operator wants to know. No event contains a password, a token, a mail address or typed text: users appear
 * by their id.
 */
export type SecurityEvent =
  | { event: 'account_opened' | 'log_in' | 'log_in_failed' | 'user_name_changed' | 'password_changed' }
  | { event: 'account_deleted' | 'account_restored' | 'account_removed' }
  | { event: 'email_confirmed' | 'email_confirmation_failed' }
  | { event: 'password_reset_requested' | 'password_reset_failed'; kind: 'code' | 'link' }
  | {
      event:
        | 'two_step_on'
        | 'two_step_off'
        | 'two_step_asked'
        | 'recovery_code_used'
        | 'recovery_codes_renewed'
    }
  | { event: 'two_step_failed'; kind: 'code' | 'password' }
  /** Field names of the settings page, without their values. */
  | { event: 'mail_settings_changed' | 'own_model_changed'; fields: readonly string[] }
  | { event: 'session_ended'; why: SessionEnd; session: string }
  | { event: 'limit_reached'; limit: 'account' | 'address' | 'user' | 'everybody'; call: string }
  | {
      event:
        | 'access_code_taken'
        | 'access_code_failed'
        | 'admin_log_in'
        | 'admin_log_in_failed'
        | 'admin_log_in_denied'
    }
  | {
      event:
        | 'administrator_made'
        | 'administrator_unmade'
        | 'administrator_claimed'
        | 'claim_failed'
        | 'access_codes_made'
    }
  /** The user is the administrator, `account` whose account it is. */
  | {
      event: 'administered'
      act: 'plan' | 'credits' | 'delete' | 'restore' | 'make_administrator' | 'unmake_administrator'
      account: number
    }
  /** The user is the administrator, null for the rules of abuse; `account` is banned. */
  | { event: 'account_banned'; reason: string; account: number }
  | { event: 'ban_lifted'; account: number }
  | { event: 'ban_shown' | 'appeal_submitted' }
  | { event: 'appeal_answered'; decision: string; account: number }
  | { event: 'administered'; act: 'retry_jobs' | 'drop_jobs'; account: null }
  | { event: 'refused'; status: number; call: string }

/** What goes wrong, by mistake or on purpose. */
const WARNINGS: ReadonlySet<SecurityEvent['event']> = new Set([
  'log_in_failed',
  'password_reset_failed',
  'email_confirmation_failed',
  'two_step_failed',
  'access_code_failed',
  'admin_log_in_failed',
  'admin_log_in_denied',
  'claim_failed',
  'limit_reached',
  'refused',
])

/** Writes one JSON line under the logger name "security"; `user` is null when nobody has proved who they are. */
export function logSecurity(log: Logger, event: SecurityEvent, user: number | null, source: Source): void {
  const level = WARNINGS.has(event.event) ? 'warn' : 'info'
  log.child({ name: 'security' })[level]({
    ...event,
    user,
    address: source?.ip ?? null,
    reqId: source?.requestId ?? null,
  })
}
