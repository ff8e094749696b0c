import type { Page } from '@playwright/test'
import { expect, signedIn, test } from '../../support/e2e.ts'
import { toast } from '../../support/toast.ts'

const form = (page: Page, name: string) => page.getByRole('form', { name, exact: true })
const pattern = (page: Page, name: string) => form(page, name).getByLabel('Pattern')
const count = (page: Page, name: string) => form(page, name).getByLabel('Next count')
const year = new Date().getFullYear()

async function atSettings(page: Page): Promise<void> {
  await signedIn(page)
  await page.goto('/invoices/all')
  await page
    .getByRole('navigation', { name: 'Invoices' })
    .getByRole('link', { name: 'Settings', exact: true })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Invoice settings' })).toBeVisible()
}

test('a pattern shows its numbers while it is typed, and the next invoice is numbered by it', async ({
  page,
}) => {
  await atSettings(page)
  const invoices = form(page, 'Invoices')
  await expect(pattern(page, 'Invoices')).toHaveValue('INV-{year}-{0001}')
  await expect(count(page, 'Invoices')).toHaveValue('1')
  await expect(invoices).toContainText(
    `The next invoice gets INV-${year}-0001, the one after it INV-${year}-0002.` +
      ` The first of ${year + 1} gets INV-${year + 1}-0001.`,
  )
  const save = invoices.getByRole('button', { name: 'Save numbering' })
  await expect(save).toBeDisabled()

  await pattern(page, 'Invoices').fill('R {001}')
  await count(page, 'Invoices').fill('42')
  await expect(invoices).toContainText(
    'The next invoice gets R 042, the one after it R 043. The counter never begins again.',
  )
  await save.click()
  await expect(toast(page, 'The next invoice gets R 042')).toBeVisible()
  await expect(save).toBeDisabled()
  await page.reload()
  await expect(pattern(page, 'Invoices')).toHaveValue('R {001}')
  await expect(count(page, 'Invoices')).toHaveValue('42')
  await expect(pattern(page, 'Credit notes')).toHaveValue('CN-{year}-{0001}')
  await page.getByRole('link', { name: 'New invoice' }).click()
  await expect(page.getByRole('textbox', { name: 'Invoice number' })).toHaveValue('R 042')
})
