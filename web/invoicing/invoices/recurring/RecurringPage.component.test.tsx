import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type RecurringInvoice, recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import { heldMails } from '#contract/mail/held-mail.ts'
import { leaving, MAIL_WAITS } from '#contract/operations/leaving.ts'
import { openPage, toast } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { anIssued, apiWithInvoice } from '../../../../tests/support/fake-invoices.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

const dialog = page.getByRole('dialog')
const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
const rowOf = (name: string) =>
  page.getByRole('table', { name: 'Recurring invoices' }).getByRole('row').filter({ hasText: name })

const aSchedule = (fields: Partial<RecurringInvoice> = {}): RecurringInvoice => ({
  id: 1,
  every: 'month',
  makes: 'draft',
  state: 'active',
  customer: 'Bea Berg',
  contact_id: null,
  currency: 'USD',
  total: 23_000,
  next_on: '2099-01-31',
  ends_on: null,
  times: null,
  made: 1,
  last: { id: 9, number: 'INV-9', status: 'issued', issue_date: '2026-11-20' },
  fault: '',
  created_at: '2026-11-20T10:00:00.000Z',
  ...fields,
})

/** A server whose schedule has the state that it was given last. */
function openRecurring(...others: RecurringInvoice[]): FakeApi {
  let shown = aSchedule()
  const api = fakeApi()
    .answers(recurringInvoices.list, () => [shown, ...others])
    .answers(recurringInvoices.setState, ({ body }) => (shown = aSchedule(body)))
  openPage('/invoices/recurring')
  return api
}

async function choose(row: string, act: string): Promise<void> {
  await rowOf(row)
    .getByRole('button', { name: /^More actions/ })
    .click()
  await page.getByRole('menuitem', { name: act, exact: true }).click()
}

test('says what a recurring invoice is while there is none', async () => {
  fakeApi().answers(recurringInvoices.list)
  openPage('/invoices/recurring')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Recurring invoices' })).toBeVisible()
  await expect.poll(() => document.title).toMatch(/Recurring invoices/)
  const entry = page.getByRole('navigation', { name: 'Invoices' }).getByRole('link', { name: 'Recurring' })
  await expect.element(entry).toHaveAttribute('aria-current', 'page')
  await expect.element(page.getByText('Nothing is repeated yet')).toBeVisible()
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'All invoices' }).last())
    .toHaveAttribute('href', '/invoices/all')
})

test('tells no day while all mail is paused', async () => {
  openRecurring()
    .answers(leaving.mailPause, { paused_at: '2027-03-01T08:00:00Z', waiting: 0 })
    .answers(heldMails.list, null)
  await expect.element(rowOf('Bea Berg')).toMatchTextContent(MAIL_WAITS)
})

test('is paused, goes on, is ended and brought back', async () => {
  const api = openRecurring()
  await choose('Bea Berg', 'Pause')
  await expect.element(rowOf('Bea Berg')).toMatchTextContent('Paused')
  await expect.element(toast('Recurring invoice paused')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(rowOf('Bea Berg')).toMatchTextContent('Active')
  await choose('Bea Berg', 'End')
  await expect.element(rowOf('Bea Berg')).toMatchTextContent('Ended')
  await choose('Bea Berg', 'Start again')
  await expect.element(rowOf('Bea Berg')).toMatchTextContent('Active')
  expect(api.calls(recurringInvoices.setState).map(({ body }) => body?.state)).toEqual([
    'paused',
    'active',
    'ended',
    'active',
  ])
})

test('is changed, also to the content of what it made last; list and dialog are sound', async () => {
  const long = 'A Customer With A Very Long Name That Goes On And On Ltd'
  const api = openRecurring(aSchedule({ id: 2, customer: long, times: 12, makes: 'issued' }))
  await expect.element(rowOf(long)).toMatchTextContent(/Every month.*issued at once.*After 11 more/)
  await expectSound()
  await choose('Bea Berg', 'Change')
  await expect.element(dialog).toMatchTextContent('and so on')
  await expectSound('[role=dialog]')
  await dialog.getByRole('radio', { name: 'Every year' }).click()
  const content = dialog.getByLabelText('What it contains')
  await content.selectOptions(content.getByRole('option').nth(1))
  api.answers(recurringInvoices.update, aSchedule({ every: 'year' }))
  await inDialog('Save').click()
  await expect.element(toast('Recurring invoice changed')).toBeVisible()
  expect(api.calls(recurringInvoices.update).map(({ body }) => body)).toEqual([
    // What another tab may have changed is not written over.
    { every: 'year', invoice_id: 9 },
  ])
})

test('what cannot be repeated is said beside its field, and what is missing before an issue', async () => {
  const whole = 'Please enter a whole number from 1 to 600'
  const api = apiWithInvoice(anIssued({ customer: 'Bea Berg' })).refuses(recurringInvoices.add, 400, whole, {
    fields: { times: whole },
  })
  openPage('/invoices/1')
  await page
    .getByRole('button', { name: /^More actions/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Repeat…' }).click()
  await expect.element(dialog).toMatchTextContent('It is made anew for Bea Berg')
  await dialog.getByLabelText('Ends').selectOptions('After a number of invoices')
  const times = dialog.getByLabelText('Invoices in all')
  await times.fill('0')
  await expect.element(dialog).toMatchTextContent('No invoice is made.')
  await inDialog('Repeat').click()
  await expect.element(dialog).toMatchTextContent(whole)
  await expect.element(times).toHaveValue('0')
  api.refuses(recurringInvoices.add, 400, 'Please add a line', { fields: { items: 'Please add a line' } })
  await dialog.getByLabelText('What is made').selectOptions('An issued invoice')
  await inDialog('Repeat').click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Please add a line.')
})
