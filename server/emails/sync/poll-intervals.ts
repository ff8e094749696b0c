/** With an IDLE connection, all folders are synced this often; the server reports changes to the inbox itself. */
export const IDLE_SYNC_EVERY_MS = 60_000
/** Without one, the account is synced this often, give or take a quarter so that not all come at once. */
const SYNC_EVERY_MS = 5 * 60_000
const JITTER = 0.25
/** A message missing from one folder may have reached another: they are synced again this soon, then less often. */
const RELOCATED_RETRY_MS = 2000
/** Servers close idle connections. One that was closed sooner than this is not reopened at once. */
export const QUIET_LOSS_MS = 10_000
/** After the first failure; doubles with each further one. */
export const FIRST_RETRY_MS = 30_000
const LAST_RETRY_MS = 30 * 60_000

/** How long, in milliseconds, until an account without an IDLE connection is synced again. */
export function usualInterval(): number {
  return SYNC_EVERY_MS * (1 + JITTER * (2 * Math.random() - 1))
}

/** The usual interval, or a shorter one after `missed` passes that left messages missing. */
export function intervalFor(usualMs: number, missed: number): number {
  return missed === 0 ? usualMs : Math.min(usualMs, RELOCATED_RETRY_MS * 2 ** Math.min(missed - 1, 20))
}

/** How long, in milliseconds, until an account that could not be synced is tried again: longer after each failure. */
export function retryInterval(failuresBefore: number): number {
  const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failuresBefore, 20), LAST_RETRY_MS)
  return wait * (1 + JITTER * Math.random())
}
