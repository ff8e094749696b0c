import type { Page } from '@playwright/test'
import { pathOf } from '#contract/platform/endpoint.ts'
import { type Meeting, meetings } from '#contract/crm/meetings.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { toast } from '../../support/toast.ts'

test.use({ timezoneId: 'Europe/Berlin' })

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const form = (page: Page) => dialog(page, 'Schedule New Meeting')
const editForm = (page: Page) => dialog(page, 'Edit Meeting')
const grid = (page: Page) => page.getByRole('grid')
const cell = (page: Page, day: number) =>
  grid(page).locator(`[data-day="2027-03-${String(day).padStart(2, '0')}"]`)
const row = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })

/** Monday, March 8, 2027 at nine in Berlin. */
const REVIEW = {
  title: 'Review',
  start_time: '2027-03-08T08:00:00Z',
  end_time: '2027-03-08T09:00:00Z',
  type: 'phone',
}

async function add(page: Page, user: E2eUser, data: object = {}): Promise<Meeting> {
  const headers = { Authorization: `Bearer ${user.token}` }
  const answer = await page.request.post(pathOf(meetings.add), { headers, data: { ...REVIEW, ...data } })
  expect(answer.ok()).toBe(true)
  return (await answer.json()) as Meeting
}

async function listed(page: Page, user: E2eUser): Promise<Meeting[]> {
  const headers = { Authorization: `Bearer ${user.token}` }
  return (await (await page.request.get(pathOf(meetings.list), { headers })).json()) as Meeting[]
}

