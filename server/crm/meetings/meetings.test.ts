import ICAL from 'ical.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import {
  END_BEFORE_START,
  LINK_MALFORMED,
  LINK_MISSING,
  LOCATION_MISSING,
  meetings,
} from '#contract/crm/meetings.ts'
import { runSql } from '../../platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

let app: TestApp
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app?.end())
beforeEach(async () => {
  ada = await signUp(app.url)
})

const HOUR = 3_600_000
const START = '2027-03-09T09:00:00.000Z'
const END = '2027-03-09T10:00:00.000Z'
const plain = { title: 'Review', start_time: START, end_time: END, type: 'phone' } as const

type New = Parameters<typeof call<typeof meetings.add>>[2] extends { body?: infer B } | undefined ? B : never
const tryAdd = (body: object) =>
  call(app.url, meetings.add, { token: ada.token, body: body as NonNullable<New> })
const add = async (body: object = {}) => {
  const answer = await tryAdd({ ...plain, ...body })
  expect(answer.error).not.toHaveProperty('detail')
  return answer.body
}
const change = (id: number, body: object) =>
  call(app.url, meetings.update, { token: ada.token, params: { id }, body })
const list = (query: object = {}) => call(app.url, meetings.list, { token: ada.token, query })
const titles = async (query: object = {}) => (await list(query)).body.map(({ title }) => title)

describe('a meeting', () => {
  test('is scheduled, read, changed by field and deleted', async () => {
    const made = await add({
      title: '  Review ',
      type: 'in-person',
      location: ' Room 3 ',
      attendees: [' bea@far.example ', '', 'Abe@far.example', 'BEA@far.example'],
      start_time: '2027-03-09T10:00:00+01:00',
    })
    expect(made).toEqual({
      id: made.id,
      title: 'Review',
      description: '',
      start_time: START,
      end_time: END,
      location: 'Room 3',
      attendees: ['Abe@far.example', 'bea@far.example'],
      type: 'in-person',
      status: 'scheduled',
      notes: '',
      meeting_link: '',
      reminder_minutes: null,
    })
    const { body: changed } = await change(made.id, { notes: 'Bring cake', status: 'completed' })
    expect(changed).toEqual({ ...made, notes: 'Bring cake', status: 'completed' })
    const { token } = ada
    const params = { id: made.id }
    expect((await call(app.url, meetings.get, { token, params })).body).toEqual(changed)
    expect((await call(app.url, meetings.remove, { token, params })).body).toEqual({ ok: true })
    expect((await call(app.url, meetings.remove, { token, params })).status).toBe(404)
    expect((await call(app.url, meetings.get, { token, params })).status).toBe(404)
    expect((await change(made.id, { notes: '' })).error.detail).toBe('This meeting does not exist.')
  })

  test('is in person and scheduled by default', async () => {
    const { title, start_time, end_time } = plain
    const { body } = await tryAdd({ title, start_time, end_time, location: 'Here' })
    expect(body).toMatchObject({ type: 'in-person', status: 'scheduled', location: 'Here' })
  })

  test('has a place only in person and a link only as a video call', async () => {
    const both = { location: 'Room 3', meeting_link: 'https://meet.google.com/abc-defg-hij' }
    expect(await add({ ...both, type: 'in-person' })).toMatchObject({ location: 'Room 3', meeting_link: '' })
    const video = await add({ ...both, type: 'video' })
    expect(video).toMatchObject({ location: '', meeting_link: both.meeting_link })
    expect(await add({ ...both, type: 'phone' })).toMatchObject({ location: '', meeting_link: '' })
    expect((await change(video.id, { type: 'phone' })).body).toMatchObject({ location: '', meeting_link: '' })
    expect((await change(video.id, { type: 'in-person' })).error).toMatchObject({
      detail: LOCATION_MISSING,
      fields: { location: LOCATION_MISSING },
    })
    expect((await change(video.id, { type: 'in-person', location: 'Room 4' })).body).toMatchObject({
      location: 'Room 4',
    })
  })

  test('keeps the short form of links', async () => {
    const video = await add({ type: 'video', meeting_link: 'https://zoom.us/j/1?pwd=2&utm_source=x' })
    expect(video.meeting_link).toBe('https://zoom.us/j/1?pwd=2')
    const place = await add({
      type: 'in-person',
      location: 'https://maps.google.com/?q=52.5,13.4&utm_source=x',
    })
    expect(place.location).toBe('https://www.google.com/maps/search/?api=1&query=52.5,13.4')
  })

  test('keeps the changes of two people to different fields', async () => {
    const made = await add()
    await Promise.all([
      change(made.id, { title: 'Big review' }),
      change(made.id, { attendees: ['bea@far.example'] }),
      change(made.id, { notes: 'Cake' }),
      change(made.id, { end_time: '2027-03-09T11:00:00Z' }),
    ])
    expect((await list()).body).toEqual([
      {
        ...made,
        title: 'Big review',
        attendees: ['bea@far.example'],
        notes: 'Cake',
        end_time: '2027-03-09T11:00:00.000Z',
      },
    ])
  })

  test('submitted twice by one click is created once', async () => {
    const twice = { token: ada.token, body: plain, headers: { 'Idempotency-Key': 'one click' } }
    await call(app.url, meetings.add, twice)
    await call(app.url, meetings.add, twice)
    expect(await titles()).toEqual(['Review'])
  })

  test('sets the status of contacts who attend it', async () => {
    const { token } = ada
    const soon = new Date(Date.now() + HOUR).toISOString()
    await call(app.url, contacts.add, { token, body: { name: 'Bea', email: 'bea@far.example' } })
    const made = await add({
      attendees: ['BEA@far.example'],
      start_time: new Date().toISOString(),
      end_time: soon,
    })
    const status = async () => (await call(app.url, contacts.list, { token })).body[0]?.computed_status
    expect(await status()).toBe('meeting_scheduled')
    await change(made.id, { status: 'cancelled' })
    expect(await status()).toBe('new')
  })
})

