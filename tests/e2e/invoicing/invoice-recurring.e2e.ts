import type { Page } from '@playwright/test'
import { type BodyInput } from '#contract/platform/endpoint.ts'
import { recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { ask, type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { anInvoice } from '../../support/invoices.ts'
import { toast } from '../../support/toast.ts'

const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })
const buyer = (name: string) => ({ buyer: { name, business_name: '', email: '' } })

async function repeated(
  page: Page,
  user: E2eUser,
  name: string,
  fields: Partial<BodyInput<typeof recurringInvoices.add>> = {},
) {
  const { id } = await ask(page, user, invoices.add, anInvoice(buyer(name)))
  const body = { invoice_id: id, every: 'month', first_on: day(30), ...fields }
  return ask(page, user, recurringInvoices.add, body)
}

const table = (page: Page) => page.getByRole('table', { name: 'Recurring invoices' })
const rowOf = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name })
const dialog = (page: Page) => page.getByRole('dialog')

async function choose(page: Page, row: string, act: string) {
  await rowOf(page, row)
    .getByRole('button', { name: /^More actions/ })
    .click()
  await page.getByRole('menuitem', { name: act, exact: true }).click()
}

test('an invoice is repeated from its menu, made on its day, and says what made it', async ({ page }) => {
  const user = await signedIn(page)
  const source = await ask(page, user, invoices.add, anInvoice({ ...buyer('Bea Berg'), issue_date: day(0) }))
  await page.goto(`/invoices/${source.id}`)
  await page.getByRole('button', { name: /^More actions/ }).click()
  await page.getByRole('menuitem', { name: 'Repeat…' }).click()
  await expect(dialog(page)).toContainText('It is made anew for Bea Berg')
  await expect(dialog(page)).toContainText('and so on')

  await dialog(page).getByLabel('Ends').selectOption('After a number of invoices')
  await dialog(page).getByLabel('Invoices in all').fill('2')
  await dialog(page).getByLabel('First on').fill(day(0))
  await dialog(page).getByLabel('What is made').selectOption('An issued invoice')
  await dialog(page).getByRole('button', { name: 'Repeat' }).dblclick()
  await expect(toast(page, /^Repeated every month from /)).toBeVisible()
  await expect(dialog(page)).toBeHidden()

  await page.getByRole('link', { name: 'All invoices' }).click()
  await page.getByRole('link', { name: 'Recurring' }).click()
  await expect(table(page).getByRole('row')).toHaveCount(2)
  await expect(rowOf(page, 'Bea Berg')).toContainText(/Every month.*issued at once.*After 1 more/)
  // It appears without a reload.
  await rowOf(page, 'Bea Berg').getByRole('link', { name: /^INV-/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Invoice INV-\d{4}-0001$/ })).toBeVisible()
  await page.getByRole('link', { name: 'monthly invoice to Bea Berg' }).click()
  await expect(rowOf(page, 'Bea Berg')).toBeVisible()
})

test('is changed, also to the content of what it made last', async ({ page }) => {
  const user = await signedIn(page)
  await repeated(page, user, 'Bea Berg', { first_on: day(0) })
  await page.goto('/invoices/recurring')
  await rowOf(page, 'Bea Berg').getByRole('link').click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Unit price').first().fill('200')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('table', { name: 'Lines' })).toContainText('$400.00')

  await page.goto('/invoices/recurring')
  await expect(rowOf(page, 'Bea Berg')).toContainText('$230.00')
  await choose(page, 'Bea Berg', 'Change')
  await dialog(page).getByRole('radio', { name: 'Every year' }).check()
  await dialog(page).getByLabel('What it contains').selectOption({ index: 1 })
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(rowOf(page, 'Bea Berg')).toContainText(/Every year.*\$468\.00/)
  await page.reload()
  await expect(rowOf(page, 'Bea Berg')).toContainText('Every year')
})
