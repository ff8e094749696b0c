import { readFile } from 'node:fs/promises'
import { leaving } from '#contract/operations/leaving.ts'
import { call } from '../../support/client.ts'
import { expect, newUser, signedInAdministrator, test } from '../../support/e2e.ts'

const DASHBOARD = '/wolf-admin-secure-2024'

test('an account that leaves is counted, and why it left is read in short, in detail and in a file', async ({
  page,
  howl,
}) => {
  await signedInAdministrator(page, howl)
  const { token, email } = await newUser(page, { name: 'Gerda Gone' })
  const body = { category: 'pricing' as const, rating: 2, details: '=Too "dear"' }
  await call(howl.url, leaving.giveFeedback, { token, body })
  await call(howl.url, leaving.deleteAccount, { token })

  await page.goto(`${DASHBOARD}?tab=analytics`)
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(region('Activity').getByRole('img', { name: /^Deletions: [1-9]\d* in 30 days/ })).toBeVisible()
  await expect(region('Feedback categories')).toContainText('Pricing')
  await expect(region('System health')).toContainText('Database statusHealthy')
  await region('Activity').getByRole('radio', { name: '365 days' }).check()
  await expect(
    region('Activity').getByRole('img', { name: /^Deletions: [1-9]\d* in 5\d weeks/ }),
  ).toBeVisible()

  await page.getByRole('tab', { name: 'Feedback' }).click()
  const newest = page.getByRole('list', { name: 'Recent feedback' }).getByRole('listitem').first()
  await expect(newest).toContainText(email)
  await expect(newest).toContainText('2 of 5, Poor')
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Detailed View' }).click()
  const detailed = await opened
  await expect(detailed).toHaveURL(`${howl.url}${DASHBOARD}/feedback`)
  await detailed.getByLabel('Category').selectOption('Pricing')
  const row = detailed.getByRole('table', { name: 'Feedback' }).getByRole('row').filter({ hasText: email })
  await expect(row).toContainText('Gerda Gone')
  await expect(row).toContainText('=Too "dear"')
  const file = detailed.waitForEvent('download')
  await detailed.getByRole('button', { name: 'Export CSV' }).click()
  const saved = await readFile(await (await file).path(), 'utf8')
  expect(saved).toContain(`,${email},Gerda Gone,Muster Ltd,free,`)
  expect(saved).toContain(`,2,"'=Too ""dear""",`)
})
