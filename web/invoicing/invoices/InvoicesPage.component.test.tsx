import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { auth } from '#contract/accounts/auth.ts'
import { contact, contacts } from '#contract/crm/contacts.ts'
import { exchangeRates } from '#contract/invoicing/exchange-rates.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { tax, taxOf } from '#contract/invoicing/tax.ts'
import { blank, blankReply } from '../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { anIssued } from '../../../tests/support/fake-invoices.ts'
import { newDraft, newItem, sellerOf } from './new-draft.ts'

const GSTIN = '27AAPFU0939F1ZV'

const group = (name: string) => page.getByRole('region', { name, exact: true })
const seller = () => group('Seller')
const field = (label: string) => page.getByLabelText(label, { exact: true })
const lineAt = (index: number) => page.getByRole('listitem', { name: `Line ${index}`, exact: true })
const amountOf = (index: number) => page.getByLabelText(`Amount of line ${index}`, { exact: true })
const sums = () =>
  page
    .getByLabelText('Sums', { exact: true })
    .getByRole('definition')
    .elements()
    .map(({ textContent }) => textContent)
const due = () => sums().at(-1)

async function fillLine(index: number, line: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(line)) await lineAt(index).getByLabelText(label).fill(value)
}

/** The rates of the service; without any, every rate is 1. */
function apiWith(
  rates: Record<string, number> = {},
  about: { as_of: string | null; source: string | null; stale: boolean } = {
    as_of: null,
    source: null,
    stale: true,
  },
): FakeApi {
  return fakeApi()
    .answers(invoices.nextNumber, { number: 'INV-2026-0001' })
    .answers(exchangeRates.get, { base: 'USD', rates: { USD: 1, ...rates }, ...about })
    .answers(tax.compute, ({ query: { country_code = '', sector = 'other', tax_id = '' } }) =>
      taxOf(country_code, sector as 'other', tax_id),
    )
}

test('descriptions that are too long in all are told beside the sums', async () => {
  apiWith()
  const items = Array.from({ length: 50 }, () => ({ ...newItem(), description: 'x'.repeat(1000) }))
  const draft = { ...newDraft('2026-11-20', sellerOf(undefined), undefined), items }
  localStorage.setItem('invoice.draft.1', JSON.stringify({ version: 1, draft, seller: draft.seller }))
  openPage('/invoices')
  await page.getByRole('button', { name: 'Add line' }).click()
  await fillLine(51, { Description: 'x' })
  const told = page.getByText('The descriptions have 50,001 characters in all. Please shorten them to 50,000')
  await expect.element(told).toBeVisible()
  await fillLine(51, { Description: '' })
  await expect.element(told).not.toBeInTheDocument()
})

test('lines, tax, discount and payment add up as they are typed', async () => {
  apiWith()
  openPage('/invoices')
  await fillLine(1, { Description: 'Bread', Quantity: '3', 'Unit price': '19.99', 'Tax %': '20' })
  await expect.element(amountOf(1)).toHaveTextContent('$59.97')
  await page.getByRole('button', { name: 'Add line' }).click()
  await expect.element(lineAt(2).getByLabelText('Description')).toHaveFocus()
  await fillLine(2, {
    Description: 'Cake',
    Quantity: '0.5',
    'Unit price': '100',
    'Discount %': '10',
    'Tax %': '5',
  })
  await expect.element(amountOf(2)).toHaveTextContent('$45.00')
  await field('Discount (USD)').fill('10')
  await field('Amount paid (USD)').fill('50')
  // 104.97 + 2.25 + 11.99 − 10 = 109.21.
  await expect.poll(sums).toEqual(['$104.97', '$2.25', '$11.99', '−$10.00', '$109.21', '−$50.00', '$59.21'])
  await field('Amount paid (USD)').fill('500')
  await expect.poll(due).toBe('$0.00')
  await page.getByRole('button', { name: 'Remove line 1' }).click()
  await expect.element(lineAt(1).getByLabelText('Description')).toHaveValue('Cake')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(lineAt(1).getByLabelText('Description')).toHaveValue('Bread')
  await expect.element(lineAt(2)).toBeVisible()
})

