import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type InvoiceRow, invoices } from '#contract/invoicing/saved-invoices.ts'
import { blankReply } from '../../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { anIssued, aRow } from '../../../../tests/support/fake-invoices.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

/** A day of the browser's time zone. */
function day(offset: number): string {
  const at = new Date(new Date().toLocaleDateString('sv', { timeZone: 'Europe/Berlin' }))
  at.setUTCDate(at.getUTCDate() + offset)
  return at.toISOString().slice(0, 10)
}

const table = page.getByRole('table', { name: 'Invoices' })
const rows = table.getByRole('row')
const rowOf = (name: string) => rows.filter({ hasText: name })
const tab = (name: string) => page.getByRole('tab', { name })
const dialog = page.getByRole('dialog')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })

const LATE = aRow(1, { customer: 'Late Ltd', status: 'overdue', due_date: day(-3), currency: 'EUR' })
const SOON = aRow(2, { customer: 'Soon Ltd', due_date: day(5), currency: 'EUR' })
const PAID = aRow(3, {
  customer: 'Paid Ltd',
  status: 'paid',
  sums: { total: 23_000, paid: 23_000, credited: 0, due: 0 },
})
const DRAFT = aRow(4, { customer: 'Draft Ltd', status: 'draft', number: '', issued_at: null })
const ALL = [LATE, SOON, PAID, DRAFT]

/** A server with these documents, and the figures of four. */
function apiWith(
  all: InvoiceRow[] = ALL,
  counts: Partial<Record<'credit_notes' | 'quotes' | 'all', number>> = {},
): FakeApi {
  return fakeApi()
    .answers(invoices.totals, {
      counts: { all: 4, draft: 1, open: 2, overdue: 1, paid: 1, credit_notes: 0, quotes: 0, ...counts },
      currencies: [{ currency: 'EUR', outstanding: 46_000, overdue: 23_000, paid: 0 }],
    })
    .answers(invoices.list, ({ query: { search = '', status } }) =>
      all.filter(
        (row) =>
          row.customer.toLowerCase().includes(search) &&
          (status === 'all' || status === row.status || (status === 'quotes' && row.kind === 'quote')),
      ),
    )
    .answers(invoices.nextNumber, { number: 'INV-2026-0001' })
}

async function choose(row: string, act: string): Promise<void> {
  await rowOf(row)
    .getByRole('button', { name: /^More actions/ })
    .click()
  await page.getByRole('menuitem', { name: act, exact: true }).click()
}

test('says that there are none yet, and leads to the first one', async () => {
  fakeApi().answers(invoices.totals).answers(invoices.list)
  openPage('/invoices/all')
  await expect.element(page.getByText('No invoices yet')).toBeVisible()
  await expect.poll(() => document.title).toMatch(/Invoices/)
  const nav = page.getByRole('navigation', { name: 'Invoices' })
  await expect
    .element(nav.getByRole('link', { name: 'All invoices' }))
    .toHaveAttribute('aria-current', 'page')
  await expect
    .element(page.getByRole('link', { name: 'Write the first one' }))
    .toHaveAttribute('href', '/invoices')
  await expectSound()
})

test('shows what is owed, what is late, and filters by it', async () => {
  apiWith()
  openPage('/invoices/all')
  await expect
    .element(page.getByRole('list', { name: 'Outstanding' }))
    .toHaveTextContent('Outstanding €460.00 · Overdue €230.00')
  await expect.element(rowOf('Late Ltd')).toMatchTextContent(/Overdue.*3 days late.*€230\.00/)
  await expect.element(rowOf('Soon Ltd')).toMatchTextContent(/Issued.*in 5 days/)
  await expect.element(rowOf('Paid Ltd')).toMatchTextContent('Paid')
  await expect.element(rowOf('Draft Ltd')).toMatchTextContent('Draft invoice')
  await expect.element(tab('All 4')).toHaveAttribute('aria-selected', 'true')
  await tab('Overdue 1').click()
  await expect.element(rowOf('Soon Ltd')).not.toBeInTheDocument()
  await expect.element(rowOf('Late Ltd')).toBeVisible()
  await expect.poll(() => location.search).toMatch(/status=overdue/)
  // The arrow keys move between the filters.
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(rowOf('Paid Ltd')).toBeVisible()
  await expect.element(rowOf('Late Ltd')).not.toBeInTheDocument()
  await expect.poll(() => location.search).toMatch(/status=paid/)
})

