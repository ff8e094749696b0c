/** "09:00"; 24 is the end of the day. */
const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** "09:00 to 17:00", "22:00 to 06:00 of the next day". */
export function hoursOfDay(from: number, until: number): string {
  return `${hourText(from)} to ${hourText(until)}${until < from ? ' of the next day' : ''}`
}

/** The hours at which something can begin, to choose from. */
export const FROM_HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: hourText(hour),
}))

/**
 * The hours until which it can last, in the order in which they come, those of the next day last. An hour that is the beginning
 * itself is only there where it is chosen already.
 */
export function untilHours(from: number, chosen: number): { value: string; label: string }[] {
  const sameDay = Array.from({ length: 24 - from }, (_, at) => from + 1 + at)
  const nextDay = Array.from({ length: Math.max(0, from - 1) }, (_, at) => 1 + at)
  return [
    ...(chosen === from ? [{ value: String(from), label: hourText(from) }] : []),
    ...sameDay.map((hour) => ({ value: String(hour), label: hourText(hour) })),
    ...nextDay.map((hour) => ({ value: String(hour), label: `${hourText(hour)} next day` })),
  ]
}