test('a number that cannot be read has a word beside its field, and nothing is lost', async () => {
  apiWith()
  openPage('/invoices')
  const price = lineAt(1).getByLabelText('Unit price')
  for (const [typed, why] of [
    ['12,5', 'Please use a point for decimals, as in 12.50'],
    ['-1', 'This cannot be below 0'],
    ['NaN', 'Please enter a number'],
    ['1e309', 'Please enter a number'],
    ['1.234', 'At most 2 decimals'],
    ['99999999999', 'At most 10000000000'],
  ] as const) {
    await price.fill(typed)
    await expect.element(lineAt(1)).toMatchTextContent(why)
    await expect.element(price).toHaveAttribute('aria-invalid', 'true')
    await expect.element(price).toHaveValue(typed)
    await expect.element(amountOf(1)).toHaveTextContent('–')
  }
  await page.getByRole('button', { name: 'Download PDF' }).click()
  await expect.element(page.getByText('Please correct the marked fields first.')).toBeVisible()
  await expect.element(price).toHaveFocus()
  await price.fill('12.5')
  await expect.element(amountOf(1)).toHaveTextContent('$12.50')
  await lineAt(1).getByLabelText('Discount %').fill('101')
  await expect.element(lineAt(1)).toMatchTextContent('At most 100')
  await field('Issue date').fill('2026-11-23')
  await field('Due date').fill('2026-11-01')
  await expect.element(group('Invoice')).toMatchTextContent('The due date is before the issue date')
})

test('a valid tax number makes the tax of country and sector apply', async () => {
  apiWith()
  openPage('/invoices')
  const taxes = group('Tax Settings')
  const number = seller().getByLabelText('Tax number', { exact: true })
  await field('Country').selectOptions('IN')
  await expect.element(taxes).toMatchTextContent('No tax. Tax applies once the seller has a tax number.')
  await fillLine(1, { 'Unit price': '100' })
  await number.fill('27AAPFU0939F1ZW')
  await expect.element(seller()).toMatchTextContent('Invalid')
  await expect.element(taxes).toMatchTextContent('Tax applies once the seller’s tax number is valid.')
  await expect.poll(due).toBe('$100.00')
  await number.fill(GSTIN)
  await expect.element(seller().getByText('Valid', { exact: true })).toBeVisible()
  for (const [sector, percent] of [
    ['saas', 18],
    ['education', 12],
    ['healthcare', 5],
    ['other', 18],
  ] as const) {
    await field('Sector').selectOptions(sector)
    await expect.element(taxes).toMatchTextContent(`GST ${percent}%.`)
    await expect.poll(due).toBe(`$${100 + percent}.00`)
  }
  // What a line says itself counts more.
  await fillLine(1, { 'Tax %': '0' })
  await expect.poll(due).toBe('$100.00')
  await fillLine(1, { 'Tax %': '' })
  await field('Country').selectOptions('GB')
  await expect.element(seller()).toMatchTextContent('Invalid')
  await number.fill('123 456 789')
  await expect.element(taxes).toMatchTextContent('VAT 20%.')
  await expect.poll(due).toBe('$120.00')
  await field('Country').selectOptions('DE')
  await expect.element(taxes).toMatchTextContent('No tax. No rate is known for Germany.')
  await expect.element(seller().getByText('Valid', { exact: true })).toBeVisible()
})

test('the tax falls back on the same rules when the server does not answer', async () => {
  const api = apiWith().refuses(tax.compute, 503, 'Not now')
  openPage('/invoices')
  await field('Country').selectOptions('IN')
  await seller().getByLabelText('Tax number', { exact: true }).fill(GSTIN)
  await expect.element(group('Tax Settings')).toMatchTextContent('GST 18%.')
  // Nor when it answers what is no tax.
  api.responds(tax.compute, () => Response.json({ tax_percent: 'a lot', tax_name: 'X' }))
  await field('Sector').selectOptions('healthcare')
  await expect.element(group('Tax Settings')).toMatchTextContent('GST 5%.')
  for (const alert of page.getByRole('alert').elements()) expect(alert.textContent).toBe('')
})

