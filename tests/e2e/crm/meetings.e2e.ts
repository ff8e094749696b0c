import type { Page } from '@playwright/test'
import { meetings } from '#contract/crm/meetings.ts'
import { ask, type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
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

const listed = (page: Page, user: E2eUser) => ask(page, user, meetings.list)

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

  const saved = page.waitForEvent('download')
  await item.getByRole('button', { name: 'Add Review to another calendar' }).click()
  expect((await saved).suggestedFilename()).toBe('Review.ics')

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
