import { Temporal } from 'temporal-polyfill'
import { invalidInput } from '../../platform/errors.ts'

/** From `from` (included) to `before` (excluded). */
export type InstantRange = { from: Date | null; before: Date | null }

const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * The range between two days or instants as typed; a day is one of the user's time zone and counts from its beginning
 * to its end.
 *
 * @throws Refusal 400 for what is neither a day nor an instant
 */
export function lastContactRange(
  from: string | undefined,
  to: string | undefined,
  zone: string,
): InstantRange {
  return {
    from: from ? typed('last_contact_from', from, zone, { days: 0 }) : null,
    before: to ? typed('last_contact_to', to, zone, { days: 1 }) : null,
  }
}

function typed(field: string, text: string, zone: string, add: { days: number }): Date {
  try {
    if (DAY.test(text)) {
      const start = Temporal.PlainDate.from(text).add(add).toZonedDateTime({ timeZone: zone })
      return new Date(start.epochMilliseconds)
    }
    // "Up to an instant" includes that instant.
    const { epochMilliseconds } = Temporal.Instant.from(text)
    return new Date(epochMilliseconds + add.days)
  } catch {
    throw invalidInput(`Please enter a date as YYYY-MM-DD`, { [field]: 'This is not a date' })
  }
}
