import type { Logger } from 'pino'

/** Where an act came from, as the log tells it; null for what Howl does by itself. */
export type Source = { ip: string; requestId: string } | null

/** How a session ended. */
export type SessionEnd = 'log_out' | 'ended_elsewhere' | 'expired'

/**
 * What somebody who watches over Howl wants to hear of. No event holds a password, a token, a mail address or what was
 * typed: users are named by their number.
 */
export type SecurityEvent =
  | { event: 'account_opened' | 'log_in' | 'log_in_failed' | 'user_name_changed' }
  /** Fields are those of the settings page, without what stands in them. */
  | { event: 'mail_settings_changed'; fields: readonly string[] }
  | { event: 'session_ended'; why: SessionEnd; session: string }
  | { event: 'limit_reached'; limit: 'account' | 'address' | 'user'; call: string }
  | { event: 'refused'; status: number; call: string }

/** What goes wrong, by mistake or on purpose. */
const WARNINGS: ReadonlySet<SecurityEvent['event']> = new Set(['log_in_failed', 'limit_reached', 'refused'])

/** Writes one line of JSON under the logger's name "security"; `user` is null where nobody has proved who he is. */
export function logSecurity(log: Logger, event: SecurityEvent, user: number | null, source: Source): void {
  const level = WARNINGS.has(event.event) ? 'warn' : 'info'
  log.child({ name: 'security' })[level]({
    ...event,
    user,
    address: source?.ip ?? null,
    reqId: source?.requestId ?? null,
  })
}
