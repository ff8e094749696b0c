import type { Page } from '@playwright/test'
import { Client } from 'pg'
import { activities } from '#contract/accounts/activities.ts'
import { auth } from '#contract/accounts/auth.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { profile } from '#contract/accounts/profile.ts'
import { expect, type Howl, newUser, signedInAdministrator, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'

const PANEL = '/wolf-admin-secure-2024?tab=management&section=activities'

const rows = (page: Page) => page.getByRole('table', { name: 'Activities' }).getByRole('row')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const risk = (page: Page, text: string) => row(page, text).getByText(/^Risk \d+$/)

async function sql({ databaseUrl }: Howl, text: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('SET session_replication_role = replica')
    await client.query(text, values)
  } finally {
    await client.end()
  }
}

async function badLogIns(page: Page, email: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++)
    await page.request.post(pathOf(auth.login), { data: { email, password: 'not it' } })
}

test('an administrator reads who did what, filters and searches it', async ({ page, howl }) => {
  await signedInAdministrator(page, howl)
  const user = await newUser(page)
  await badLogIns(page, user.email, 2)
  await page.goto(PANEL)
  await expect(page.getByRole('tab', { name: 'User Activities' })).toHaveAttribute('aria-selected', 'true')
  await expect(row(page, user.email)).toHaveCount(3)
  await expect(row(page, user.email).first()).toContainText('127.0.0.1')

  await page.getByLabel('Search').fill(user.email)
  await expect(rows(page)).toHaveCount(4)
  await page.getByLabel('Activity').selectOption({ label: 'Account opened' })
  await expect(rows(page)).toHaveCount(2)
  await expect(risk(page, 'Account opened')).toHaveText('Risk 0')
  await page.getByLabel('Activity').selectOption({ label: 'Failed log-in' })
  await expect(rows(page)).toHaveCount(3)
  // What is looked at stands in the address.
  await page.reload()
  await expect(rows(page)).toHaveCount(3)
  // Failed log-ins of other tests from the same address raise the risk of the next one, and never that of a new account.
  await page.getByLabel('Activity').selectOption({ label: 'Account opened' })
  await expect(rows(page)).toHaveCount(2)
  await page.getByLabel('Risk').selectOption({ label: '80 and more' })
  await expect(page.getByText('No activities found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await expect(row(page, 'Account opened').first()).toBeVisible()

  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2020-01-02')
  await expect(page.getByText('No activities found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  // A press on an address shows that user only.
  await row(page, user.email).first().getByRole('button', { name: user.email }).click()
  await expect(page.getByLabel('Search')).toHaveValue(user.email)
  await expect(rows(page)).toHaveCount(4)
})

test('the colours of risks: red, yellow, orange, else green', async ({ page, howl }) => {
  await signedInAdministrator(page, howl)
  const scores = [80, 79, 50, 49, 20, 19]
  const listed = scores.map((score, n) => ({
    id: n + 1,
    user_id: null,
    user_email: null,
    activity_type: 'log_in',
    description: `Of ${score}`,
    risk_score: score,
    ip_address: null,
    created_at: '2026-11-23T12:00:00.000Z',
  }))
  await page.route(`**${pathOf(activities.list)}?*`, (route) =>
    route.fulfill({ json: { activities: listed, has_more: false } }),
  )
  await page.goto(PANEL)
  await expect(rows(page)).toHaveCount(scores.length + 1)
  const colours = await Promise.all(
    scores.map(async (score) => (await risk(page, `Of ${score}`).getAttribute('class')) ?? ''),
  )
  const named = colours.map((classes) => /text-(danger|amber|orange|green)/.exec(classes)?.[1])
  expect(named).toEqual(['danger', 'amber', 'amber', 'orange', 'orange', 'green'])
})

test('a check says that nothing was changed, and names what was', async ({ page, howl }) => {
  await signedInAdministrator(page, howl)
  await page.goto(PANEL)
  await page.getByRole('button', { name: 'Check the log' }).click()
  await expect(
    page.getByText(/\d+ activities checked: nothing was changed, removed or inserted\./),
  ).toBeVisible()
  await sql(howl, 'UPDATE activities SET risk_score = 99 WHERE id = (SELECT min(id) FROM activities)')
  await page.getByRole('button', { name: 'Check the log' }).click()
  await expect(page.getByText('Somebody has changed the activity log.')).toBeVisible()
  await expect(page.getByText(/Activity \d+ was changed/)).toBeVisible()
  await sql(howl, 'UPDATE activities SET risk_score = 0 WHERE id = (SELECT min(id) FROM activities)')
})

test('says that the list cannot be loaded, and tries again', async ({ page, howl }) => {
  await signedInAdministrator(page, howl)
  const address = `**${pathOf(activities.list)}?*`
  await page.route(address, (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto(PANEL)
  await expect(page.getByText('Failed to load activities')).toBeVisible()
  await page.unroute(address)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(row(page, 'Account opened').first()).toBeVisible()
})

test('pages of fifty, kept in the address', async ({ page, howl }) => {
  await signedInAdministrator(page, howl)
  const user = await newUser(page)
  const headers = { Authorization: `Bearer ${user.token}` }
  for (let n = 0; n < 59; n++)
    await page.request.put(pathOf(profile.update), { headers, data: { phone: `${n}` } })
  await page.goto(`${PANEL}&search=${encodeURIComponent(user.email)}`)
  await expect(rows(page)).toHaveCount(51)
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Page 2')).toBeVisible()
  await expect(page).toHaveURL(/page=2/)
  await expect(rows(page)).toHaveCount(11)
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
})

test('everything fits, and axe finds nothing', async ({ page, howl }) => {
  await signedInAdministrator(page, howl)
  const user = await newUser(page)
  await badLogIns(page, user.email, 8)
  await page.goto(PANEL)
  await expect(page.getByText('Failed log-in').nth(1)).toBeVisible()
  await page.getByRole('button', { name: 'Check the log' }).click()
  await expect(page.getByText(/activities checked/)).toBeVisible()
  await expectSound(page)
})
