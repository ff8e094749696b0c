import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { type E2eUser, expect, type Howl, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { toast } from '../../support/toast.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const select = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected contacts' })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function add(page: Page, user: E2eUser, fields: Record<string, unknown>) {
  const answer = await page.request.post(pathOf(contacts.add), {
    headers: { Authorization: `Bearer ${user.token}` },
    data: fields,
  })
  expect(answer.ok()).toBe(true)
}

/** Five people, the first added standing last in the list. */
async function withFive(page: Page): Promise<E2eUser> {
  const user = await signedIn(page)
  for (const name of ['Eve', 'Dan', 'Cleo', 'Bert', 'Anna'])
    await add(page, user, {
      name,
      email: `${name.toLowerCase()}@x.example`,
      company: name < 'C' ? 'North' : 'South',
    })
  await page.goto('/contacts')
  await expect(row(page, 'Anna')).toBeVisible()
  return user
}

async function fill(howl: Howl, user: E2eUser, rows: number): Promise<void> {
  const client = new Client({ connectionString: howl.databaseUrl })
  await client.connect()
  await client.query(
    `INSERT INTO contacts (user_id, name, email, email_key, company, created_at, updated_at)
     SELECT $1, 'Person ' || n, 'p' || n || '@many.example', 'p' || n || '@many.example', 'Many', now(), now()
     FROM generate_series(1, $2::int) n`,
    [user.id, rows],
  )
  await client.end()
}

test('contacts are chosen one by one, in a row with Shift, and a page at once', async ({ page }) => {
  await withFive(page)
  await expect(bar(page)).toBeHidden()
  await select(page, 'Anna').check()
  await expect(bar(page)).toContainText('1 selected')
  await select(page, 'Dan').click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('4 selected')
  await expect(row(page, 'Cleo')).toHaveAttribute('aria-selected', 'true')
  await select(page, 'Bert').uncheck()
  await expect(bar(page)).toContainText('3 selected')
  const whole = page.getByRole('checkbox', { name: 'Select all on this page' })
  await whole.check()
  await expect(bar(page)).toContainText('5 selected')
  await whole.uncheck()
  await expect(bar(page)).toBeHidden()
  await select(page, 'Eve').check()
  await page.keyboard.press('Escape')
  await expect(bar(page)).toBeHidden()
  await select(page, 'Eve').check()
  await button(page, 'Clear selection').click()
  await expect(select(page, 'Eve')).not.toBeChecked()
})

