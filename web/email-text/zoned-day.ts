/** The calendar day of an instant in a zone, as `2026-03-29`: days compare as texts. */
export function zonedDay(instant: Date, timeZone: string): string {
  return dayFormat(timeZone).format(instant)
}

/** The day before a calendar day. Counted on the calendar, so that days of 23 and 25 hours are days. */
export function dayBefore(day: string): string {
  const noon = new Date(`${day}T12:00:00Z`)
  noon.setUTCDate(noon.getUTCDate() - 1)
  return noon.toISOString().slice(0, 10)
}

const formats = new Map<string, Intl.DateTimeFormat>()

// Making a formatter costs more than a hundred uses of it. Sweden writes dates as ISO 8601 does.
function dayFormat(timeZone: string): Intl.DateTimeFormat {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone })
  formats.set(timeZone, format)
  return format
}
