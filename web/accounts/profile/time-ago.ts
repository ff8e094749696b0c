const relativeTime = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** "2 minutes ago"; "just now" within the minute, and for clocks that differ. */
export function timeAgo(then: Date, now: Date): string {
  const passed = now.getTime() - then.getTime()
  for (const [unit, length] of UNITS) {
    if (passed >= length) return relativeTime.format(-Math.floor(passed / length), unit)
  }
  return 'just now'
}
