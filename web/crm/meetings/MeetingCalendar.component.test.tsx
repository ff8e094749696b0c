import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { contacts } from '#contract/crm/contacts.ts'
import { type Meeting, meeting, meetings } from '#contract/crm/meetings.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { blank } from '../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const MARCH = '/meetings?month=2027-03'
/** Monday, March 8, 2027 at nine in Berlin. */
const REVIEW: Meeting = blank(meeting, {
  id: 5,
  title: 'Review',
  start_time: '2027-03-08T08:00:00Z',
  end_time: '2027-03-08T09:00:00Z',
  type: 'phone',
  status: 'scheduled',
})
const FIVE = ['One', 'Two', 'Three', 'Four', 'Five'].map((title, at) => ({ ...REVIEW, id: at + 1, title }))

const form = page.getByRole('dialog', { name: 'Schedule New Meeting' })
const editForm = page.getByRole('dialog', { name: 'Edit Meeting' })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const heading = (name: string) => page.getByRole('heading', { name })
const shown = (date: string) => document.querySelector(`[data-day="${date}"]`)?.textContent ?? ''
const row = (title: string) => page.getByRole('listitem').filter({ has: heading(title) })

const apiWith = (...rows: Meeting[]): FakeApi =>
  fakeApi().answers(meetings.list, rows).answers(mailboxes.get).answers(contacts.list)

test('the month shows 42 days from a Sunday on, and goes back and forth', async () => {
  apiWith()
  openPage(MARCH)
  const grid = page.getByRole('grid')
  await expect.element(grid.getByRole('columnheader')).toHaveLength(7)
  await expect.element(grid.getByRole('columnheader').first()).toMatchTextContent('Sunday')
  await expect.element(grid.getByRole('gridcell')).toHaveLength(42)
  await expect.element(grid.getByRole('gridcell').first()).toMatchTextContent(/^28/)
  await button('Next month').click()
  await expect.element(heading('April 2027')).toBeVisible()
  await button('Previous month').click()
  await button('Previous month').click()
  await expect.element(heading('February 2027')).toBeVisible()
  expect(location.search).toBe('?month=2027-02')
  await button('Today').click()
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(new Date())
  await expect.poll(() => document.querySelector('[aria-current=date]')?.getAttribute('data-day')).toBe(today)
})

test('a full day opens, and its meetings are edited and deleted there', async () => {
  const api = apiWith(...FIVE).answers(meetings.remove, { ok: true })
  openPage(MARCH)
  await button('+3 more').click()
  const day = page.getByRole('dialog', { name: 'Monday, March 8, 2027' })
  await expect.element(day.getByRole('listitem')).toHaveLength(5)
  await day.getByRole('button', { name: 'Delete Five' }).click()
  const leaving = page.getByRole('dialog', { name: /^Delete .*Five/ })
  api.answers(meetings.list, FIVE.slice(0, 4))
  await leaving.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.element(leaving).not.toBeInTheDocument()
  await expect.element(day.getByRole('listitem')).toHaveLength(4)
  await day.getByRole('button', { name: 'Edit Four' }).click()
  await expect.element(editForm.getByLabelText('Title')).toHaveValue('Four')
})

test('times are the user’s own, also where clocks change', async () => {
  const api = apiWith().answers(meetings.add, REVIEW)
  openPage(MARCH)
  await button('Schedule Meeting').click()
  await form.getByLabelText('Title').fill('Night shift')
  await form.getByLabelText('Type').selectOptions('phone')
  await form.getByLabelText('Start time').fill('2027-03-28T02:30')
  await expect.element(form.getByText('Clocks go forward then: this will be 03:30')).toBeVisible()
  await form.getByLabelText('End time').fill('2027-03-28T04:30')
  const night = { start_time: '2027-03-28T01:30:00Z', end_time: '2027-03-28T02:30:00Z' }
  api.answers(meetings.list, [{ ...REVIEW, title: 'Night shift', ...night }])
  await form.getByRole('button', { name: 'Schedule Meeting' }).click()
  await expect.element(toast('Meeting scheduled')).toBeVisible()
  const times = api.calls(meetings.add).map(({ body }) => [body?.start_time, body?.end_time])
  expect(times.flat().map((time) => new Date(time ?? '').toISOString())).toEqual([
    '2027-03-28T01:30:00.000Z',
    '2027-03-28T02:30:00.000Z',
  ])
  await expect.poll(() => shown('2027-03-28')).toContain('03:30')
})

