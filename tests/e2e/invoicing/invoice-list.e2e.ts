import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { type BodyInput } from '#contract/platform/endpoint.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { ask, type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { anInvoice } from '../../support/invoices.ts'
import { downloaded } from '../../support/pdf-download.ts'
import { toast } from '../../support/toast.ts'

type Fields = BodyInput<typeof invoices.add>

const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })

async function issued(page: Page, user: E2eUser, fields: Fields) {
  const { id } = await ask(page, user, invoices.add, anInvoice({ issue_date: '2020-01-01', ...fields }))
  return ask(page, user, invoices.issue, undefined, { id })
}

const buyer = (name: string) => ({ buyer: { name, business_name: '', email: '' } })

/** One invoice of each kind: late, due soon, paid, a draft. */
async function withInvoices(page: Page): Promise<E2eUser> {
  const user = await signedIn(page)
  await issued(page, user, { ...buyer('Late Ltd'), due_date: day(-3), currency: 'EUR', number: 'R-1' })
  await issued(page, user, { ...buyer('Soon Ltd'), due_date: day(5), currency: 'EUR', number: 'R-2' })
  const paid = await issued(page, user, { ...buyer('Paid Ltd'), due_date: day(9), number: 'R-3' })
  await ask(page, user, invoices.addPayment, { amount: '230' }, { id: paid.id })
  await ask(page, user, invoices.add, anInvoice({ ...buyer('Draft Ltd') }))
  await page.goto('/invoices/all')
  await expect(page.getByRole('heading', { level: 1, name: 'Invoices' })).toBeVisible()
  return user
}

const table = (page: Page) => page.getByRole('table', { name: 'Invoices' })
const rowOf = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name })
const tab = (page: Page, name: string) => page.getByRole('tab', { name })

async function choose(page: Page, row: string, act: string) {
  await rowOf(page, row)
    .getByRole('button', { name: /^More actions/ })
    .click()
  await page.getByRole('menuitem', { name: act, exact: true }).click()
}

test('what was written in the generator is saved as a draft, changed there and issued', async ({ page }) => {
  const user = await signedIn(page)
  await page.goto('/invoices')
  const name = page.getByRole('region', { name: 'Bill To', exact: true }).getByLabel('Name', { exact: true })
  await name.fill('Bea Berg')
  await page.getByRole('button', { name: 'Save draft' }).dblclick()
  await expect(toast(page, 'Draft saved')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Draft invoice' })).toBeVisible()
  // The form is free for the next invoice.
  await page.getByRole('link', { name: 'All invoices' }).click()
  await expect(table(page).getByRole('row')).toHaveCount(2)
  await page.getByRole('link', { name: 'New invoice' }).click()
  await expect(name).toHaveValue('')

  await page.goto('/invoices/all')
  await rowOf(page, 'Bea Berg').getByRole('link').click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByText('You are changing a saved draft. Save it to keep your changes.')).toBeVisible()
  await expect(name).toHaveValue('Bea Berg')
  await page.getByLabel('Description').first().fill('Bread')
  await page.getByLabel('Unit price').first().fill('12.50')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('table', { name: 'Lines' })).toContainText(/Bread.*12\.50/)
  await page.getByRole('button', { name: 'Issue' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Issue', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Invoice INV-\d{4}-0001$/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit' })).toBeHidden()
  await page.goto('/invoices')
  await expect(page.getByRole('textbox', { name: 'Invoice number' })).toHaveValue(/^INV-\d{4}-0002$/)
  const [row] = await ask(page, user, invoices.list)
  await page.goto(`/invoices?edit=${row?.id}`)
  await expect(
    page.getByText('This draft cannot be opened. It may have been issued or deleted.'),
  ).toBeVisible()
})

