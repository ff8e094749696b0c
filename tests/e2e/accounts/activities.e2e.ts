import type { Page } from '@playwright/test'
import { auth } from '#contract/accounts/auth.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { expect, type Howl, newUser, signedInAdministrator, test } from '../../support/e2e.ts'
import { withClient } from '../../support/sql.ts'

const PANEL = '/wolf-admin-secure-2024?tab=management&section=activities'

const rows = (page: Page) => page.getByRole('table', { name: 'Activities' }).getByRole('row')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })

/** Changes rows that the database itself keeps from being changed. */
const tamper = ({ databaseUrl }: Howl, text: string) =>
  withClient(databaseUrl, (client) => client.query(`SET session_replication_role = replica; ${text}`))

async function badLogIns(page: Page, email: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++)
    await page.request.post(pathOf(auth.login), { data: { email, password: 'not it' } })
}

test('an administrator reads who did what, filters it, and learns of a log that was changed', async ({
  page,
  howl,
}) => {
  await signedInAdministrator(page, howl)
  const user = await newUser(page)
  await badLogIns(page, user.email, 2)
  await page.goto(PANEL)
  await expect(row(page, user.email)).toHaveCount(3)
  await expect(row(page, user.email).first()).toContainText('127.0.0.1')
  await page.getByLabel('Search').fill(user.email)
  await expect(rows(page)).toHaveCount(4)
  await page.getByLabel('Activity').selectOption({ label: 'Failed log-in' })
  await expect(rows(page)).toHaveCount(3)
  await page.reload()
  await expect(rows(page)).toHaveCount(3)
  await page.getByLabel('Activity').selectOption({ label: 'Account opened' })
  await expect(rows(page)).toHaveCount(2)
  // Failed log-ins of other tests from the same address raise the risk of the next one, and never that of a new account.
  await expect(row(page, 'Account opened').getByText(/^Risk \d+$/)).toHaveText('Risk 0')
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2020-01-02')
  await expect(page.getByText('No activities found')).toBeVisible()

  await page.getByRole('button', { name: 'Check the log' }).click()
  await expect(
    page.getByText(/\d+ activities checked: nothing was changed, removed or inserted\./),
  ).toBeVisible()
  await tamper(howl, 'UPDATE activities SET risk_score = 99 WHERE id = (SELECT min(id) FROM activities)')
  await page.getByRole('button', { name: 'Check the log' }).click()
  await expect(page.getByText('Somebody has changed the activity log.')).toBeVisible()
  await expect(page.getByText(/Activity \d+ was changed/)).toBeVisible()
  await tamper(howl, 'UPDATE activities SET risk_score = 0 WHERE id = (SELECT min(id) FROM activities)')
})