test('a user in another time zone sees another hour, and another day', async () => {
  localStorage.setItem('app.timeZone', 'America/New_York')
  apiWith({ ...REVIEW, start_time: '2027-03-28T01:30:00Z', end_time: '2027-03-28T02:30:00Z' })
  openPage(MARCH)
  await expect.poll(() => shown('2027-03-27')).toContain('21:30')
})

test.each([
  ['?attendee=bea%40far.example', () => form.getByLabelText('Attendees'), 'bea@far.example'],
  ['?open=5', () => editForm.getByLabelText('Title'), 'Review'],
  ['?new=1', () => form.getByLabelText('Attendees'), ''],
])('the link %s opens a form, and is not repeated by a reload', async (query, field, value) => {
  apiWith(REVIEW).answers(meetings.get, REVIEW)
  openPage(`/meetings${query}`)
  await expect.element(field()).toHaveValue(value)
  expect(location.search).toBe('')
})

test('a link to a meeting that is gone says so', async () => {
  apiWith().refuses(meetings.get, 404, 'This meeting does not exist.', { code: 'NOT_FOUND' })
  openPage('/meetings?open=999999')
  await expect.element(toast('This meeting does not exist.')).toBeVisible()
})

test('the list is searched and filtered, and says when nothing is found', async () => {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const later = { ...REVIEW, id: 1, title: 'Later', start_time: at(90), end_time: at(120) }
  const ago = {
    ...REVIEW,
    id: 2,
    title: 'Long ago',
    start_time: '2020-01-01T09:00:00Z',
    end_time: '2020-01-01T10:00:00Z',
  }
  const api = fakeApi()
    .answers(mailboxes.get)
    .answers(meetings.list, ({ query }) => {
      if (query.search === 'nothing like it') return []
      return query.filter === 'upcoming' || query.search === 'LATE' ? [later] : [later, ago]
    })
  openPage('/meetings?view=list')
  await expect.element(page.getByRole('list', { name: 'Upcoming' }).getByRole('listitem')).toHaveLength(1)
  await expect.element(page.getByRole('list', { name: 'Past' }).getByRole('listitem')).toHaveLength(1)
  await expect.element(row('Long ago')).toBeVisible()
  await expectSound()
  await page.getByLabelText('Filter meetings').selectOptions('Upcoming')
  await expect.element(row('Long ago')).not.toBeInTheDocument()
  await page.getByLabelText('Search meetings').fill('nothing like it')
  await expect.element(page.getByText('No meetings found')).toBeVisible()
  await page.getByLabelText('Search meetings').fill('LATE')
  await expect.element(row('Later')).toBeVisible()
  expect(api.calls(meetings.list).at(-1)?.query).toMatchObject({ search: 'LATE', filter: 'upcoming' })
})

test('what is planned elsewhere appears by itself', async () => {
  const api = apiWith()
  openPage(MARCH)
  await expect.element(page.getByRole('grid')).toHaveAttribute('aria-busy', 'false')
  api.answers(meetings.list, [REVIEW])
  api.tells({ topic: 'meetings' })
  await expect.poll(() => shown('2027-03-08')).toContain('Review')
})

