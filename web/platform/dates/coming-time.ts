import { dateFormat } from './date-formats.ts'
import { zonedDay } from './zoned-day.ts'

/** When something is to happen: "Tue 2 Dec, 09:00", with the year where it is another than that of `now`. */
export function comingTime(instant: string, timeZone: string, now = new Date()): string {
  const at = new Date(instant)
  const yearOf = (time: Date) => zonedDay(time, timeZone).slice(0, 4)
  return dateFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(yearOf(at) === yearOf(now) ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(at)
}