test('prices in dollars are shown times the rate, and the page says when there is none', async () => {
  apiWith(
    { EUR: 0.92, JPY: 151.2 },
    { as_of: '2026-11-20T00:00:00.000Z', source: 'rates.example', stale: false },
  )
  openPage('/invoices')
  await fillLine(1, { Description: 'Bread', Quantity: '2', 'Unit price': '10.05' })
  await field('Currency').selectOptions('EUR')
  await expect
    .element(page.getByText('1 USD = 0.92 EUR, the rate of 20 Nov 2026 by rates.example.'))
    .toBeVisible()
  await expect.element(amountOf(1)).toHaveTextContent('€18.50')
  await field('Currency').selectOptions('JPY')
  // 10.05 × 151.2 = 1519.56, rounded before it is doubled.
  await expect.element(amountOf(1)).toHaveTextContent('¥3,040')
  await page.getByRole('switch', { name: 'Convert from US dollars' }).click()
  await expect.element(lineAt(1)).toMatchTextContent('Please enter a whole number')
  await fillLine(1, { 'Unit price': '1000' })
  await expect.element(amountOf(1)).toHaveTextContent('¥2,000')
  await field('Currency').selectOptions('USD')
  await expect.element(page.getByRole('switch')).not.toBeInTheDocument()
  // A currency that the service does not know.
  await field('Currency').selectOptions('AED')
  await page.getByRole('switch', { name: 'Convert from US dollars' }).click()
  await expect
    .element(page.getByText('No exchange rate to AED is known: amounts are not converted.'))
    .toBeVisible()
})

test('an old rate is shown with its day', async () => {
  apiWith({ EUR: 0.92 }, { as_of: '2026-10-01T00:00:00.000Z', source: null, stale: true })
  openPage('/invoices')
  await field('Currency').selectOptions('EUR')
  await expect
    .element(page.getByText('1 USD = 0.92 EUR. This is the last known rate, of 1 Oct 2026.'))
    .toBeVisible()
})

test('without any rate amounts stay as they are typed', async () => {
  apiWith()
  openPage('/invoices')
  await fillLine(1, { 'Unit price': '10' })
  await field('Currency').selectOptions('EUR')
  await expect
    .element(page.getByText('No exchange rate to EUR is known: amounts are not converted.'))
    .toBeVisible()
  await expect.poll(due).toBe('€10.00')
})

test.each(['{"version":99,"draft":{}}', '{"version":1,'])('a kept draft is left: %s', async (kept) => {
  apiWith()
  localStorage.setItem('invoice.draft.1', kept)
  openPage('/invoices')
  await expect.element(field('Notes')).toHaveValue('Payment due within 30 days. Thank you for your business.')
})