async function onPage(page: Page, query = '?month=2027-03'): Promise<E2eUser> {
  const user = await signedIn(page)
  await page.goto(`/meetings${query}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar & Meetings' })).toBeVisible()
  return user
}

const openForm = async (page: Page) => {
  await page.getByRole('button', { name: 'Schedule Meeting', exact: true }).click()
  await expect(form(page)).toBeVisible()
}
const submit = (page: Page) => form(page).getByRole('button', { name: 'Schedule Meeting' }).click()

test('a meeting is scheduled, seen in both views, changed and deleted', async ({ page }) => {
  const user = await onPage(page)
  await expect(page).toHaveTitle(/Calendar & Meetings/)
  await openForm(page)
  const making = form(page)
  await expect(making.getByLabel('Type')).toHaveValue('in-person')
  await expect(making.getByLabel('Status')).toHaveValue('scheduled')
  await making.getByLabel('Title').fill('Review')
  await making.getByLabel('Start time').fill('2027-03-08T09:00')
  await making.getByLabel('End time').fill('2027-03-08T10:30')
  await making.getByLabel('Location').fill('Room 3')
  await making.getByLabel('Attendees').fill('bea@far.example, , abe@far.example ,')
  await making.getByLabel('Description').fill('About bread')
  await making.getByLabel('Notes').fill('Bring cake')
  await making.getByLabel('Reminder').selectOption({ label: '15 minutes before' })
  await submit(page)
  await expect(toast(page, 'Meeting scheduled')).toBeVisible()
  await expect(making).toBeHidden()
  expect(await listed(page, user)).toMatchObject([
    {
      start_time: '2027-03-08T08:00:00.000Z',
      end_time: '2027-03-08T09:30:00.000Z',
      location: 'Room 3',
      attendees: ['abe@far.example', 'bea@far.example'],
      reminder_minutes: 15,
    },
  ])

  await expect(cell(page, 8)).toContainText('Review')
  await expect(cell(page, 8)).toContainText('09:00')

  await page.getByRole('radio', { name: 'List' }).click()
  const item = row(page, 'Review')
  for (const text of [
    'Scheduled',
    'About bread',
    'Mon, Mar 8, 2027',
    '09:00 – 10:30',
    'Room 3',
    '2 attendees',
    'Bring cake',
  ])
    await expect(item).toContainText(text)

  await item.getByRole('button', { name: 'Edit Review' }).click()
  const editing = editForm(page)
  await expect(editing.getByLabel('Start time')).toHaveValue('2027-03-08T09:00')
  await expect(editing.getByRole('button', { name: 'Save update' })).toBeHidden()
  await editing.getByLabel('Title').fill('Big review')
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await editing.getByRole('button', { name: 'Save update' }).click()
  const asking = dialog(page, 'Are you sure you want to save changes?')
  await asking.getByRole('button', { name: 'Save changes' }).click()
  expect((await sent).postDataJSON()).toEqual({ title: 'Big review' })
  await expect(toast(page, 'Meeting updated')).toBeVisible()
  await expect(editing).toBeHidden()

  await row(page, 'Big review').getByRole('button', { name: 'Delete Big review' }).click()
  const leaving = dialog(page, /^Delete .*Big review/)
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, 'Big review')).toBeVisible()
  await row(page, 'Big review').getByRole('button', { name: 'Delete Big review' }).click()
  await leaving.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(toast(page, 'Meeting deleted')).toBeVisible()
  await expect(page.getByText('No meetings yet')).toBeVisible()
})

test('the month shows 42 days from a Sunday on, and goes back and forth', async ({ page }) => {
  const user = await onPage(page)
  await expect(grid(page).getByRole('columnheader')).toHaveCount(7)
  await expect(grid(page).getByRole('columnheader').first()).toHaveText(/Sunday/)
  await expect(grid(page).getByRole('gridcell')).toHaveCount(42)
  await expect(grid(page).getByRole('gridcell').first()).toHaveText(/^28/)
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) await add(page, user, { title })
  await expect(cell(page, 8).getByRole('button', { name: '+3 more' })).toBeVisible()
  await cell(page, 8).getByRole('button', { name: '+3 more' }).click()
  const day = dialog(page, 'Monday, March 8, 2027')
  await expect(day.getByRole('listitem')).toHaveCount(5)
  await day.getByRole('button', { name: 'Delete Five' }).click()
  const leaving = dialog(page, /^Delete .*Five/)
  await leaving.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(leaving).toBeHidden()
  await expect(day.getByRole('listitem')).toHaveCount(4)
  await day.getByRole('button', { name: 'Edit Four' }).click()
  await expect(editForm(page).getByLabel('Title')).toHaveValue('Four')
  await editForm(page).getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Next month' }).click()
  await expect(page.getByRole('heading', { name: 'April 2027' })).toBeVisible()
  await page.getByRole('button', { name: 'Previous month' }).click()
  await page.getByRole('button', { name: 'Previous month' }).click()
  await expect(page.getByRole('heading', { name: 'February 2027' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'February 2027' })).toBeVisible()
  await page.getByRole('button', { name: 'Today' }).click()
  const today = new Intl.DateTimeFormat('en', { day: 'numeric', timeZone: 'Europe/Berlin' }).format(
    new Date(),
  )
  await expect(grid(page).locator('[aria-current=date]')).toHaveText(new RegExp(`^${today}`))
})

test('times are the user’s own, also where clocks change', async ({ page }) => {
  const user = await onPage(page)
  await openForm(page)
  const making = form(page)
  await making.getByLabel('Title').fill('Night shift')
  await making.getByLabel('Type').selectOption('phone')
  await making.getByLabel('Start time').fill('2027-03-28T02:30')
  await expect(making.getByText('Clocks go forward then: this will be 03:30')).toBeVisible()
  await making.getByLabel('End time').fill('2027-03-28T04:30')
  await submit(page)
  await expect(toast(page, 'Meeting scheduled')).toBeVisible()
  expect(await listed(page, user)).toMatchObject([
    { start_time: '2027-03-28T01:30:00.000Z', end_time: '2027-03-28T02:30:00.000Z' },
  ])
  await expect(cell(page, 28)).toContainText('03:30')
  await page.evaluate(() => localStorage.setItem('app.timeZone', 'America/New_York'))
  await page.reload()
  await expect(cell(page, 27)).toContainText('21:30')
})

test('links lead to a meeting, and to a new one with somebody', async ({ page }) => {
  const user = await signedIn(page)
  await page.goto('/meetings?attendee=bea%40far.example')
  await expect(form(page).getByLabel('Attendees')).toHaveValue('bea@far.example')
  await form(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/meetings$/)
  const { id } = await add(page, user)
  await page.goto(`/meetings?open=${id}`)
  await expect(editForm(page).getByLabel('Title')).toHaveValue('Review')
  await page.goto('/meetings?new=1')
  await expect(form(page)).toBeVisible()
  await page.goto('/meetings?open=999999')
  await expect(toast(page, 'This meeting does not exist.')).toBeVisible()
})

test('the list is searched and filtered, and gives calendar files', async ({ page }) => {
  const user = await onPage(page, '?view=list')
  const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  await add(page, user, { title: 'Later', start_time: soon(90), end_time: soon(120) })
  await add(page, user, {
    title: 'Long ago',
    start_time: '2020-01-01T09:00:00Z',
    end_time: '2020-01-01T10:00:00Z',
  })
  await expect(page.getByRole('list', { name: 'Upcoming' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Past' }).getByRole('listitem')).toHaveCount(1)
  await page.getByLabel('Filter meetings').selectOption({ label: 'Upcoming' })
  await expect(row(page, 'Long ago')).toBeHidden()
  await page.getByLabel('Search meetings').fill('nothing like it')
  await expect(page.getByText('No meetings found')).toBeVisible()
  await page.getByLabel('Search meetings').fill('LATE')
  const saved = page.waitForEvent('download')
  await row(page, 'Later').getByRole('button', { name: 'Add Later to another calendar' }).click()
  expect((await saved).suggestedFilename()).toBe('Later.ics')
})

test('what is planned elsewhere appears by itself', async ({ page }) => {
  const user = await onPage(page)
  await expect(grid(page)).toHaveAttribute('aria-busy', 'false')
  await add(page, user)
  await expect(cell(page, 8)).toContainText('Review')
})

/** The system's own notifications, which no test sees: what the page shows is noted. */
const noteNotifications = () => {
  const shown: string[] = []
  class Noted extends EventTarget {
    static permission = localStorage.getItem('leave') ?? 'default'
    static async requestPermission() {
      localStorage.setItem('leave', 'granted')
      Noted.permission = 'granted'
      return 'granted'
    }
    constructor(title: string, { body = '' } = {}) {
      super()
      shown.push(`${title}: ${body}`)
    }
  }
  Object.assign(window, { Notification: Noted, shown })
}

test('a reminder is chosen, and told by this browser once it may', async ({ page }) => {
  await page.addInitScript(noteNotifications)
  const user = await onPage(page)
  const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const due = { reminder_minutes: 15, start_time: soon(10), end_time: soon(20) }
  const { id } = await add(page, user, { ...due, title: 'Soon' })
  await add(page, user, { ...due, title: 'Not yet', reminder_minutes: 5 })
  await add(page, user, { ...due, title: 'Not wanted', reminder_minutes: null })
  const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown)
  await page.goto(`/meetings?open=${id}`)
  await expect(editForm(page).getByLabel('Reminder')).toHaveValue('15')
  await expect(editForm(page)).toContainText('No email account is connected, so nothing can be sent.')
  expect(await shown()).toEqual([])
  await editForm(page).getByRole('button', { name: 'Notify me in this browser too' }).click()
  await expect(editForm(page).getByRole('button', { name: 'Stop notifications here' })).toBeVisible()
  await expect.poll(shown).toEqual([expect.stringMatching(/^Soon: Starts at \d\d:\d\d$/)])
  // What has been told is not told again.
  const asked = page.waitForResponse((answer) => answer.url().includes('filter=upcoming'))
  await page.goto(`/meetings?open=${id}`)
  await asked
  await expect(editForm(page)).toBeVisible()
  expect(await shown()).toEqual([])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('the days carry dots, and the chosen day’s meetings stand below', async ({ page }) => {
    const user = await onPage(page)
    await add(page, user)
    await expect(cell(page, 8)).toHaveText(/^8, 1 meeting/)
    await cell(page, 8).click()
    const agenda = page.getByRole('region', { name: 'Monday, March 8, 2027' })
    await expect(agenda).toContainText('09:00 – 10:00')
    await agenda.getByRole('button', { name: 'Edit Review' }).click()
    await expect(editForm(page)).toBeVisible()
    await editForm(page).getByRole('button', { name: 'Cancel' }).click()
    await agenda.getByRole('button', { name: 'Schedule a meeting on this day' }).click()
    await expect(form(page).getByLabel('Start time')).toHaveValue('2027-03-08T09:00')
    await form(page).getByRole('button', { name: 'Cancel' }).click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })
})

test('nothing stands in anybody’s way: calendar, a month that is over, list and form', async ({ page }) => {
  const user = await onPage(page)
  for (const status of ['scheduled', 'cancelled', 'completed'])
    await add(page, user, { title: status, status, notes: 'n', description: 'd' })
  await expect(cell(page, 8)).toContainText('completed')
  await expectSound(page)
  await openForm(page)
  await submit(page)
  await expect(form(page).getByText('Please enter a title')).toBeVisible()
  await expectSound(page)
  await page.goto('/meetings?view=list')
  await expect(row(page, 'completed')).toBeVisible()
  await expectSound(page)
  await add(page, user, { start_time: '2020-01-08T08:00:00Z', end_time: '2020-01-08T09:00:00Z' })
  await page.goto('/meetings?month=2020-01')
  await expect(grid(page).getByText('Review')).toBeVisible()
  await expectSound(page)
})