/** Puts a class in place of the system's own notifications, which no test sees. Returns what was shown. */
function noteNotifications(): string[] {
  const notified: string[] = []
  const before = window.Notification
  class Noted extends EventTarget {
    static permission = 'default'
    static requestPermission() {
      Noted.permission = 'granted'
      return Promise.resolve('granted')
    }
    constructor(title: string, { body = '' } = {}) {
      super()
      notified.push(`${title}: ${body}`)
    }
  }
  Object.assign(window, { Notification: Noted })
  onTestFinished(() => void Object.assign(window, { Notification: before }))
  return notified
}

test('a reminder is chosen, and told by this browser once it may', async () => {
  const notified = noteNotifications()
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const due = { ...REVIEW, start_time: at(10), end_time: at(20) }
  const soon = { ...due, id: 1, title: 'Soon', reminder_minutes: 15 }
  const api = apiWith(
    soon,
    { ...due, id: 2, title: 'Not yet', reminder_minutes: 5 },
    { ...due, id: 3, title: 'Not wanted', reminder_minutes: null },
  ).answers(meetings.get, soon)
  openPage('/meetings?open=1')
  await expect.element(editForm.getByLabelText('Reminder')).toHaveValue('15')
  await expect.element(editForm).toMatchTextContent('No email account is connected, so nothing can be sent.')
  expect(notified).toEqual([])
  await editForm.getByRole('button', { name: 'Notify me in this browser too' }).click()
  await expect.element(editForm.getByRole('button', { name: 'Stop notifications here' })).toBeVisible()
  await expect.poll(() => notified).toEqual([expect.stringMatching(/^Soon: Starts at \d\d:\d\d$/)])
  // What has been told is not told again.
  await editForm.getByRole('button', { name: 'Stop notifications here' }).click()
  const before = api.calls(meetings.list).length
  await editForm.getByRole('button', { name: 'Notify me in this browser too' }).click()
  await expect.poll(() => api.calls(meetings.list).length).toBeGreaterThan(before)
  await expect.element(editForm.getByRole('button', { name: 'Stop notifications here' })).toBeVisible()
  expect(notified).toHaveLength(1)
  await editForm.getByRole('button', { name: 'Stop notifications here' }).click()
})

test('on a phone the days carry dots, and the chosen day’s meetings stand below', async () => {
  onTestFinished(() => page.viewport(1440, 900))
  await page.viewport(360, 740)
  apiWith(REVIEW)
  openPage(MARCH)
  await expect.poll(() => shown('2027-03-08')).toMatch(/^8, 1 meeting/)
  document.querySelector<HTMLElement>('[data-day="2027-03-08"]')?.click()
  const agenda = page.getByRole('region', { name: 'Monday, March 8, 2027' })
  await expect.element(agenda).toMatchTextContent('09:00 – 10:00')
  await agenda.getByRole('button', { name: 'Edit Review' }).click()
  await expect.element(editForm).toBeVisible()
  await editForm.getByRole('button', { name: 'Cancel' }).click()
  await agenda.getByRole('button', { name: 'Schedule a meeting on this day' }).click()
  await expect.element(form.getByLabelText('Start time')).toHaveValue('2027-03-08T09:00')
  await form.getByRole('button', { name: 'Cancel' }).click()
  expect(document.documentElement.scrollWidth).toBe(360)
})

test('the calendar with each kind of meeting, and the form with its faults, are sound', async () => {
  const states = ['scheduled', 'cancelled', 'completed'] as const
  apiWith(...states.map((status, at) => ({ ...REVIEW, id: at + 1, title: status, status })))
  openPage(MARCH)
  await expect.poll(() => shown('2027-03-08')).toContain('scheduled')
  await expectSound()
  await button('Schedule Meeting').click()
  await form.getByRole('button', { name: 'Schedule Meeting' }).click()
  await expect.element(form.getByText('Please enter a title')).toBeVisible()
  await expectSound()
})

test('a month that is over is sound', async () => {
  apiWith({ ...REVIEW, start_time: '2020-01-08T08:00:00Z', end_time: '2020-01-08T09:00:00Z' })
  openPage('/meetings?month=2020-01')
  await expect.poll(() => shown('2020-01-08')).toContain('Review')
  await expectSound()
})