test('the form begins with what is known, and marks what an invoice needs', async () => {
  const api = apiWith()
  api.answers(auth.me, {
    ...blankReply(auth.me),
    id: 1,
    name: 'Ada Muster',
    full_name: 'Ada Muster',
    company_name: 'Muster Ltd',
    email: 'ada@howl.example',
    currency: 'USD',
  })
  openPage('/invoices')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Invoices')
  await expect.poll(() => document.title).toBe('Invoices · Howl')
  await expect.element(page.getByRole('form', { name: 'Details' })).toBeVisible()
  for (const name of ['Seller', 'Tax Settings', 'Bill To', 'Invoice', 'Line Items'])
    await expect.element(group(name)).toBeVisible()
  await expect.element(seller().getByLabelText('Name', { exact: true })).toHaveValue('Ada Muster')
  await expect.element(seller().getByLabelText('Business name')).toHaveValue('Muster Ltd')
  await expect.element(seller().getByLabelText('Email')).toHaveValue('ada@howl.example')
  await expect.element(field('Invoice number')).toHaveValue('INV-2026-0001')
  const dayOf = (label: string) => (field(label).element() as HTMLInputElement).value
  expect((Date.parse(dayOf('Due date')) - Date.parse(dayOf('Issue date'))) / 86_400_000).toBe(30)
  await expect.element(field('Notes')).toHaveValue('Payment due within 30 days. Thank you for your business.')
  await expect.element(field('Currency')).toHaveValue('USD')
  await expect.element(field('Service period start')).toHaveValue('')
  for (const who of [seller(), group('Bill To')])
    for (const label of ['Name', 'Business name', 'Address', 'Email', 'Phone', 'Tax number'])
      await expect
        .element(who.getByLabelText(label, { exact: true }))
        .toHaveAttribute('aria-required', 'true')
  for (const label of ['PO number', 'Invoice number', 'Currency', 'Issue date', 'Due date', 'Notes'])
    await expect.element(field(label)).toHaveAttribute('aria-required', 'true')
  await expect.element(field('Service period end')).not.toHaveAttribute('aria-required')
  const offered = (label: string) =>
    field(label)
      .getByRole('option')
      .elements()
      .map(({ textContent }) => textContent)
  expect(offered('Layout style')).toEqual(['Classic', 'Modern', 'Minimal', 'Professional', 'Compact'])
  expect(offered('Currency')).toHaveLength(12)
})

test('the buyer is taken from the contacts', async () => {
  const kim = blank(contact, {
    id: 3,
    name: 'Kim Berg',
    email: 'kim@berg.example',
    company: 'Berg Hotels',
    phone: '+49 30 1',
  })
  apiWith().answers(contacts.list, ({ query: { search = '' } }) => (search === 'berg' ? [kim] : []))
  openPage('/invoices')
  const buyer = group('Bill To')
  const find = buyer.getByRole('combobox', { name: 'Choose from contacts' })
  await find.fill('nobody')
  await expect.element(buyer).toMatchTextContent('No contact found for “nobody”.')
  await find.fill('berg')
  await expect.element(buyer.getByRole('option')).toHaveTextContent('Kim BergBerg Hotels')
  await userEvent.keyboard('{Enter}')
  await expect.element(buyer.getByLabelText('Name', { exact: true })).toHaveValue('Kim Berg')
  await expect.element(buyer.getByLabelText('Business name')).toHaveValue('Berg Hotels')
  await expect.element(buyer.getByLabelText('Email')).toHaveValue('kim@berg.example')
  await expect.element(buyer.getByLabelText('Phone')).toHaveValue('+49 30 1')
})

test('a new invoice waits for the number of now: that of the last look may have been given', async () => {
  const api = apiWith().answers(invoices.list).answers(invoices.totals)
  openPage('/invoices')
  const number = field('Invoice number')
  await expect.element(number).toHaveValue('INV-2026-0001')
  await page.getByRole('link', { name: 'All invoices' }).click()
  await expect.element(number).not.toBeInTheDocument()
  api.answers(invoices.nextNumber, { number: 'INV-2026-0002' })
  await page.getByRole('link', { name: 'New invoice' }).first().click()
  await expect.element(number).toHaveValue('INV-2026-0002')
})

test('what another tab has saved meanwhile is not written over: the server hears which version was opened', async () => {
  const saved = (version: number) => anIssued({ id: 7, status: 'draft', version })
  const api = apiWith()
    .answers(invoices.get, saved(1))
    .refuses(invoices.update, 409, 'This draft was changed elsewhere in the meantime.')
  openPage('/invoices?edit=7')
  await fillLine(1, { Description: 'Cake' })
  api.answers(invoices.get, saved(2))
  api.tells({ topic: 'invoices' })
  await expect.poll(() => api.calls(invoices.get)).toHaveLength(2)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect.element(toast('This draft was changed elsewhere in the meantime.')).toBeVisible()
  expect(api.calls(invoices.update)[0]?.body).toMatchObject({ version: 1, items: [{ description: 'Cake' }] })
  await expect.element(lineAt(1).getByLabelText('Description')).toHaveValue('Cake')
})
