import type { ReadFailure } from '../../mailboxes/mailboxes.ts'

/** With an IDLE connection, all folders are synced this often; the server reports changes to the inbox itself. */
export const IDLE_SYNC_EVERY_MS = 60_000
/** Between two passes over the inbox that the server asks for by its reports. */
export const INBOX_PAUSE_MS = 2000
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
/** A server that only has to recover is asked this often, up to that many times: its emails are there soon after. */
const RECOVERY_RETRY_MS = 80_000
const RECOVERY_TRIES = 30

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Pauses before each further try, in milliseconds; the last one stays. */
export type Growth = readonly number[]

/** A step of a pass as a whole. */
export const STEP_GROWTH: Growth = [MINUTE_MS, 5 * MINUTE_MS, 25 * MINUTE_MS, HOUR_MS]
/** A folder at which the connection breaks: once may have been chance. */
export const BROKEN_OFF_GROWTH: Growth = [0, ...STEP_GROWTH]
/** One draft, or the copy of one sent email. */
export const ITEM_GROWTH: Growth = [
  MINUTE_MS,
  5 * MINUTE_MS,
  25 * MINUTE_MS,
  2 * HOUR_MS,
  10 * HOUR_MS,
  DAY_MS,
]
/** An email that cannot be read … */
export const UNREADABLE_GROWTH: Growth = [HOUR_MS, DAY_MS, 7 * DAY_MS]
/** … or that the server refuses to hand over: shortly before that, it may have been a passing trouble. */
export const REFUSED_GROWTH: Growth = [45_000, ...UNREADABLE_GROWTH]
/** … or that the server wants to hand over later. */
export const LATER_GROWTH: Growth = [...Array<number>(RECOVERY_TRIES).fill(45_000), ...UNREADABLE_GROWTH]

/** How long, in milliseconds, until something is tried again that has failed this many times. */
export function waitAfter(growth: Growth, tries: number): number {
  return growth[Math.min(tries, growth.length) - 1] ?? 0
}

/** How long, in milliseconds, until an account without an IDLE connection is synced again. */
export function usualInterval(): number {
  return SYNC_EVERY_MS * (1 + JITTER * (2 * Math.random() - 1))
}

/** The usual interval, or a shorter one after `missed` passes that left messages missing. */
export function intervalFor(usualMs: number, missed: number): number {
  return missed === 0 ? usualMs : Math.min(usualMs, RELOCATED_RETRY_MS * 2 ** Math.min(missed - 1, 20))
}

/** Failures that only the user can mend; asking often would lock the account out at many providers. */
const NEEDS_USER: ReadonlySet<ReadFailure['kind']> = new Set([
  'auth',
  'settings',
  'certificate',
  'not_allowed',
])

/** How long, in milliseconds, until an account that could not be synced is tried again: longer after each failure. */
export function retryInterval(
  failuresBefore: number,
  kind: ReadFailure['kind'],
  pauseAskedMs: number | null = null,
): number {
  const recovers = !NEEDS_USER.has(kind) && failuresBefore < RECOVERY_TRIES
  const longest = recovers ? RECOVERY_RETRY_MS : LAST_RETRY_MS
  const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failuresBefore, 20), longest)
  return Math.max(wait * (1 + JITTER * Math.random()), pauseAskedMs ?? 0)
}