test('a payment is recorded and taken back, a draft is deleted and brought back, and a search outlives a reload', async ({
  page,
}) => {
  await withInvoices(page)
  await expect(page.getByRole('list', { name: 'Outstanding' })).toHaveText(
    'Outstanding €460.00 · Overdue €230.00',
  )
  await choose(page, 'Late Ltd', 'Record payment')
  const dialog = page.getByRole('dialog', { name: 'Record payment' })
  const amount = dialog.getByLabel('Amount (EUR)')
  await amount.fill('230.01')
  await dialog.getByLabel('Note').fill('By bank')
  await dialog.getByRole('button', { name: 'Record payment' }).click()
  await expect(dialog.getByText('Only €230.00 is left to pay')).toBeVisible()
  await amount.fill('30.50')
  await dialog.getByRole('button', { name: 'Record payment' }).dblclick()
  await expect(dialog).toBeHidden()
  await expect(rowOf(page, 'Late Ltd')).toContainText('€199.50')
  await rowOf(page, 'Late Ltd').getByRole('link').click()
  const payments = page.getByRole('region', { name: 'Payments' })
  await expect(payments.getByRole('listitem')).toHaveText(/€30\.50 on .*By bank/)
  await payments.getByRole('button', { name: /^Remove payment/ }).click()
  await expect(payments.getByText('No payments yet.')).toBeVisible()
  await page.getByRole('link', { name: 'All invoices' }).click()
  await choose(page, 'Draft Ltd', 'Delete')
  await expect(rowOf(page, 'Draft Ltd')).toBeHidden()
  await toast(page, 'Draft deleted').getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, 'Draft Ltd')).toBeVisible()
  // The address keeps the search and the order.
  await page.keyboard.press('/')
  await page.keyboard.type('soon')
  await expect(table(page).getByRole('row')).toHaveCount(2)
  await page.reload()
  await expect(rowOf(page, 'Soon Ltd')).toBeVisible()
  await expect(table(page).getByRole('row')).toHaveCount(2)
})

test('duplicates an invoice, and takes one back with a credit note', async ({ page }) => {
  await withInvoices(page)
  await choose(page, 'Paid Ltd', 'Duplicate')
  await expect(page.getByRole('heading', { level: 1, name: 'Draft invoice' })).toBeVisible()
  await page.getByRole('link', { name: 'All invoices' }).click()
  await choose(page, 'Late Ltd', 'Credit note')
  await expect(page.getByRole('heading', { level: 1, name: 'Draft credit note' })).toBeVisible()
  await page.getByRole('button', { name: 'Issue' }).click()
  await page
    .getByRole('dialog', { name: 'Issue this credit note?' })
    .getByRole('button', { name: 'Issue', exact: true })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: /Credit note CN-\d{4}-0001/ })).toBeVisible()
  const credit = await downloaded(page)
  expect(credit.name).toMatch(/^credit-note-CN-\d{4}-0001\.pdf$/)
  expect(credit.text).toMatch(/CREDIT NOTE.*For invoice R-1.*Amount credited €230\.00/)
  await page.getByRole('link', { name: 'R-1' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Invoice R-1' })).toBeVisible()
  const invoice = await downloaded(page)
  expect(invoice.name).toBe('invoice-R-1.pdf')
  expect(invoice.text).toMatch(/INVOICE R-1.*Late Ltd.*Amount due €230\.00/)
  await expect(page.getByText('Credited', { exact: true }).first()).toBeVisible()
  await page.getByRole('link', { name: 'All invoices' }).click()
  await tab(page, 'Credit notes 1').click()
  await expect(rowOf(page, 'Late Ltd').filter({ hasText: 'CN-' })).toContainText('−€230.00')
})

test('an invoice is found in the palette, on the dashboard and on its contact’s timeline', async ({
  page,
}) => {
  const user = await signedIn(page)
  await ask(page, user, contacts.add, { name: 'Bea Bright', email: 'bea@far.example' })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: /overdue invoice/ })).toBeHidden()
  const late = { issue_date: '2020-01-01', due_date: day(-3), currency: 'EUR' as const }
  await issued(page, user, { ...late, buyer: { business_name: 'Bright Ltd', email: 'bea@far.example' } })
  await issued(page, user, { ...late, amount_paid: '30' })
  // It comes by itself.
  const card = page.getByRole('link', { name: '2 overdue invoices, €430.00' })
  await card.click()
  await expect(tab(page, 'Overdue 2')).toHaveAttribute('aria-selected', 'true')

  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Search everything' }).fill('bright')
  await page.getByRole('option', { name: /INV-2020-0001.*Bright Ltd · €230\.00/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Invoice INV-2020-0001' })).toBeVisible()
  await page.getByRole('link', { name: 'Bright Ltd' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Bea Bright' })).toBeVisible()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline.getByRole('listitem').filter({ hasText: 'INV-2020-0001' })).toContainText(
    /Overdue.*€230\.00/,
  )
})
