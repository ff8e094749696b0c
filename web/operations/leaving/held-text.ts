import { dateFormat } from '#web/platform/dates/date-formats.ts'

/** "Nov 20, 2026, 3:00 AM" in the user's zone. */
export const writtenTime = (time: string, timeZone: string): string =>
  dateFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(time))
