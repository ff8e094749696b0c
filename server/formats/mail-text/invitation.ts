import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import type { Invitation } from '#contract/mail/emails.ts'
import { cleanText, cutText } from '../../platform/text.ts'

/** A longer calendar is not read: invitations have a few kilobytes. */
const CALENDAR_MAX_CHARS = 500_000
/** So much stands before no line's value: the library looks for the value again after each parameter. */
const PARAMETERS_MAX_CHARS = 10_000
const LONG_PARAMETERS = new RegExp(`^[^:\\r\\n]{${PARAMETERS_MAX_CHARS}}`, 'm')
const FOLD = /\r?\n[ \t]/g
const ATTENDEES_MAX = 100
const TITLE_MAX_CHARS = 300
const WORDS_MAX_CHARS = 1000

const METHODS = ['request', 'cancel', 'reply', 'publish', 'counter'] as const

/** Reads the first event of a text/calendar part; null if none is readable. Never throws. */
export function readInvitation(calendar: string): Invitation | null {
  if (calendar.length > CALENDAR_MAX_CHARS || LONG_PARAMETERS.test(calendar.replaceAll(FOLD, ''))) return null
  try {
    const root = new ICAL.Component(ICAL.parse(calendar))
    const event = root.getFirstSubcomponent('vevent')
    return event === null ? null : present(root, event)
  } catch {
    return null
  }
}

function present(root: ICAL.Component, component: ICAL.Component): Invitation {
  const event = new ICAL.Event(component)
  const named = words(root.getFirstPropertyValue('method'), 20).toLowerCase()
  return {
    method: METHODS.find((method) => method === named) ?? 'other',
    title: words(event.summary, TITLE_MAX_CHARS),
    starts_at: instantOf(component, 'dtstart', event.startDate),
    ends_at: instantOf(component, 'dtend', event.endDate),
    all_day: event.startDate?.isDate === true,
    location: words(event.location, WORDS_MAX_CHARS),
    organizer: person(component.getFirstProperty('organizer')),
    attendees: component
      .getAllProperties('attendee')
      .slice(0, ATTENDEES_MAX)
      .map(person)
      .filter((name) => name !== ''),
    recurs: event.isRecurring(),
  }
}

/** Name and address, as far as known: "Bea Berg <bea@berg.example>". */
function person(property: ICAL.Property | null): string {
  if (property === null) return ''
  const address = words(property.getFirstValue(), 320).replace(/^mailto:/i, '')
  const name = words(property.getFirstParameter('cn'), 200)
  return name === '' || name === address ? address : `${name} <${address}>`
}

function words(value: unknown, max: number): string {
  if (typeof value !== 'string') return ''
  return cutText(cleanText(value), max).replaceAll(/\s+/g, ' ').trim()
}

/** The library knows a zone that the calendar defines; one that it only names is looked up in the IANA database. */
function instantOf(component: ICAL.Component, name: string, time: ICAL.Time | null): string | null {
  if (time === null || !Number.isFinite(time.year) || time.year < 1 || time.year > 9999) return null
  const zone = component.getFirstProperty(name)?.getFirstParameter('tzid')
  if (zone !== undefined && !time.isDate && time.zone?.tzid === 'floating') {
    const there = inZone(time, zone)
    if (there !== null) return there
  }
  const at = time.isDate ? new Date(Date.UTC(time.year, time.month - 1, time.day)) : time.toJSDate()
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

function inZone(time: ICAL.Time, timeZone: string): string | null {
  try {
    const { year, month, day, hour, minute, second } = time
    const zoned = Temporal.ZonedDateTime.from({ timeZone, year, month, day, hour, minute, second })
    return new Date(zoned.epochMilliseconds).toISOString()
  } catch {
    return null
  }
}
