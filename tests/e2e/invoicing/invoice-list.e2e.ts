import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { type BodyInput, type Endpoint, pathOf, type ReplyOf } from '#contract/platform/endpoint.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { anInvoice } from '../../support/invoices.ts'
import { downloaded } from '../../support/pdf-download.ts'
import { toast } from '../../support/toast.ts'

type Fields = BodyInput<typeof invoices.add>

async function ask<E extends Endpoint>(
  page: Page,
  { token }: E2eUser,
  endpoint: E,
  data?: object,
  params: Record<string, number> = {},
): Promise<ReplyOf<E>> {
  const headers = { Authorization: `Bearer ${token}` }
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

test('says that there are none yet, and leads to the first one and back', async ({ page }) => {
  await signedIn(page)
  await page.goto('/invoices/all')
  await expect(page.getByText('No invoices yet')).toBeVisible()
  await expect(page).toHaveTitle(/Invoices/)
  const nav = page.getByRole('navigation', { name: 'Invoices' })
  await expect(nav.getByRole('link', { name: 'All invoices' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('link', { name: 'Write the first one' }).click()
  await expect(nav.getByRole('link', { name: 'New invoice' })).toHaveAttribute('aria-current', 'page')
  await nav.getByRole('link', { name: 'All invoices' }).click()
  await expect(page.getByText('No invoices yet')).toBeVisible()
})

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

test('shows what is owed, what is late, and filters by it', async ({ page }) => {
  await withInvoices(page)
  await expect(page.getByRole('list', { name: 'Outstanding' })).toHaveText(
    'Outstanding €460.00 · Overdue €230.00',
  )
  await expect(rowOf(page, 'Late Ltd')).toContainText(/Overdue.*3 days late.*€230\.00/)
  await expect(rowOf(page, 'Soon Ltd')).toContainText(/Issued.*in 5 days/)
  await expect(rowOf(page, 'Paid Ltd')).toContainText('Paid')
  await expect(rowOf(page, 'Draft Ltd')).toContainText(/INV-\d{4}-|Draft invoice/)

  await expect(tab(page, 'All 4')).toHaveAttribute('aria-selected', 'true')
  await tab(page, 'Overdue 1').click()
  await expect(table(page).getByRole('row')).toHaveCount(2)
  await expect(rowOf(page, 'Late Ltd')).toBeVisible()
  await expect(page).toHaveURL(/status=overdue/)
  // The arrow keys move between the filters.
  await page.keyboard.press('ArrowRight')
  await expect(rowOf(page, 'Paid Ltd')).toBeVisible()
  await expect(rowOf(page, 'Late Ltd')).toBeHidden()
  await page.reload()
  await expect(tab(page, 'Paid 1')).toHaveAttribute('aria-selected', 'true')
  await page.goto('/invoices/all?status=nonsense&sort=nonsense&page=9')
  await expect(tab(page, 'All 4')).toHaveAttribute('aria-selected', 'true')
  await expect(table(page).getByRole('row')).toHaveCount(5)
})

test('is searched from the keyboard and sorted by its columns', async ({ page }) => {
  await withInvoices(page)
  await page.keyboard.press('/')
  await page.keyboard.type('soon')
  await expect(table(page).getByRole('row')).toHaveCount(2)
  await expect(rowOf(page, 'Soon Ltd')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('nobody')
  await expect(page.getByText('No invoices match')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(table(page).getByRole('row')).toHaveCount(5)
  await page.getByRole('button', { name: 'Customer' }).click()
  await expect(page.getByRole('columnheader', { name: 'Customer' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(table(page).getByRole('row').nth(1)).toContainText('Draft Ltd')
  await page.getByRole('button', { name: 'Due' }).click()
  await expect(table(page).getByRole('row').nth(1)).toContainText('Late Ltd')
})

test('issues a draft from its row, once, with the number that was proposed', async ({ page }) => {
  await withInvoices(page)
  await rowOf(page, 'Draft Ltd')
    .getByRole('button', { name: /^Issue/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Issue this invoice?' })
  await expect(dialog).toContainText(/\$230\.00 from Draft Ltd\. It gets the number INV-\d{4}-0001/)
  await dialog.getByRole('button', { name: 'Issue', exact: true }).dblclick()
  await expect(toast(page, /Invoice INV-\d{4}-0001 issued/)).toBeVisible()
  await expect(rowOf(page, 'Draft Ltd')).toContainText(/INV-\d{4}-0001.*Issued/)
  await expect(tab(page, 'Drafts 0')).toBeVisible()
})

test('says all that is missing before a draft can be issued', async ({ page }) => {
  const user = await signedIn(page)
  await ask(page, user, invoices.add, { notes: 'Nothing else' })
  await page.goto('/invoices/all')
  await choose(page, 'No customer yet', 'Issue')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    'Please enter the customer’s name. Please add a line.',
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(rowOf(page, 'No customer yet')).toContainText('Draft')
})

test('records payments, says what is wrong beside the field, and takes one back', async ({ page }) => {
  await withInvoices(page)
  await choose(page, 'Late Ltd', 'Record payment')
  const dialog = page.getByRole('dialog', { name: 'Record payment' })
  await expect(dialog).toContainText('R-1: €230.00 is left to pay.')
  const amount = dialog.getByLabel('Amount (EUR)')
  await expect(amount).toHaveValue('230.00')
  await amount.fill('-5')
  await dialog.getByLabel('Note').fill('By bank')
  await dialog.getByRole('button', { name: 'Record payment' }).click()
  await expect(dialog.getByText('This cannot be below 0')).toBeVisible()
  await expect(amount).toBeFocused()
  await amount.fill('230.01')
  await dialog.getByRole('button', { name: 'Record payment' }).click()
  await expect(dialog.getByText('Only €230.00 is left to pay')).toBeVisible()
  await expect(dialog.getByLabel('Note')).toHaveValue('By bank')
  await amount.fill('30.50')
  await dialog.getByRole('button', { name: 'Record payment' }).dblclick()
  await expect(dialog).toBeHidden()
  await expect(rowOf(page, 'Late Ltd')).toContainText('€199.50')

  await rowOf(page, 'Late Ltd').getByRole('link').click()
  const payments = page.getByRole('region', { name: 'Payments' })
  await expect(payments.getByRole('listitem')).toHaveText(/€30\.50 on .*By bank/)
  await toast(page, 'Payment recorded').getByRole('button', { name: 'Undo' }).click()
  await expect(payments.getByText('No payments yet.')).toBeVisible()
})

test('takes a draft away and brings it back', async ({ page }) => {
  await withInvoices(page)
  await choose(page, 'Draft Ltd', 'Delete')
  await expect(rowOf(page, 'Draft Ltd')).toBeHidden()
  await toast(page, 'Draft deleted').getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, 'Draft Ltd')).toBeVisible()
  // What was issued cannot be deleted.
  await rowOf(page, 'Late Ltd')
    .getByRole('button', { name: /^More actions/ })
    .click()
  await expect(page.getByRole('menuitem', { name: 'Credit note' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeHidden()
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

test('shows the lines as they are on paper, and the paper itself', async ({ page }) => {
  const user = await signedIn(page)
  const { id } = await issued(page, user, {
    ...buyer('Paper Ltd'),
    number: 'P-1',
    items: [
      { description: 'Bread', quantity: '1.50', unit_price: '1200', tax_pct: '7' },
      { description: 'Advice', unit_price: '80', discount_pct: '12.50' },
    ],
  })
  await page.goto(`/invoices/${id}`)
  const lines = page.getByRole('table', { name: 'Lines' })
  await expect(lines.getByRole('row').nth(0)).toHaveText(/Quantity.*Unit price.*Discount.*Tax.*Amount/)
  await expect(lines.getByRole('row').nth(1)).toHaveText(/Bread.*1\.5.*\$1,200\.00.*–.*7%.*\$1,800\.00/)
  await expect(lines.getByRole('row').nth(2)).toHaveText(/Advice.*1.*\$80\.00.*12\.5%.*–.*\$70\.00/)

  await tab(page, 'Document').click()
  const paper = page.getByRole('group', { name: 'Page 1 of 1' })
  await expect(paper).toContainText('Paper Ltd')
  await expect(paper).toContainText('$1,800.00')
  await expect(page.getByRole('region', { name: 'Details' })).toBeVisible()
  await page.reload()
  await expect(paper).toBeVisible()
  await tab(page, 'Document').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(lines).toBeVisible()
  await expect(paper).toBeHidden()
  // Without a discount nobody reads of one.
  const plainOne = await issued(page, user, { ...buyer('Plain Ltd'), number: 'P-2' })
  await page.goto(`/invoices/${plainOne.id}`)
  await expect(lines).toContainText('Unit price')
  await expect(lines).not.toContainText('Discount')
})

test('names in any script and direction stay where they belong', async ({ page }) => {
  const user = await signedIn(page)
  await issued(page, user, { ...buyer('شركة النور (دبي)'), due_date: day(5), number: 'ق-7' })
  await page.goto('/invoices/all')
  await expect(rowOf(page, 'شركة النور (دبي)')).toContainText(/\$230\.00/)
  await rowOf(page, 'شركة النور (دبي)').getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Invoice ق-7' })).toBeVisible()
})

test('an invoice that is not there says so', async ({ page }) => {
  await signedIn(page)
  for (const id of ['987654321', 'abc']) {
    await page.goto(`/invoices/${id}`)
    await expect(page.getByText('This invoice does not exist.')).toBeVisible()
  }
})

test('a list that cannot be loaded offers to try again', async ({ page }) => {
  await signedIn(page)
  await page.route('**/api/v1/invoices/?**', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto('/invoices/all?search=x')
  await expect(page.getByText('Failed to load invoices')).toBeVisible()
  await page.unroute('**/api/v1/invoices/?**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No invoices match')).toBeVisible()
})

test('fits and can be used by everybody', async ({ page }) => {
  const user = await withInvoices(page)
  const items = {
    items: [
      {
        description: 'Bread\nsliced, and a very long word: ' + 'x'.repeat(80),
        unit_price: '9999999.99',
        tax_pct: '19',
      },
    ],
  }
  const long = await issued(page, user, {
    ...buyer('A'.repeat(100)),
    ...items,
    due_date: day(1),
    number: 'N'.repeat(60),
  })
  await ask(page, user, invoices.addPayment, { amount: '5', note: 'By bank' }, { id: long.id })
  await ask(page, user, invoices.credit, undefined, { id: long.id })
  for (const path of ['/invoices/all', `/invoices/${long.id}`, `/invoices/${long.id}?view=document`]) {
    await page.goto(path)
    await expect(page.getByText('A'.repeat(100)).first()).toBeVisible()
    if (path.includes('view')) await expect(page.getByRole('group', { name: /^Page 1/ })).toBeVisible()
    await expectSound(page)
  }
})
