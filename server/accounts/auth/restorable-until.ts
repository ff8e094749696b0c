import { RESTORE_DAYS } from '#contract/operations/leaving.ts'

const DAY_MS = 86_400_000

/** Until when an account that was deleted at `deletedAt` can be restored. */
export function restorableUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + RESTORE_DAYS * DAY_MS)
}

/** Accounts deleted after this moment can still be restored. */
export function restorableSince(now: Date): Date {
  return new Date(now.getTime() - RESTORE_DAYS * DAY_MS)
}

/** A day in words, such as "23 December 2026". */
export function writtenDay(at: Date, timeZone = 'UTC'): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(at)
}
