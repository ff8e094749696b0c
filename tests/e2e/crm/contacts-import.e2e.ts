import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { contactImports } from '#contract/crm/contact-imports.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { csvOf } from '../../support/csv.ts'
import { ask, expect, signedIn, test } from '../../support/e2e.ts'
import { toast } from '../../support/toast.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const importing = (page: Page) => page.getByRole('dialog', { name: 'Import Contacts' })
const finished = (page: Page) => page.getByRole('dialog', { name: 'Import finished' })
const figure = (page: Page, word: string) =>
  page.getByRole('dialog').locator('dl > div').filter({ hasText: word }).locator('dd')

async function openContacts(page: Page) {
  const user = await signedIn(page)
  await page.goto('/contacts')
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible()
  return user
}

async function choose(page: Page, content: string, name = 'people.csv') {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(page, 'Import').first().click(),
  ])
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
}

test('a well-known file is one press: preview, import, refused rows, export', async ({ page }) => {
  await openContacts(page)
  await choose(
    page,
    'First Name,Last Name,Organization Name,Birthday,Labels,E-mail 1 - Value\nAda,Lovelace,Engines,,* myContacts ::: VIP,ada@x.example\nGrace,Hopper,,,,nowhere\n"Alan,Turing,,,alan@x.example\n',
  )
  const preview = importing(page)
  await expect(preview).toContainText('people.csv, from Google Contacts')
  await expect(preview.getByRole('combobox', { name: 'Organization Name becomes' })).toHaveValue('company')
  await expect(preview.getByRole('combobox', { name: 'Birthday becomes' })).toBeHidden()
  await preview.getByText('1 more column, not imported').click()
  await expect(preview.getByRole('combobox', { name: 'Birthday becomes' })).toBeVisible()
  await preview.getByText('2 rows cannot be imported').click()
  await expect(preview.getByRole('row', { name: /3.*nowhere.*not a valid email address/ })).toBeVisible()
  await preview.getByRole('button', { name: 'Import 1 contact' }).click()
  await expect(page.getByText('Imported 1, updated 0, skipped 2')).toBeVisible()
  await expect(finished(page).getByRole('row', { name: /4.*quotes/ })).toBeVisible()
  const [refused] = await Promise.all([
    page.waitForEvent('download'),
    finished(page).getByRole('button', { name: 'Download the refused rows' }).click(),
  ])
  expect(refused.suggestedFilename()).toBe('people-refused.csv')
  expect(await readFile(await refused.path(), 'utf8')).toContain(
    'Grace,Hopper,,,,nowhere,This is not a valid email address',
  )
  await finished(page).getByRole('button', { name: 'Done' }).click()
  await expect(row(page, 'Ada Lovelace')).toContainText('VIP')

  const [exported] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()])
  await expect(toast(page, 'Contacts exported')).toBeVisible()
  expect(exported.suggestedFilename()).toMatch(/^contacts-\d{4}-\d\d-\d\d\.csv$/)
  expect(await readFile(await exported.path(), 'utf8')).toContain('Ada Lovelace,ada@x.example,Engines')
})

test('people who are there already are updated or left, and all of it can be undone', async ({ page }) => {
  const user = await openContacts(page)
  await ask(page, user, contacts.add, { name: 'Ada', email: 'ada@x.example', company: 'Old Ltd' })
  await choose(page, 'Name,Email,Company\nAda L.,ada@x.example,New Ltd\nGrace,grace@x.example,Navy\n')
  const preview = importing(page)
  await expect(preview.getByText('1 address is already in your contacts.')).toBeVisible()
  await expect(figure(page, 'Update')).toHaveText('1')
  await preview.getByRole('radio', { name: 'Skip' }).check()
  await expect(figure(page, 'Skip')).toHaveText('1')
  await expect(preview.getByRole('button', { name: 'Import 1 contact' })).toBeVisible()
  await preview.getByRole('radio', { name: 'Update' }).check()
  await preview.getByRole('button', { name: 'Import 2 contacts' }).click()
  await finished(page).getByRole('button', { name: 'Done' }).click()
  await expect(row(page, 'Ada L.')).toContainText('New Ltd')

  await button(page, 'Recent imports').click()
  const recent = page.getByRole('dialog', { name: 'Recent imports' })
  await expect(recent.getByRole('listitem').filter({ hasText: 'people.csv' })).toContainText(
    '1 contact added, 1 updated',
  )
  await recent.getByRole('button', { name: 'Undo' }).click()
  const undoing = page.getByRole('dialog', { name: 'Undo this import?' })
  await expect(undoing).toContainText(
    'This removes 1 contact that the import added and gives 1 contact the old values back.',
  )
  await undoing.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText('Removed 1, restored 1')).toBeVisible()
  await expect(recent.getByRole('listitem')).toContainText('Undone')
  await recent.getByRole('button', { name: 'Close' }).last().click()
  await expect(row(page, 'Old Ltd')).toContainText('Ada')
  await expect(row(page, 'Grace')).toHaveCount(0)
})

