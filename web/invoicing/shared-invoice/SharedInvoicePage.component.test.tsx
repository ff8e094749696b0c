import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type SharedInvoice, sharedInvoices } from '#contract/invoicing/shared-invoices.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { openPage } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const VISITOR = { visitor: true }
const ADDRESS = '/i/token'

const region = (name: string) => page.getByRole('region', { name, exact: true })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const yourName = page.getByLabelText('Your name')
const answered = page.getByText('Your answer has arrived. Muster Bakery can see it now.')

/** An invoice over 230 euros that is to be paid. */
const shared = (fields: Partial<SharedInvoice> = {}): SharedInvoice => ({
  ...blankReply(sharedInvoices.show),
  kind: 'invoice',
  status: 'sent',
  number: 'INV-2026-0001',
  currency: 'EUR',
  issue_date: '2026-01-01',
  due_date: '2026-01-31',
  total: 23_000,
  due: 23_000,
  customer: 'Berg Hotels',
  seller: { name: 'Muster Bakery', email: 'ada@muster.example', phone: '', logo: '' },
  account: {
    holder: `Muster ${'x'.repeat(60)}`,
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    reference: 'INV-2026-0001',
    epc: 'BCD\n002\n1\nSCT\nCOBADEFFXXX\nMuster\nDE89370400440532013000\nEUR230.00\n\n\nINV-2026-0001',
  },
  ...fields,
})
const aQuote = (fields: Partial<SharedInvoice> = {}): SharedInvoice =>
  shared({
    kind: 'quote',
    status: 'issued',
    number: 'QUO-1',
    due_date: '2099-01-31',
    account: null,
    ...fields,
  })

function openShared(shown: SharedInvoice): FakeApi {
  const api = fakeApi().answers(sharedInvoices.show, shown).answers(sharedInvoices.viewed, { ok: true })
  openPage(ADDRESS, VISITOR)
  return api
}

test('an invoice says what to pay, until when and how, and that somebody looks', async () => {
  const api = openShared(shared())
  await expect.element(page.getByRole('heading', { level: 1, name: 'Invoice INV-2026-0001' })).toBeVisible()
  await expect.element(page.getByText('Due on Jan 31, 2026')).toBeVisible()
  const pay = region('Pay by bank transfer')
  await expect.element(pay.getByText('DE89 3704 0044 0532 0130 00')).toBeVisible()
  await expect.element(pay.getByText('Scan it with your banking app')).toBeVisible()
  await expect.element(pay.getByRole('img', { name: 'QR code for this transfer' })).toBeVisible()
  await expect.element(page.getByRole('navigation')).not.toBeInTheDocument()
  await expectSound()
  expect(api.calls(sharedInvoices.viewed)).toHaveLength(1)
})

test('dollars have no code for a transfer', async () => {
  const account = { ...shared().account, epc: null } as SharedInvoice['account']
  openShared(shared({ currency: 'USD', account }))
  await expect.element(region('Pay by bank transfer').getByText(/^DE89/)).toBeVisible()
  await expect.element(page.getByText('Scan it with your banking app')).not.toBeInTheDocument()
})

test.each([
  [
    'late',
    { status: 'overdue', paid: 3000, due: 20_000, payments: [{ amount: 3000, paid_on: '2026-02-01' }] },
    'Was due on Jan 31, 2026 · €200.00 is left of €230.00',
  ],
  [
    'paid',
    {
      status: 'paid',
      paid: 23_000,
      due: 0,
      account: null,
      payments: [{ amount: 23_000, paid_on: '2026-02-03' }],
    },
    'Paid on Feb 3, 2026. Thank you.',
  ],
  [
    'taken back',
    { status: 'credited', due: 0, account: null, credit_notes: [{ number: 'CN-2026-0001', total: 23_000 }] },
    'This invoice over €230.00 was taken back by CN-2026-0001. There is nothing to pay.',
  ],
  [
    'a credit note',
    { kind: 'credit_note', account: null, credits: 'INV-2026-0001' },
    'Credited to you for invoice INV-2026-0001',
  ],
] as const)('what is %s says so', async (_, fields, words) => {
  openShared(shared(fields as unknown as Partial<SharedInvoice>))
  await expect.element(page.getByText(words)).toBeVisible()
  const isLate = words.startsWith('Was due')
  await expect.poll(() => region('Pay by bank transfer').length).toBe(isLate ? 1 : 0)
  if (isLate)
    await expect.element(page.getByRole('list', { name: 'Payments' })).toHaveTextContent('Feb 1, 2026€30.00')
})

test('a link that does not work says so', async () => {
  const why = 'This link is not valid. Please ask the sender for a new one.'
  fakeApi().refuses(sharedInvoices.show, 404, why).answers(sharedInvoices.viewed, { ok: true })
  openPage(ADDRESS, VISITOR)
  await expect.element(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await expect.element(page.getByText(why)).toBeVisible()
  await expectSound()
})

test('a quote is accepted with a name', async () => {
  const api = openShared(aQuote())
  await expect.element(page.getByText(/^Valid until /)).toBeVisible()
  await press('Accept quote')
  await expect.element(page.getByText('Please enter your name')).toBeVisible()
  await expect.element(yourName).toHaveFocus()
  await expectSound()
  const done = aQuote({
    status: 'accepted',
    accepted_by: 'Jana Berg',
    accepted_at: '2026-11-20T10:00:00.000Z',
  })
  api.answers(sharedInvoices.accept, done)
  await yourName.fill('Jana Berg')
  api.answers(sharedInvoices.show, done)
  await press('Accept quote')
  await expect.element(page.getByText(/^Accepted by Jana Berg on .* Thank you\.$/)).toBeVisible()
  await expect.element(answered).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Accept quote' })).not.toBeInTheDocument()
  expect(api.calls(sharedInvoices.accept)[0]?.body).toEqual({ name: 'Jana Berg' })
})

test('a quote is declined with a reason, in one line', async () => {
  const api = openShared(aQuote())
  await press('Decline')
  await expect.element(page.getByLabelText('Reason')).toHaveFocus()
  await press('Back')
  await expect.element(yourName).toBeVisible()
  await press('Decline')
  await expectSound()
  await page.getByLabelText('Reason').fill('We found\nsomebody else')
  const done = aQuote({ status: 'declined', declined_at: '2026-11-20T10:00:00.000Z' })
  api.answers(sharedInvoices.decline, done).answers(sharedInvoices.show, done)
  await press('Decline quote')
  await expect.element(page.getByText(/^Declined on /)).toBeVisible()
  await expect.element(answered).toBeVisible()
  expect(api.calls(sharedInvoices.decline)[0]?.body).toEqual({ reason: 'We found somebody else' })
})

test('an answer that comes too late shows what was answered before', async () => {
  const api = openShared(aQuote()).refuses(sharedInvoices.accept, 409, 'Answered')
  await yourName.fill('Jana')
  api.answers(sharedInvoices.show, aQuote({ status: 'declined', declined_at: '2026-11-20T10:00:00.000Z' }))
  await press('Accept quote')
  await expect.element(page.getByText(/^Declined on /)).toBeVisible()
})

test('a quote that has expired cannot be answered', async () => {
  openShared(aQuote({ status: 'expired', due_date: '2020-02-01' }))
  await expect.element(page.getByText('Was valid until Feb 1, 2020. Please ask for a new one.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Accept quote' })).not.toBeInTheDocument()
})
