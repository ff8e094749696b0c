/** Automatic mails of a new account on its first day. */
const FIRST_DAY = 20
/** Each day on which it sends, it may send half as much again. */
const GROWTH = 1.5
/** After a day with this ceiling the account is no longer new. */
const LAST_CEILING = 500

/**
 * How many automatic mails a new account may send today, after `daysSent` earlier days on which it sent some; null: any
 * number. Providers take a sudden flood from an address that they do not know for spam.
 */
export function warmUpCeiling(daysSent: number): number | null {
  const before = FIRST_DAY * GROWTH ** (daysSent - 1)
  if (daysSent > 0 && before >= LAST_CEILING) return null
  return Math.min(LAST_CEILING, Math.floor(FIRST_DAY * GROWTH ** daysSent))
}

/** Over how many days so many mails go by these ceilings, of which today's may be used up in part. */
export function spreadDays(mails: number, { today, daysSent }: { today: number; daysSent: number }): number {
  let left = mails
  let days = 0
  for (; left > 0; days += 1) {
    const ceiling = warmUpCeiling(daysSent + days) ?? Infinity
    left -= Math.max(0, ceiling - (days === 0 ? today : 0))
  }
  return days
}