test('a file that cannot be imported says why, and the page stays alive', async ({ page }) => {
  await openContacts(page)
  await choose(page, 'Email\na@x.example\n', 'people.txt')
  await expect(importing(page).getByRole('alert')).toHaveText('Please choose a .csv or .vcf file')
  await importing(page).getByRole('button', { name: 'Close' }).last().click()
  await choose(page, '')
  await expect(importing(page).getByRole('alert')).toHaveText('This file is empty.')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    importing(page).getByRole('button', { name: 'Choose another file' }).click(),
  ])
  await chooser.setFiles({
    name: 'a.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Email\njane.doe@x.example\n'),
  })
  // What was chosen is still there after a failure.
  const run = `**${pathOf(contactImports.run, { id: 0 }).replace('/0/', '/*/')}`
  await page.route(run, (route) => route.fulfill({ status: 500, body: 'Oh' }))
  await button(page, 'Import 1 contact').click()
  await expect(importing(page).getByRole('alert')).toHaveText('Failed to import contacts')
  await page.unroute(run)
  await button(page, 'Import 1 contact').click()
  await expect(page.getByText('Imported 1, updated 0, skipped 0')).toBeVisible()
  await button(page, 'Done').click()
  await expect(row(page, 'Jane Doe')).toBeVisible()
})

/** Looks at every frame from now on until the dialog shows this: on a quick machine it is there for a moment only. */
async function shownOnce(page: Page, selector: string, words: RegExp): Promise<unknown> {
  return page.waitForFunction(
    ([what = '', pattern = '']) =>
      [...document.querySelectorAll(`[role=dialog] ${what}`)].some((each) =>
        new RegExp(pattern, 'u').test(each.textContent),
      ),
    [selector, words.source],
  )
}

test('40,000 rows show how far they are, and come in pages', async ({ page }) => {
  await openContacts(page)
  const bar = shownOnce(page, 'progress', /^/u)
  await choose(page, csvOf(40_000))
  await bar
  const figure = shownOnce(page, '*', /(Reading,|Saving) [\d,]+ rows/u)
  await page.getByRole('button', { name: 'Import 40,000 contacts' }).click({ timeout: 60_000 })
  await figure
  await expect(page.getByText('Imported 40000, updated 0, skipped 0')).toBeVisible({ timeout: 60_000 })
  await button(page, 'Done').click()
  await expect(row(page, 'Person 39999')).toBeVisible()
})

test('a cancelled import changes nothing', async ({ page }) => {
  await openContacts(page)
  // Held back on its way, so that there is time to press Cancel.
  await page.route(`**${pathOf(contactImports.upload)}`, (route) =>
    route.request().method() === 'POST' ? undefined : route.continue(),
  )
  await choose(page, csvOf(10))
  await importing(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(toast(page, 'Import cancelled')).toBeVisible()
  await page.unrouteAll()
  await page.route(`**/contacts/imports/*/run`, () => {})
  await choose(page, csvOf(10))
  await button(page, 'Import 10 contacts').click()
  await importing(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(toast(page, 'Import cancelled')).toBeVisible()
  await expect(page.getByText('No contacts yet')).toBeVisible()
})