describe('a meeting is refused', () => {
  const many = Array.from({ length: 501 }, (_, at) => `p${at}@far.example`)
  test.each([
    ['without a title', { title: ' ' }, 'title', 'Please enter a title'],
    ['without a start', { start_time: '' }, 'start_time', 'Please choose a start time'],
    ['without an end', { end_time: undefined }, 'end_time', 'Please choose an end time'],
    ['that ends before it starts', { end_time: '2027-03-09T08:00:00Z' }, 'end_time', END_BEFORE_START],
    ['that takes no time', { end_time: START }, 'end_time', END_BEFORE_START],
    ['in person nowhere', { type: 'in-person', location: ' ' }, 'location', LOCATION_MISSING],
    ['on a screen without a link', { type: 'video' }, 'meeting_link', LINK_MISSING],
    ['with words for a link', { type: 'video', meeting_link: 'ask Bea' }, 'meeting_link', LINK_MALFORMED],
    [
      'with a script for a link',
      { type: 'video', meeting_link: 'javascript:alert(1)' },
      'meeting_link',
      LINK_MALFORMED,
    ],
    [
      'with a link to a file',
      { type: 'video', meeting_link: 'ftp://far.example/x' },
      'meeting_link',
      LINK_MALFORMED,
    ],
    [
      'on a day that does not exist',
      { start_time: '2027-02-30T09:00:00Z' },
      'start_time',
      'This is not a date and time',
    ],
    [
      'in a year of three digits',
      { start_time: '0202-03-09T09:00:00Z' },
      'start_time',
      'Please choose a year from 1970 to 2199',
    ],
    [
      'with half an address',
      { attendees: ['bea@far.example', 'Bea'] },
      'attendees',
      'Please enter valid email addresses: “Bea” is none',
    ],
    ['with a crowd', { attendees: many }, 'attendees', 'Please invite at most 500 attendees'],
    ['with endless notes', { notes: 'x'.repeat(20_001) }, 'notes', 'Please keep this under 20000 characters'],
    ['of no kind', { type: 'seance' }, 'type', 'This is not one of the choices'],
    ['in a zone that is not', { time_zone: 'Mars/Phobos' }, 'time_zone', 'This time zone is not known'],
    ['with an odd reminder', { reminder_minutes: 7 }, 'reminder_minutes', 'This is not one of the choices'],
  ])('%s', async (_name, wrong, field, sentence) => {
    const answer = await tryAdd({ ...plain, ...wrong })
    expect(answer.status).toBe(400)
    expect(answer.error.fields?.[field]).toBe(sentence)
    const made = await add()
    const isGone = Object.values(wrong).includes(undefined)
    if (!isGone) expect((await change(made.id, wrong)).error.fields?.[field]).toBe(sentence)
    expect((await list()).body).toEqual([made])
  })

  test('when its start is moved after its end', async () => {
    const { id } = await add()
    expect((await change(id, { start_time: '2027-03-09T12:00:00Z' })).error.detail).toBe(END_BEFORE_START)
  })

  test.each(['abc', '0', '-1', '1.5'])('by the id %s', async (id) => {
    const answer = await call(app.url, meetings.get, { token: ada.token, params: { id } })
    expect(answer.status).toBe(400)
    expect(answer.error.detail).toBe('Invalid meeting ID')
  })
})