test('what is no filter in the address is left out', async () => {
  const api = apiWith()
  openPage('/invoices/all?status=nonsense&sort=nonsense&page=9')
  await expect.element(tab('All 4')).toHaveAttribute('aria-selected', 'true')
  await expect.element(rowOf('Late Ltd')).toBeVisible()
  expect(api.calls(invoices.list)[0]?.query).toMatchObject({ status: 'all', sort: 'newest' })
})

test('is searched from the keyboard and sorted by its columns', async () => {
  const api = apiWith()
  openPage('/invoices/all')
  await expect.element(rowOf('Late Ltd')).toBeVisible()
  await userEvent.keyboard('/')
  await userEvent.keyboard('soon')
  await expect.element(rowOf('Late Ltd')).not.toBeInTheDocument()
  await expect.element(rowOf('Soon Ltd')).toBeVisible()
  await page.getByRole('searchbox').fill('nobody')
  await expect.element(page.getByText('No invoices match')).toBeVisible()
  await button('Clear search').click()
  await expect.element(rowOf('Late Ltd')).toBeVisible()
  await button('Customer').click()
  await expect
    .element(page.getByRole('columnheader', { name: 'Customer' }))
    .toHaveAttribute('aria-sort', 'ascending')
  const asked = () => api.calls(invoices.list).at(-1)?.query
  await expect.poll(asked).toMatchObject({ sort: 'customer' })
  await button('Due').click()
  await expect.poll(asked).toMatchObject({ sort: 'due_date' })
})

test('issues a draft from its row, once, with the number that is proposed; all that is missing is said', async () => {
  const fields = { 'buyer.name': 'Please enter the customer’s name', items: 'Please add a line' }
  const api = apiWith().refuses(invoices.issue, 400, 'Please enter the customer’s name', { fields })
  openPage('/invoices/all')
  await rowOf('Draft Ltd')
    .getByRole('button', { name: /^Issue/ })
    .click()
  await expect.element(dialog).toMatchTextContent('$230.00 from Draft Ltd. It gets the number INV-2026-0001')
  await inDialog('Issue').click()
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent('Please enter the customer’s name. Please add a line.')
  await expectSound('[role=dialog]')
  const answer = Promise.withResolvers<Response>()
  api.responds(invoices.issue, () => answer.promise)
  await inDialog('Issue').dblClick()
  answer.resolve(Response.json(anIssued({ number: 'INV-2026-0001' })))
  await expect.element(toast('Invoice INV-2026-0001 issued')).toBeVisible()
  expect(api.calls(invoices.issue)).toHaveLength(2)
})

