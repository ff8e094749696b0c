import type { Page } from '@playwright/test'
import { type BodyInput, type Endpoint, pathOf, type ReplyOf } from '#contract/platform/endpoint.ts'
import { recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { anInvoice } from '../../support/invoices.ts'
import { toast } from '../../support/toast.ts'

async function ask<E extends Endpoint>(
  page: Page,
  { token }: E2eUser,
  endpoint: E,
  data?: object,
  params: Record<string, number> = {},
): Promise<ReplyOf<E>> {
  // The zone of the browser: a day begins there hours before it does elsewhere.
  const headers = { Authorization: `Bearer ${token}`, 'X-User-Timezone': 'Europe/Berlin' }
  const answer = await page.request.fetch(pathOf(endpoint, params), {
    method: endpoint.method,
    headers,
    ...(data === undefined ? {} : { data }),
  })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as ReplyOf<E>
}

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

test('says what a recurring invoice is while there is none', async ({ page }) => {
  await signedIn(page)
  await page.goto('/invoices/all')
  const nav = page.getByRole('navigation', { name: 'Invoices' })
  await nav.getByRole('link', { name: 'Recurring' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Recurring invoices' })).toBeVisible()
  await expect(page).toHaveTitle(/Recurring invoices/)
  await expect(nav.getByRole('link', { name: 'Recurring' })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByText('Nothing is repeated yet')).toBeVisible()
  await page.getByRole('link', { name: 'All invoices' }).last().click()
  await expect(page).toHaveURL(/invoices\/all/)
})

test('an invoice is repeated from its menu, made on its day, and says what made it', async ({ page }) => {
  const user = await signedIn(page)
  const source = await ask(page, user, invoices.add, anInvoice({ ...buyer('Bea Berg'), issue_date: day(0) }))
  await page.goto(`/invoices/${source.id}`)
  await page.getByRole('button', { name: /^More actions/ }).click()
  await page.getByRole('menuitem', { name: 'Repeat…' }).click()
  await expect(dialog(page)).toContainText('It is made anew for Bea Berg')
  await expect(dialog(page)).toContainText('and so on')

  // What cannot be is said beside its field, and nothing is lost.
  await dialog(page).getByLabel('Ends').selectOption('After a number of invoices')
  await dialog(page).getByLabel('Invoices in all').fill('0')
  await expect(dialog(page)).toContainText('No invoice is made.')
  await dialog(page).getByRole('button', { name: 'Repeat' }).click()
  await expect(dialog(page)).toContainText('Please enter a whole number from 1 to 600')
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

test('what is missing before an issue is said when it is repeated', async ({ page }) => {
  const user = await signedIn(page)
  const { id } = await ask(page, user, invoices.add, anInvoice({ ...buyer('Bea'), items: [] }))
  await page.goto(`/invoices/${id}`)
  await page.getByRole('button', { name: /^More actions/ }).click()
  await page.getByRole('menuitem', { name: 'Repeat…' }).click()
  await dialog(page).getByLabel('What is made').selectOption('An issued invoice')
  await dialog(page).getByRole('button', { name: 'Repeat' }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Please add a line.')
})

test('is paused, goes on, is ended and brought back', async ({ page }) => {
  const user = await signedIn(page)
  await repeated(page, user, 'Bea Berg')
  await page.goto('/invoices/recurring')
  await choose(page, 'Bea Berg', 'Pause')
  await expect(rowOf(page, 'Bea Berg')).toContainText('Paused')
  await toast(page, 'Recurring invoice paused').getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, 'Bea Berg')).toContainText('Active')
  await choose(page, 'Bea Berg', 'End')
  await expect(rowOf(page, 'Bea Berg')).toContainText('Ended')
  await choose(page, 'Bea Berg', 'Start again')
  await expect(rowOf(page, 'Bea Berg')).toContainText('Active')
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

test('fits phones and is accessible, light and dark', async ({ page }) => {
  const user = await signedIn(page)
  await repeated(page, user, 'Bea Berg', { first_on: day(0), makes: 'issued' })
  await repeated(page, user, 'A Customer With A Very Long Name That Goes On And On Ltd', { times: 12 })
  await page.goto('/invoices/recurring')
  await expect(page.getByRole('link', { name: /^INV-/ })).toBeVisible()
  await expectSound(page)
  await page
    .getByRole('button', { name: /^More actions/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Change', exact: true }).click()
  await expect(dialog(page)).toContainText('and so on')
  await expectSound(page, '[role=dialog]')
})
