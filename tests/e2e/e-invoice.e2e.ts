import type { Page } from '@playwright/test'
import { expect, signedIn, test } from '../support/e2e.ts'

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const more = (page: Page) =>
  page
    .getByRole('group')
    .filter({ has: page.getByText('More details') })
    .first()

async function openMore(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'More details' }).click()
  await expect(field(page, 'IBAN')).toBeVisible()
}

test('bank details, delivery and the reason for no tax are asked for in a part that is closed', async ({
  page,
}) => {
  await signedIn(page)
  await page.goto('/invoices')
  await expect(page.getByRole('form', { name: 'Details' })).toBeVisible()
  await expect(field(page, 'IBAN')).toHaveCount(0)
  await openMore(page)
  await field(page, 'IBAN').fill('DE89 3704 0044 0532 0130 01')
  await expect(more(page)).toContainText('Please check this IBAN: a character is wrong')
  await expect(field(page, 'IBAN')).toHaveAttribute('aria-invalid', 'true')
  await field(page, 'IBAN').fill('DE89 3704 0044 0532 0130 00')
  await expect(field(page, 'IBAN')).not.toHaveAttribute('aria-invalid')
  await field(page, 'BIC').fill('COBADEF')
  await expect(more(page)).toContainText('A BIC has 8 or 11 characters')
  await field(page, 'BIC').fill('COBADEFFXXX')
  await field(page, 'Delivery date').fill('2026-11-20')
  await expect(field(page, 'Reason for no tax')).toHaveCount(0)
  await field(page, 'Tax category').selectOption('Reverse charge')
  await expect(field(page, 'Reason for no tax')).toHaveValue('Reverse charge: the customer owes the VAT')
  await field(page, 'Customer’s city').fill('Wien')
  await field(page, 'Customer’s country').selectOption('Austria')
  await page.getByRole('button', { name: 'Preview' }).click()
  const sheet = page.getByRole('region', { name: 'Preview' })
  for (const text of [
    'IBAN DE89 3704 0044 0532 0130 00',
    'BIC COBADEFFXXX',
    '20 Nov 2026',
    'Wien',
    'Austria',
  ])
    await expect(sheet.getByText(text)).toBeVisible()
  // What is filled in is in sight when the page is opened again, also from the server.
  await page.reload()
  await expect(field(page, 'IBAN')).toHaveValue('DE89 3704 0044 0532 0130 00')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(field(page, 'Reason for no tax')).toHaveValue('Reverse charge: the customer owes the VAT')
  await expect(field(page, 'Customer’s country')).toHaveValue('AT')
  await expect(field(page, 'Delivery date')).toHaveValue('2026-11-20')
})