test('a payment says what is wrong beside its field, is recorded once, and taken back', async () => {
  const payment = { id: 7, amount: 3050, paid_on: '2020-02-01', note: 'By bank', created_at: LATE.created_at }
  const api = apiWith().refuses(invoices.addPayment, 400, 'x', {
    fields: { amount: 'This cannot be below 0' },
  })
  openPage('/invoices/all')
  await choose('Late Ltd', 'Record payment')
  await expect.element(dialog).toMatchTextContent('R-1: €230.00 is left to pay.')
  const amount = dialog.getByLabelText('Amount (EUR)')
  await expect.element(amount).toHaveValue('230.00')
  await amount.fill('-5')
  await dialog.getByLabelText('Note').fill('By bank')
  await inDialog('Record payment').click()
  await expect.element(dialog).toMatchTextContent('This cannot be below 0')
  await expect.element(amount).toHaveFocus()
  await expectSound('[role=dialog]')
  api.refuses(invoices.addPayment, 400, 'x', { fields: { amount: 'Only €230.00 is left to pay' } })
  await amount.fill('230.01')
  await inDialog('Record payment').click()
  await expect.element(dialog).toMatchTextContent('Only €230.00 is left to pay')
  await expect.element(dialog.getByLabelText('Note')).toHaveValue('By bank')
  const answer = Promise.withResolvers<Response>()
  api.responds(invoices.addPayment, () => answer.promise).answers(invoices.removePayment, anIssued())
  await amount.fill('30.50')
  await inDialog('Record payment').dblClick()
  answer.resolve(Response.json(anIssued({ payments: [payment] })))
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(toast('Payment recorded')).toBeVisible()
  await button('Undo').click()
  await expect.element(toast('Payment removed')).toBeVisible()
  expect(api.calls(invoices.removePayment)[0]?.params).toEqual({ id: '1', payment_id: '7' })
  // However often it is pressed, it is one payment for the server.
  const recorded = api.calls(invoices.addPayment).slice(2)
  expect(new Set(recorded.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1)
})

test('a draft is deleted and brought back; what was issued is not', async () => {
  const api = apiWith().answers(invoices.remove, { ok: true }).answers(invoices.restore, anIssued())
  openPage('/invoices/all')
  await rowOf('Late Ltd')
    .getByRole('button', { name: /^More actions/ })
    .click()
  await expect.element(page.getByRole('menuitem', { name: 'Credit note' })).toBeVisible()
  await expect.element(page.getByRole('menuitem', { name: 'Delete' })).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await choose('Draft Ltd', 'Delete')
  await expect.element(toast('Draft deleted')).toBeVisible()
  await button('Undo').click()
  await expect.poll(() => api.calls(invoices.restore).map(({ params }) => params)).toEqual([{ id: '4' }])
})

test('quotes have a tab and an end of their own', async () => {
  const quote = { kind: 'quote' as const, number: 'QUO-2020-0001' }
  apiWith(
    [
      aRow(5, { ...quote, customer: 'Late Ltd', status: 'expired' }),
      aRow(6, { ...quote, customer: 'Open Ltd', number: 'QUO-2020-0002', due_date: day(14) }),
    ],
    { quotes: 2 },
  )
  openPage('/invoices/all?status=quotes')
  await expect.element(tab('Quotes 2')).toHaveAttribute('aria-selected', 'true')
  await expect.element(rowOf('Late Ltd')).toMatchTextContent(/QUO-2020-0001.*Expired.*Feb 1, 2020.*\$230\.00/)
  await expect.element(rowOf('Open Ltd')).toMatchTextContent(/QUO-2020-0002.*Open.*\$230\.00/)
  await expectSound()
  await rowOf('Open Ltd')
    .getByRole('button', { name: /^Mark as accepted/ })
    .click()
  await expect.element(page.getByRole('dialog', { name: 'Mark as accepted' })).toBeVisible()
})

test('long names and numbers in any script fit', async () => {
  apiWith([
    aRow(1, { customer: 'A'.repeat(100), number: 'N'.repeat(60), due_date: day(1) }),
    aRow(2, { customer: 'شركة النور (دبي)', number: 'ق-7' }),
  ])
  openPage('/invoices/all')
  await expect.element(rowOf('شركة النور (دبي)')).toMatchTextContent('$230.00')
  await expectSound()
})

test('a list that cannot be loaded offers to try again', async () => {
  const api = apiWith().refuses(invoices.list, 500, '')
  openPage('/invoices/all?search=x')
  await expect.element(page.getByText('Failed to load invoices')).toBeVisible()
  api.answers(invoices.list, blankReply(invoices.list))
  await button('Try again').click()
  await expect.element(page.getByText('No invoices match')).toBeVisible()
})
