import type { Browser, Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '../../support/client.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { anInvoice } from '../../support/invoices.ts'
import { downloaded } from '../../support/pdf-download.ts'
import { toast } from '../../support/toast.ts'

type Fields = BodyInput<typeof invoices.add>
type Howl = { url: string }

const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Invoices' }).getByRole('row').filter({ hasText: name })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** A quote that waits for an answer. */
async function issued(howl: Howl, { token }: E2eUser, fields: Fields = {}) {
  const body = anInvoice({ kind: 'quote', issue_date: '2020-01-01', due_date: day(14), ...fields })
  const { body: draft } = await call(howl.url, invoices.add, { token, body })
  const answer = await call(howl.url, invoices.issue, { token, params: { id: draft.id } })
  expect(answer.status).toBe(200)
  return answer.body
}

test('a quote is written, issued, accepted, and becomes an invoice', async ({ page }) => {
  await signedIn(page, { name: 'Ada Muster' })
  await page.goto('/invoices')
  const nav = page.getByRole('navigation', { name: 'Invoices' })
  await nav.getByRole('link', { name: 'New quote' }).click()
  await expect(heading(page, 'Quotes')).toBeVisible()
  await expect(nav.getByRole('link', { name: 'New quote' })).toHaveAttribute('aria-current', 'page')
  await expect(nav.getByRole('link', { name: 'New invoice' })).not.toHaveAttribute('aria-current')
  await expect(field(page, 'Quote number')).toHaveValue(/^QUO-\d{4}-0001$/)
  await expect(field(page, 'Valid until')).toHaveValue(/^\d{4}-\d{2}-\d{2}$/)
  await expect(field(page, 'Notes')).toHaveValue(
    'This offer holds until the date above. We would be glad to work for you.',
  )
  await expect(page.getByLabel(/^Amount paid/)).toHaveCount(0)
  await group(page, 'Prepared For').getByLabel('Name', { exact: true }).fill('Jana Berg')
  await page.getByLabel('Description').first().fill('Wedding cake')
  await page.getByLabel('Unit price').first().fill('250')
  await expect(page.getByLabel('Sums', { exact: true })).toContainText(
    /Subtotal\s*\$250\.00\s*Total\s*\$250\.00/,
  )
  await page.getByRole('button', { name: 'Preview' }).click()
  const sheet = page.getByRole('region', { name: 'Preview' })
  await expect(sheet).toContainText(/Valid until/)
  await expect(sheet).not.toContainText(/Amount due|Due date/)
  const pdf = await downloaded(page)
  expect(pdf.name).toMatch(/^quote-QUO-\d{4}-0001\.pdf$/)
  expect(pdf.text).toMatch(/QUOTE.*Quote number.*Total \$250\.00/)
  await press(page, 'Save draft')
  await expect(heading(page, 'Draft quote')).toBeVisible()

  // Changed in the same form, with the same words.
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(heading(page, 'Quotes')).toBeVisible()
  await expect(field(page, 'Quote number')).toBeVisible()
  await field(page, 'PO number').fill('PO 7')
  await press(page, 'Save draft')
  await press(page, 'Issue')
  await page
    .getByRole('dialog', { name: 'Issue this quote?' })
    .getByRole('button', { name: 'Issue', exact: true })
    .click()
  await expect(heading(page, /^Quote QUO-\d{4}-0001$/)).toBeVisible()
  await expect(page.locator('span').getByText('Open', { exact: true })).toBeVisible()
  await expect(group(page, 'Answer')).toContainText(/Waiting for an answer until/)
  await expect(page.getByText('Left to pay')).toHaveCount(0)
  await expect(group(page, 'Payments')).toHaveCount(0)

  await press(page, 'Mark as accepted')
  const dialog = page.getByRole('dialog', { name: 'Mark as accepted' })
  const name = dialog.getByLabel('Accepted by')
  await expect(name).toHaveValue('Jana Berg')
  await name.fill(' ')
  await press(page, 'Mark as accepted')
  await expect(dialog.getByText('Please enter the name of who accepts')).toBeVisible()
  await expect(name).toBeFocused()
  await name.fill('Jana')
  await dialog.getByRole('button', { name: 'Mark as accepted' }).dblclick()
  await expect(group(page, 'Answer')).toContainText(/Accepted by Jana on .*You noted this answer\./)
  await toast(page, /marked as accepted/)
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(group(page, 'Answer')).toContainText(/Waiting for an answer/)
  await press(page, 'Mark as accepted')
  await dialog.getByRole('button', { name: 'Mark as accepted' }).click()

  await page.getByRole('button', { name: 'Create invoice' }).dblclick()
  await expect(heading(page, 'Draft invoice')).toBeVisible()
  await expect(page.getByText(/from quote QUO-\d{4}-0001/)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Lines' })).toContainText(/Wedding cake.*\$250\.00/)
  await press(page, 'Issue')
  await page.getByRole('dialog').getByRole('button', { name: 'Issue', exact: true }).click()
  await expect(heading(page, /^Invoice INV-\d{4}-0001$/)).toBeVisible()
  await page.getByRole('link', { name: /^QUO-/ }).click()
  await expect(page.getByText('Invoiced', { exact: true })).toBeVisible()
  await expect(group(page, 'Answer').getByRole('link', { name: /^INV-/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open again' })).toHaveCount(0)
})

test('what is written as a quote and as an invoice does not mix; the seller is the same', async ({
  page,
}) => {
  await signedIn(page)
  await page.goto('/invoices')
  const name = (title: string) => group(page, title).getByLabel('Name', { exact: true })
  const nav = page.getByRole('navigation', { name: 'Invoices' })
  await group(page, 'Seller').getByLabel('Address').fill('12 Mill Lane')
  await name('Bill To').fill('Invoice Ltd')
  await nav.getByRole('link', { name: 'New quote' }).click()
  await expect(name('Prepared For')).toHaveValue('')
  await expect(group(page, 'Seller').getByLabel('Address')).toHaveValue('12 Mill Lane')
  await name('Prepared For').fill('Quote Ltd')
  await nav.getByRole('link', { name: 'New invoice' }).click()
  await expect(name('Bill To')).toHaveValue('Invoice Ltd')
  await page.goto('/invoices?kind=quote')
  await expect(name('Prepared For')).toHaveValue('Quote Ltd')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).not.toHaveURL(/invoices/)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Quote Ltd')
})

test('a quote is found in the palette and on its contact’s timeline', async ({ page, howl }) => {
  const user = await signedIn(page)
  const { token } = user
  const { body: jana } = await call(howl.url, contacts.add, {
    token,
    body: { name: 'Jana Bright', email: 'jana@far.example' },
  })
  const quote = await issued(howl, user, {
    buyer: { business_name: 'Bright Ltd', email: 'jana@far.example' },
  })
  await call(howl.url, invoices.accept, { token, params: { id: quote.id }, body: { name: 'Jana' } })
  await page.goto(`/contacts/${jana.id}`)
  await expect(
    page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').filter({ hasText: 'QUO-2020-0001' }),
  ).toContainText(/Accepted.*\$230\.00 · accepted by Jana/)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Search everything' }).fill('bright')
  await page.getByRole('option', { name: /QUO-2020-0001.*Bright Ltd.*Accepted/ }).click()
  await expect(heading(page, 'Quote QUO-2020-0001')).toBeVisible()
})

/** The page of somebody who got the link and has no account. */
async function asCustomer(browser: Browser, howl: Howl, { token }: E2eUser, id: number) {
  const { body } = await call(howl.url, invoiceMail.link, { token, params: { id } })
  const customer = await (await browser.newContext()).newPage()
  await customer.goto(`${howl.url}${new URL(body.url ?? '').pathname}`)
  return customer
}

test('a customer accepts a quote by its link, and its owner sees it at once', async ({
  page,
  howl,
  browser,
}) => {
  const user = await signedIn(page)
  const quote = await issued(howl, user)
  await page.goto(`/invoices/${quote.id}`)
  const customer = await asCustomer(browser, howl, user, quote.id)
  await expect(heading(customer, 'Quote QUO-2020-0001')).toBeVisible()
  await expect(customer.getByText(/^Valid until /).first()).toBeVisible()
  await expect(customer.getByText('$230.00').first()).toBeVisible()
  await press(customer, 'Accept quote')
  await expect(customer.getByText('Please enter your name')).toBeVisible()
  await expect(customer.getByLabel('Your name')).toBeFocused()
  await customer.getByLabel('Your name').fill('Jana Berg')
  await customer.getByRole('button', { name: 'Accept quote' }).dblclick()
  await expect(customer.getByText(/^Accepted by Jana Berg on .* Thank you\.$/)).toBeVisible()
  await expect(customer.getByText('Your answer has arrived. Ada Muster can see it now.')).toBeVisible()
  await expect(customer.getByRole('button', { name: 'Accept quote' })).toHaveCount(0)
  await expect(group(page, 'Answer')).toContainText(
    /Accepted by Jana Berg on .*The customer answered on their page\./,
  )
  await expect(page.getByRole('button', { name: 'Create invoice' })).toBeVisible()
  await customer.reload()
  await expect(customer.getByText(/^Accepted by Jana Berg/)).toBeVisible()
})

test('a customer declines a quote with a reason, and its owner opens it again', async ({
  page,
  howl,
  browser,
}) => {
  const user = await signedIn(page)
  const quote = await issued(howl, user)
  const customer = await asCustomer(browser, howl, user, quote.id)
  await press(customer, 'Decline')
  await customer.getByLabel('Reason').fill('We found\nsomebody else')
  await press(customer, 'Decline quote')
  await expect(customer.getByText(/^Declined on /)).toBeVisible()
  await page.goto(`/invoices/${quote.id}`)
  await expect(group(page, 'Answer')).toContainText('We found somebody else')
  await press(page, 'Open again')
  await expect(group(page, 'Answer')).toContainText('Waiting for an answer')

  // Another tab of the customer is late.
  const second = await asCustomer(browser, howl, user, quote.id)
  await second.getByLabel('Your name').fill('Jana')
  await call(howl.url, invoices.decline, { token: user.token, params: { id: quote.id }, body: {} })
  await press(second, 'Accept quote')
  await expect(second.getByText(/^Declined on /)).toBeVisible()
  await page.goto('/invoices/all')
  await page.getByRole('tab', { name: 'Quotes 1' }).click()
  await expect(row(page, 'Bea Ltd')).toContainText('Declined')
})
