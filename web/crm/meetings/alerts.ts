import { type Meeting, meetings } from '#contract/crm/meetings.ts'
import { call } from '#web/platform/api/call.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { clockTime } from '#web/platform/dates/mail-age.ts'
import { paths } from '#web/platform/paths.ts'
import { alertState } from './alert-wish.ts'

const LOOK_EVERY_MS = 30_000
const ASKED = 50
const MINUTE_MS = 60_000
/** The notifications already shown, so that a reload or another tab does not repeat them. */
const TOLD_KEY = 'app.meetingAlerts.told'
const TOLD_MAX = 100

/** Shows a notification for each meeting whose reminder is due, once, until the signal is aborted. */
export async function watchMeetings(stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    if (alertState() === 'wished') await tellDue(stop).catch(() => {})
    await pause(LOOK_EVERY_MS, stop)
  }
}

async function tellDue(signal: AbortSignal): Promise<void> {
  const query = { filter: 'upcoming', status: 'scheduled', page_size: ASKED } as const
  const rows = await call(meetings.list, { query, signal })
  const now = Date.now()
  for (const meeting of rows.filter((each) => isDue(each, now))) tell(meeting)
}

/** True from the reminder's time until the meeting starts. */
export function isDue(meeting: Pick<Meeting, 'start_time' | 'reminder_minutes'>, now: number): boolean {
  if (meeting.reminder_minutes === null) return false
  const start = Date.parse(meeting.start_time)
  return start - meeting.reminder_minutes * MINUTE_MS <= now && now < start
}

function tell(meeting: Meeting): void {
  const name = `${meeting.id}@${meeting.start_time}@${meeting.reminder_minutes}`
  const told = readTold()
  if (told.includes(name)) return
  localStorage.setItem(TOLD_KEY, JSON.stringify([...told, name].slice(-TOLD_MAX)))
  const at = clockTime(new Date(meeting.start_time), currentTimeZone())
  const place = meeting.location || meeting.meeting_link
  // The tag merges notifications from two tabs at the same instant.
  const notification = new Notification(meeting.title, {
    body: place === '' ? `Starts at ${at}` : `Starts at ${at}\n${place}`,
    tag: name,
  })
  notification.addEventListener('click', () => {
    window.focus()
    window.location.assign(`${paths.meetings}?open=${meeting.id}`)
  })
}

function readTold(): string[] {
  try {
    const told: unknown = JSON.parse(localStorage.getItem(TOLD_KEY) ?? '[]')
    return Array.isArray(told) ? told.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    stop.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
