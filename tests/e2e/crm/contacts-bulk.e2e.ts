import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { contacts } from '#contract/crm/contacts.ts'
import { ask, type E2eUser, expect, type Howl, signedIn, test } from '../../support/e2e.ts'
import { sql } from '../../support/sql.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const select = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected contacts' })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** Five people, the first added standing last in the list. */
async function withFive(page: Page): Promise<E2eUser> {
  const user = await signedIn(page)
  for (const name of ['Eve', 'Dan', 'Cleo', 'Bert', 'Anna'])
    await ask(page, user, contacts.add, {
      name,
      email: `${name.toLowerCase()}@x.example`,
      company: name < 'C' ? 'North' : 'South',
    })
  await page.goto('/contacts')
  await expect(row(page, 'Anna')).toBeVisible()
  return user
}

const fill = (howl: Howl, user: E2eUser, rows: number) =>
  sql(
    howl.databaseUrl,
    `INSERT INTO contacts (user_id, name, email, email_key, company, created_at, updated_at)
     SELECT $1, 'Person ' || n, 'p' || n || '@many.example', 'p' || n || '@many.example', 'Many', now(), now()
     FROM generate_series(1, $2::int) n`,
    [user.id, rows],
  )

test('chosen contacts get a tag that is made on the fly, lose it again, and alone are exported', async ({
  page,
}) => {
  await withFive(page)
  await select(page, 'Anna').check()
  await select(page, 'Bert').check()
  await button(page, 'Add tag').click()
  const tagging = page.getByRole('dialog', { name: 'Tag 2 contacts' })
  await tagging.getByRole('button', { name: 'Add tag' }).click()
  await expect(tagging.getByText('Please choose a tag')).toBeVisible()
  await tagging.getByRole('combobox', { name: 'Tag' }).fill('VIP')
  await page.keyboard.press('Enter')
  await tagging.getByRole('button', { name: 'Add tag' }).click()
  await expect(page.getByText('2 contacts tagged “VIP”')).toBeVisible()
  await expect(row(page, 'Anna').getByRole('list', { name: 'Tags' }).getByText('VIP')).toBeVisible()
  await expect(bar(page)).toBeHidden()

  await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('VIP')
  await expect(page).toHaveURL(/tag=VIP/)
  await expect(page.getByText('Showing 1 to 2 of 2 contacts')).toBeVisible()
  await select(page, 'Anna').check()
  await button(page, 'Remove tag').click()
  await page
    .getByRole('dialog', { name: 'Remove a tag from 1 contact' })
    .getByRole('button', { name: 'Remove tag' })
    .click()
  await expect(page.getByText('“VIP” removed from 1 contact')).toBeVisible()
  await expect(row(page, 'Anna')).toBeHidden()
  await button(page, 'Undo').last().click()
  await expect(row(page, 'Anna')).toBeVisible()

  await button(page, 'Clear filters').click()
  await select(page, 'Anna').check()
  await select(page, 'Cleo').check()
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export selected').click()])
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain('anna@x.example')
  expect(text).toContain('cleo@x.example')
  expect(text).not.toContain('bert@x.example')
})

test('all that match a filter are deleted after one question, and brought back', async ({ page, howl }) => {
  const user = await withFive(page)
  await fill(howl, user, 300)
  await page.goto('/contacts?company=Many&page_size=25')
  await expect(page.getByText('Showing 1 to 25 of 300 contacts')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await button(page, 'Select all 300').click()
  await expect(bar(page)).toContainText('All 300 selected')
  await button(page, 'Next page').click()
  await expect(page.getByText('Showing 26 to 50 of 300 contacts')).toBeVisible()
  await expect(page.getByRole('row', { selected: true })).toHaveCount(25)
  await button(page, 'Delete selected').click()
  const asking = page.getByRole('dialog', { name: 'Delete 300 contacts?' })
  await expect(asking.getByText('Notes and tags will be deleted too.')).toBeVisible()
  await asking.getByRole('button', { name: 'Cancel' }).click()
  await expect(asking).toBeHidden()
  await button(page, 'Delete selected').click()
  await asking.getByRole('button', { name: 'Delete 300 contacts' }).click()
  await expect(page.getByText('300 contacts deleted')).toBeVisible()
  await expect(page.getByText('No contacts match')).toBeVisible()
  await button(page, 'Undo').click()
  await expect(page.getByText('Undone: 300 contacts')).toBeVisible()
  await expect(page.getByText('Showing 1 to 25 of 300 contacts')).toBeVisible()
})
