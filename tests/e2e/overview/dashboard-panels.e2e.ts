import type { Locator, Page } from '@playwright/test'
import { pathOf } from '#contract/platform/endpoint.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { todos } from '#contract/crm/todos.ts'
import { makeBusy, zoneByDay } from '../../support/busy-day.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const bearer = (user: E2eUser) => ({ Authorization: `Bearer ${user.token}` })
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const reminders = (page: Page) => panel(page, 'Meeting Reminders')
const rows = (within: Locator) => within.getByRole('listitem')

async function onDashboard(page: Page): Promise<E2eUser> {
  const user = await signedIn(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard', exact: true })).toBeVisible()
  return user
}

async function meet(
  page: Page,
  user: E2eUser,
  title: string,
  inMs: number,
  more: object = {},
): Promise<void> {
  const start = Date.now() + inMs
  const data = {
    title,
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + HOUR).toISOString(),
    type: 'phone',
    ...more,
  }
  const answer = await page.request.post(pathOf(meetings.add), { headers: bearer(user), data })
  expect(answer.ok(), await answer.text()).toBe(true)
}

async function add(page: Page, user: E2eUser, call: { path: string }, data: object): Promise<void> {
  const answer = await page.request.post(`/api/v1${call.path}`, { headers: bearer(user), data })
  expect(answer.ok(), await answer.text()).toBe(true)
}

const clockTime = (inMs: number) =>
  new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/Berlin' }).format(
    Date.now() + inMs,
  )

test.describe('Meeting Reminders', () => {
  test('lists what is to come by its start, with place or type, and comes by itself', async ({ page }) => {
    const user = await onDashboard(page)
    await expect(reminders(page)).toContainText('No upcoming meetings.')
    await expect(reminders(page).getByLabel('Search meetings')).toHaveAttribute(
      'placeholder',
      'Search meetings...',
    )
    await expect(reminders(page).getByLabel('Filter meetings').getByRole('option')).toHaveText([
      'All Meetings',
      'Upcoming',
      'Today',
      'Tomorrow',
      'This Week',
    ])
    await meet(page, user, 'Contract', 3 * DAY)
    const hour = clockTime(20 * MINUTE).slice(0, 2)
    await meet(page, user, 'Tasting', 20 * MINUTE, { type: 'in-person', location: 'Main Street 1' })
    await meet(page, user, 'Late call', -3 * MINUTE)
    await meet(page, user, 'Over', -2 * HOUR)
    await expect(rows(reminders(page))).toHaveText([/Late call/, /Tasting/, /Contract/])
    const tasting = rows(reminders(page)).filter({ hasText: 'Tasting' })
    await expect(tasting).toContainText(hour)
    await expect(tasting).toContainText('Main Street 1')
    await expect(tasting).toContainText(/In (19|20) min/)
    await expect(rows(reminders(page)).first()).toContainText('Phone')
    await expect(rows(reminders(page)).first()).toContainText(/Started [23] min ago/)
    await expect(tasting.getByRole('link')).toHaveAttribute('href', /\/meetings\?open=\d+$/)
  })

  test('is searched and filtered', async ({ page }) => {
    const user = await onDashboard(page)
    await meet(page, user, 'Contract', 40 * DAY)
    await meet(page, user, 'Over', -3 * DAY)
    await meet(page, user, 'Tasting', 5 * DAY)
    await reminders(page).getByLabel('Filter meetings').selectOption('All Meetings')
    await expect(rows(reminders(page))).toHaveText([/Over/, /Tasting/, /Contract/])
    await reminders(page).getByLabel('Filter meetings').selectOption('Today')
    await expect(reminders(page)).toContainText('No upcoming meetings.')
    await meet(page, user, 'Right now', 0)
    await expect(rows(reminders(page))).toHaveText([/Right now/])
    await reminders(page).getByLabel('Filter meetings').selectOption('Upcoming')
    await reminders(page).getByLabel('Search meetings').fill('tast')
    await expect(rows(reminders(page))).toHaveText([/Tasting/])
    await reminders(page).getByLabel('Search meetings').fill('nothing like it')
    await expect(reminders(page)).toContainText('No upcoming meetings.')
    await expect(reminders(page)).toContainText('Nothing matches this search and filter.')
  })

  test('lets go of what began more than five minutes ago, without being asked', async ({ page }) => {
    const user = await signedIn(page)
    await meet(page, user, 'Late call', -3 * MINUTE)
    await page.clock.install()
    await page.goto('/dashboard')
    await expect(rows(reminders(page))).toHaveText([/Late call/])
    // The server would say the same a little later; here only the page's own clock goes on.
    await page.route('**/api/v1/meetings/?*', (route) => route.abort())
    await page.clock.runFor(150_000)
    await expect(reminders(page)).not.toContainText('Late call')
  })
})

