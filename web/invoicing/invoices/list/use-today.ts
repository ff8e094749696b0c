import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { zonedDay } from '#web/platform/dates/zoned-day.ts'
import { useNow } from '#web/platform/ui/use-now.ts'

const MINUTE_MS = 60_000

/** The user's calendar day, `2026-03-29`; it changes at midnight while the page is open. */
export function useToday(): string {
  return zonedDay(useNow(MINUTE_MS), useTimeZone())
}
