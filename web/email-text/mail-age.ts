const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** When a mail was: relative for a day, then the full date in the user's zone. */
export function mailAge(then: Date, now: Date, timeZone: string): string {
  const passed = now.getTime() - then.getTime()
  // Clocks differ a little: a mail "from the future" has just come.
  if (passed < MINUTE) return 'Just now'
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone }).format(then)
}