describe('the list', () => {
  const at = (hours: number) => ({
    start_time: new Date(Date.now() + hours * HOUR).toISOString(),
    end_time: new Date(Date.now() + (hours + 0.5) * HOUR).toISOString(),
  })

  test('is sorted by start, searched and paged', async () => {
    await add({ title: 'Third', ...at(30) })
    await add({ title: 'First', ...at(1), description: 'About 100% bread' })
    await add({ title: 'Second', ...at(2), type: 'in-person', location: 'Bakery' })
    expect(await titles()).toEqual(['First', 'Second', 'Third'])
    expect(await titles({ search: 'SEC' })).toEqual(['Second'])
    expect(await titles({ search: 'bread' })).toEqual(['First'])
    expect(await titles({ search: 'baker' })).toEqual(['Second'])
    expect(await titles({ search: '0%' })).toEqual(['First'])
    expect(await titles({ search: '%' })).toEqual(['First'])
    const second = await list({ page: 2, page_size: 1 })
    expect(second.body.map(({ title }) => title)).toEqual(['Second'])
    expect(second.headers.get('X-Total-Count')).toBe('3')
    expect(second.headers.get('Link')).toContain('page=3')
  })

  test('is filtered by state, by attendee, by the span that a meeting overlaps', async () => {
    await add({ title: 'A', attendees: ['bea@far.example'] })
    await add({ title: 'B', status: 'cancelled', start_time: END, end_time: '2027-03-09T11:00:00Z' })
    expect(await titles({ status: 'cancelled' })).toEqual(['B'])
    expect(await titles({ attendee: 'Bea@Far.example' })).toEqual(['A'])
    expect(await titles({ attendee: 'nobody@far.example' })).toEqual([])
    expect(await titles({ from: '2027-03-09T09:30:00Z', to: '2027-03-09T09:40:00Z' })).toEqual(['A'])
    // A meeting that ends as the span begins does not overlap it.
    expect(await titles({ from: END, to: '2027-03-09T10:30:00Z' })).toEqual(['B'])
    expect(await titles({ from: '2027-03-10', to: '2027-03-11' })).toEqual([])
  })

  test('of upcoming meetings includes one that began five minutes ago', async () => {
    await add({ title: 'gone', ...at(-0.1) })
    await add({ title: 'just begun', ...at(-4 / 60) })
    await add({ title: 'to come', ...at(100) })
    expect(await titles({ filter: 'upcoming' })).toEqual(['just begun', 'to come'])
    expect(await titles({ filter: 'all' })).toEqual(['gone', 'just begun', 'to come'])
  })

  test('of a day and a week follows the time zone', async () => {
    const zone = 'Pacific/Kiritimati' // 14 hours ahead of UTC, no summer time
    const local = Date.now() + 14 * HOUR
    const midnight = local - (local % (24 * HOUR)) - 14 * HOUR
    const on = (day: number, hours: number) => ({
      start_time: new Date(midnight + (day * 24 + hours) * HOUR).toISOString(),
      end_time: new Date(midnight + (day * 24 + hours + 1) * HOUR).toISOString(),
    })
    await add({ title: 'last night', ...on(0, -0.01) })
    await add({ title: 'at midnight', ...on(0, 0) })
    await add({ title: 'late', ...on(0, 23.9) })
    await add({ title: 'tomorrow', ...on(1, 0) })
    const weekday = new Date(local).getUTCDay()
    await add({ title: 'last of the week', ...on(6 - weekday, 23.95) })
    await add({ title: 'next week', ...on(7 - weekday, 0.1) })
    await add({ title: 'first of the week', ...on(-weekday, 0.01) })
    const query = { time_zone: zone }
    expect(await titles({ ...query, filter: 'today' })).toEqual(
      expect.arrayContaining(['at midnight', 'late']),
    )
    expect(await titles({ ...query, filter: 'today' })).not.toContain('last night')
    expect(await titles({ ...query, filter: 'tomorrow' })).toContain('tomorrow')
    expect(await titles({ ...query, filter: 'tomorrow' })).not.toContain('late')
    const week = await titles({ ...query, filter: 'this_week' })
    expect(week).toEqual(expect.arrayContaining(['first of the week', 'at midnight', 'last of the week']))
    expect(week).not.toContain('next week')
    const wrong = await list({ filter: 'today', time_zone: 'Mars/Phobos' })
    expect(wrong.error.fields).toEqual({ time_zone: 'This time zone is not known' })
  })

  test('without a page size returns, of very many meetings, those around now', async () => {
    await runSql(
      app.context.db,
      `INSERT INTO meetings (user_id, title, start_time, end_time, created_at)
       SELECT $1, 'n' || n, $2::timestamptz + n * interval '1 day', $2::timestamptz + n * interval '1 day 1 hour', $2
       FROM generate_series(-1500, 100) n`,
      [ada.id, new Date()],
    )
    const { body, headers } = await list()
    expect(headers.get('X-Total-Count')).toBe('1601')
    expect(body.map(({ title }) => title)).toEqual(Array.from({ length: 1000 }, (_, at) => `n${at - 899}`))
    expect(await titles({ page_size: 2 })).toEqual(['n-1500', 'n-1499'])
  })
})