test('panels of a new user are short; those with rows keep their height while they are searched', async ({
  page,
  howl,
}) => {
  const user = await signedIn(page)
  await page.goto('/dashboard')
  const heights = () =>
    Promise.all(
      ['My Tasks', 'Meeting Reminders', 'Recent Contacts', 'Recent Emails'].map(
        async (name) => (await panel(page, name).boundingBox())?.height ?? 0,
      ),
    )
  await expect(panel(page, 'Recent Emails')).toContainText('No emails found')
  await expect(reminders(page)).toContainText('No upcoming meetings.')
  await expect(panel(page, 'My Tasks')).toContainText('No tasks found')
  await expect(panel(page, 'Recent Contacts')).toContainText('No contacts found')
  const empty = await heights()
  await makeBusy(howl, user.id)
  await page.reload()
  for (const name of ['My Tasks', 'Meeting Reminders', 'Recent Contacts', 'Recent Emails'])
    await expect(rows(panel(page, name)).nth(7)).toBeAttached()
  const filled = await heights()
  for (const [index, height] of filled.entries()) expect(height).toBeGreaterThan((empty[index] ?? 0) + 100)
  await panel(page, 'Recent Emails').getByRole('searchbox').fill('zzzz')
  await expect(panel(page, 'Recent Emails')).toContainText('Nothing matches')
  expect(await heights()).toEqual(filled)
})

test.describe('what waits today', () => {
  test.use({ timezoneId: zoneByDay() })

  test('is named with the way to it, and nothing is said where nothing waits', async ({ page }) => {
    const user = await onDashboard(page)
    await expect(panel(page, 'Meeting Reminders')).toContainText('No upcoming meetings.')
    await expect(panel(page, 'Today')).toBeHidden()
    await add(page, user, todos.add, { title: 'Call Bea', due_date: '2020-01-01' })
    await add(page, user, todos.add, { title: 'Some day' })
    await expect(panel(page, 'Today')).toContainText('1 overdue task')
    await panel(page, 'Today').getByRole('button', { name: '1 overdue task' }).click()
    const tasks = panel(page, 'My Tasks')
    await expect(tasks.getByLabel('Sort tasks')).toHaveValue('due_date')
    await expect(tasks.getByLabel('Filter by status')).toHaveValue('pending')
    await expect(rows(tasks).first()).toContainText('Call Bea')
    await expect(tasks).toBeInViewport()
    await tasks.getByRole('checkbox', { name: 'Mark complete: Call Bea' }).click()
    await expect(panel(page, 'Today')).toBeHidden()
  })

  test('leads a busy user to replies and meetings', async ({ page, howl }) => {
    const user = await signedIn(page)
    await makeBusy(howl, user.id)
    await page.goto('/dashboard')
    const today = panel(page, 'Today')
    await expect(today.getByRole('link', { name: /meetings? to come/ })).toHaveAttribute('href', '/meetings')
    await today.getByRole('link', { name: '12 unread replies' }).click()
    await expect(page).toHaveURL(/\/emails\?folder=inbox&filter=unread/)
  })
})

test.describe('the activity', () => {
  const chart = (page: Page) => panel(page, 'Activity')

  test('is drawn, is read by key and as a table, and grows by itself', async ({ page, howl }) => {
    const user = await signedIn(page)
    await makeBusy(howl, user.id)
    await page.goto('/dashboard')
    await expect(chart(page).getByRole('img', { name: /^Emails sent: [\d,]+ in 30 days/ })).toBeVisible()
    await expect(chart(page).getByRole('img', { name: /^Replies: [\d,]+ in 30 days/ })).toBeVisible()
    await expect(chart(page).getByRole('img', { name: /^Meetings: \d+ in 30 days/ })).toBeVisible()
    await chart(page).getByRole('radio', { name: '7 days' }).check()
    await expect(chart(page).getByRole('img', { name: /^Emails sent: [\d,]+ in 7 days/ })).toBeVisible()

    const day = chart(page).getByRole('slider', { name: 'Day' })
    await day.focus()
    await page.keyboard.press('End')
    const words = (inMs: number) =>
      new Intl.DateTimeFormat('en-US', {
        weekday: 'short',
        month: 'short',
        day: 'numeric',
        timeZone: 'Europe/Berlin',
      }).format(Date.now() + inMs)
    await expect(chart(page)).toContainText(new RegExp(`${words(0)}: [\\d,]+ sent`))
    await page.keyboard.press('Home')
    await expect(day).toHaveAttribute('aria-valuetext', new RegExp(`^${words(-6 * DAY)}: `))

    await chart(page).getByRole('button', { name: 'Show as table' }).click()
    const table = chart(page).getByRole('table')
    await expect(table.getByRole('row')).toHaveCount(8)
    await expect(table.getByRole('columnheader')).toHaveText(['Day', 'Emails sent', 'Replies', 'Meetings'])
    const before = Number(await table.getByRole('row').nth(1).getByRole('cell').nth(2).textContent())
    await meet(page, user, 'One more', -MINUTE)
    await expect(table.getByRole('row').nth(1).getByRole('cell').nth(2)).toHaveText(String(before + 1))
    await chart(page).getByRole('button', { name: 'Show as chart' }).click()
    await expect(day).toBeVisible()
  })
})

test('a busy day can be read by everybody', async ({ page, howl }) => {
  const user = await signedIn(page)
  await makeBusy(howl, user.id)
  await page.goto('/dashboard')
  await expect(panel(page, 'Today')).toBeVisible()
  await expect(panel(page, 'Activity').getByRole('slider')).toBeAttached()
  await expectSound(page)
  await panel(page, 'Activity').getByRole('button', { name: 'Show as table' }).click()
  await expectSound(page)
})
