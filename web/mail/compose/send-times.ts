const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type SendTime = { label: string; at: Date }

/** Suggested times to send a mail, in the user's zone: later today, tomorrow morning and afternoon, Monday morning. */
export function sendTimes(now: Date, timeZone: string): SendTime[] {
  const hour = Number(part(now, timeZone, { hour: '2-digit', hourCycle: 'h23' }))
  const weekday = part(now, timeZone, { weekday: 'short' })
  const times: SendTime[] = []
  if (hour < 16) times.push({ label: 'Later today', at: atHour(now, hour < 12 ? 14 : 17, timeZone) })
  const tomorrow = new Date(now.getTime() + DAY_MS)
  times.push({ label: 'Tomorrow morning', at: atHour(tomorrow, 8, timeZone) })
  times.push({ label: 'Tomorrow afternoon', at: atHour(tomorrow, 13, timeZone) })
  const days = ['Mon', 'Sun', 'Sat', 'Fri', 'Thu', 'Wed', 'Tue'].indexOf(weekday) || 7
  // On a Sunday, Monday is tomorrow.
  if (days > 1)
    times.push({
      label: 'Monday morning',
      at: atHour(new Date(now.getTime() + days * DAY_MS), 8, timeZone),
    })
  return times
}

/**
 * A day and a time in the user's zone as an instant; null if they are invalid. A time that the clocks skip becomes the
 * hour after.
 */
export function instantIn(day: string, time: string, timeZone: string): Date | null {
  const wanted = Date.parse(`${day}T${time}:00Z`)
  if (Number.isNaN(wanted)) return null
  // The zone's offset depends on the instant that is wanted: guess it, then correct the guess twice.
  let at = wanted
  for (let look = 0; look < 3; look += 1) at = wanted - offsetAt(at, timeZone)
  return new Date(at)
}

/** How many milliseconds the zone is ahead of UTC at an instant. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(instant))
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)?.value)
  const there = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return there - Math.floor(instant / 1000) * 1000
}

function atHour(day: Date, hour: number, timeZone: string): Date {
  const date = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(day)
  return instantIn(date, `${String(hour).padStart(2, '0')}:00`, timeZone) ?? day
}

function part(at: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en', { timeZone, ...options }).format(at)
}