describe('the calendar file', () => {
  const file = async (id: number) => {
    const answer = await fetch(app.url + pathOf(meetings.calendar, { id }), {
      headers: { Authorization: `Bearer ${ada.token}` },
    })
    return { headers: answer.headers, text: await answer.text() }
  }

  test('is understood by calendar programs, and keeps its UID when the meeting changes', async () => {
    const title = 'Ärger; mit, Komma \\ und 🥐 '.repeat(5).trim()
    const made = await add({
      title,
      description: 'Two\nlines',
      notes: 'My own thoughts',
      type: 'video',
      meeting_link: 'https://zoom.us/j/1?pwd=2',
      attendees: ['bea@far.example'],
      reminder_minutes: 15,
    })
    const { headers, text } = await file(made.id)
    expect(headers.get('Content-Type')).toBe('text/calendar; charset=utf-8')
    expect(headers.get('Content-Disposition')).toMatch(/^attachment; filename="[a-z0-9-]+\.ics"$/)
    expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
    const [event] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
    const value = (name: string) => event?.getFirstPropertyValue(name)?.toString()
    expect(value('summary')).toBe(title)
    expect(value('dtstart')).toBe('2027-03-09T09:00:00Z')
    expect(value('dtend')).toBe('2027-03-09T10:00:00Z')
    expect(value('url')).toBe('https://zoom.us/j/1?pwd=2')
    expect(value('description')).toBe('Two\nlines\n\nhttps://zoom.us/j/1?pwd=2')
    expect(value('attendee')).toBe('mailto:bea@far.example')
    expect(value('status')).toBe('CONFIRMED')
    expect(value('dtstamp')).toBeDefined()
    expect(event?.getFirstSubcomponent('valarm')?.getFirstPropertyValue('trigger')?.toString()).toBe('-PT15M')
    expect(text).not.toContain('My own thoughts')

    await change(made.id, { status: 'cancelled' })
    const [later] = new ICAL.Component(ICAL.parse((await file(made.id)).text)).getAllSubcomponents('vevent')
    expect(later?.getFirstPropertyValue('uid')).toBe(value('uid'))
    expect(later?.getFirstPropertyValue('sequence')).toBe(1)
    expect(later?.getFirstPropertyValue('status')).toBe('CANCELLED')
  })
})