test('chosen contacts get a tag that is made on the fly, and lose it again', async ({ page }) => {
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

test('who came meanwhile is not deleted with the others', async ({ page }) => {
  const user = await withFive(page)
  await page.goto('/contacts?company=North&page_size=25')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  // The page hears nothing of the newcomer.
  await page.route('**/api/v1/events', (route) => route.abort())
  await page.getByRole('combobox', { name: 'Status' }).selectOption('new')
  await expect(bar(page)).toBeHidden()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await add(page, user, { name: 'Newcomer', email: 'newcomer@x.example', company: 'North' })
  await button(page, 'Delete selected').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 contacts' }).click()
  await expect(page.getByText('2 contacts deleted')).toBeVisible()
  await page.goto('/contacts')
  await expect(row(page, 'Newcomer')).toBeVisible()
  await expect(page.getByText('of 4 contacts')).toBeVisible()
})

test('mail to chosen contacts is stopped, undone, and allowed again', async ({ page }) => {
  await withFive(page)
  await select(page, 'Anna').check()
  await button(page, 'Stop mailing').click()
  const asking = page.getByRole('dialog', { name: 'Stop mailing 1 contact?' })
  await asking.getByRole('button', { name: 'Stop mailing' }).click()
  await expect(page.getByText('Mailing stopped for 1 contact')).toBeVisible()
  await expect(row(page, 'Anna')).toContainText('No emails')
  await button(page, 'Undo').click()
  await expect(row(page, 'Anna')).not.toContainText('No emails')
  await select(page, 'Anna').check()
  await button(page, 'Stop mailing').click()
  await asking.getByRole('button', { name: 'Stop mailing' }).click()
  await expect(row(page, 'Anna')).toContainText('No emails')
  await select(page, 'Anna').check()
  await button(page, 'Allow mailing').click()
  await page
    .getByRole('dialog', { name: 'Allow mailing 1 contact?' })
    .getByRole('button', { name: 'Allow mailing' })
    .click()
  await expect(page.getByText('1 contact can be mailed again')).toBeVisible()
  await expect(row(page, 'Anna')).not.toContainText('No emails')
})

test('chosen contacts alone are exported', async ({ page }) => {
  await withFive(page)
  await select(page, 'Anna').check()
  await select(page, 'Cleo').check()
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export selected').click()])
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain('anna@x.example')
  expect(text).toContain('cleo@x.example')
  expect(text).not.toContain('bert@x.example')
})

test('tags are given in the form, and renamed, recoloured and deleted in one place', async ({ page }) => {
  await withFive(page)
  await button(page, 'Edit Anna').click()
  const form = page.getByRole('dialog', { name: 'Edit Contact' })
  const field = form.getByRole('combobox', { name: 'Tags' })
  await field.fill('Trade fair')
  await form.getByRole('option', { name: 'Create “Trade fair”' }).click()
  await field.fill('VIP')
  await field.press('Enter')
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toast(page, 'Contact updated')).toBeVisible()
  await expect(row(page, 'Anna').getByRole('list', { name: 'Tags' })).toContainText('Trade fair')

  await button(page, 'Edit Bert').click()
  await field.focus()
  await expect(form.getByRole('option', { name: 'Trade fair' })).toBeVisible()
  await field.press('ArrowDown')
  await field.press('Enter')
  await expect(form.getByRole('button', { name: 'Remove tag Trade fair' })).toBeVisible()
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expect(row(page, 'Bert')).toContainText('Trade fair')

  await button(page, 'Manage tags').click()
  const managing = page.getByRole('dialog', { name: 'Manage tags' })
  await expect(managing.getByText('2 contacts')).toBeVisible()
  await managing.getByRole('textbox', { name: 'New tag' }).fill('vip')
  await managing.getByRole('button', { name: 'Add' }).click()
  await expect(managing.getByRole('alert')).toHaveText('You have a tag with this name already.')
  const name = managing.getByRole('textbox', { name: 'Name of Trade fair' })
  await name.fill('Fair 2026')
  await name.press('Enter')
  await expect(managing.getByRole('textbox', { name: 'Name of Fair 2026' })).toBeVisible()
  await managing.getByRole('combobox', { name: 'Colour of VIP' }).selectOption('Red')
  await managing.getByRole('button', { name: 'Delete tag Fair 2026' }).click()
  const asking = page.getByRole('dialog', { name: 'Delete tag “Fair 2026”?' })
  await expect(asking.getByText('It will be removed from 2 contacts. The contacts stay.')).toBeVisible()
  await asking.getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Tag deleted')).toBeVisible()
  await managing.getByRole('button', { name: 'Done' }).click()
  await expect(row(page, 'Bert')).not.toContainText('Fair 2026')
  await expect(row(page, 'Anna')).toContainText('VIP')
})

test('what is changed elsewhere shows here, and two edits at once are both kept', async ({ page }) => {
  const user = await withFive(page)
  await button(page, 'Edit Anna').click()
  const form = page.getByRole('dialog', { name: 'Edit Contact' })
  await form.getByLabel('Position').fill('Buyer')
  const list = await page.request.get(`${pathOf(contacts.list)}?search=anna`, {
    headers: { Authorization: `Bearer ${user.token}` },
  })
  const [anna] = (await list.json()) as { id: number }[]
  await page.request.put(pathOf(contacts.update, { id: anna?.id ?? 0 }), {
    headers: { Authorization: `Bearer ${user.token}` },
    data: { company: 'Elsewhere Ltd' },
  })
  await expect(page.getByText('Elsewhere Ltd')).toBeVisible()
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expect(row(page, 'Anna')).toContainText('Buyer')
  await expect(row(page, 'Anna')).toContainText('Elsewhere Ltd')
})

test('everybody can use it, at every size', async ({ page }) => {
  const user = await withFive(page)
  await add(page, user, { name: 'Zoe', email: 'zoe@x.example', tags: ['A', 'B', 'C', 'D'] })
  await expect(row(page, 'Zoe')).toBeVisible()
  await select(page, 'Anna').check()
  await expect(bar(page)).toBeVisible()
  await expectSound(page)
  await button(page, 'Add tag').click()
  await expect(page.getByRole('dialog', { name: 'Tag 1 contact' })).toBeVisible()
  await expectSound(page, '[role=dialog]')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await button(page, 'Manage tags').click()
  await expect(page.getByRole('dialog', { name: 'Manage tags' })).toBeVisible()
  await expectSound(page, '[role=dialog]')
})
