import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { contacts } from '#contract/crm/contacts.ts'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { type Invoice, invoices } from '#contract/invoicing/saved-invoices.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { blankReply } from '../../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { anIssued, apiWithInvoice } from '../../../../tests/support/fake-invoices.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

const AT = '2026-11-20T10:00:00.000Z'
const ITEM = { description: 'Bread', quantity: '2', unit_price: '100', discount_pct: '', tax_pct: '' }

const region = (name: string) => page.getByRole('region', { name, exact: true })
const tab = (name: string) => page.getByRole('tab', { name })
const dialog = page.getByRole('dialog')
const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const lines = page.getByRole('table', { name: 'Lines' })

function openInvoice(shown: Invoice): FakeApi {
  const api = apiWithInvoice(shown)
  openPage('/invoices/1')
  return api
}

test('shows the lines as they are on paper, and the paper itself', async () => {
  const shown = anIssued({
    number: 'P-1',
    items: [
      { ...ITEM, quantity: '1.50', unit_price: '1200', tax_pct: '7' },
      { ...ITEM, description: 'Advice', quantity: '1', unit_price: '80', discount_pct: '12.50' },
    ],
    discount: '',
  })
  openInvoice({ ...shown, sums: { ...shown.sums, lines: [180_000, 7000] } })
  const row = (at: number) => lines.getByRole('row').nth(at)
  await expect.element(row(0)).toMatchTextContent(/Quantity.*Unit price.*Discount.*Tax.*Amount/)
  await expect.element(row(1)).toMatchTextContent(/Bread.*1\.5.*\$1,200\.00.*–.*7%.*\$1,800\.00/)
  await expect.element(row(2)).toMatchTextContent(/Advice.*1.*\$80\.00.*12\.5%.*–.*\$70\.00/)
  await tab('Document').click()
  const paper = page.getByRole('group', { name: 'Page 1 of 1' })
  await expect.element(paper).toMatchTextContent('Bea Ltd')
  await expect.element(paper).toMatchTextContent('$1,800.00')
  await expect.element(region('Details')).toBeVisible()
  await expect.poll(() => location.search).toBe('?view=document')
  await expectSound()
  tab('Document').element().focus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(lines).toBeVisible()
  await expect.element(paper).not.toBeInTheDocument()
})

test('without a discount nobody reads of one', async () => {
  openInvoice(anIssued())
  await expect.element(lines).toMatchTextContent('Unit price')
  await expect.element(lines).not.toMatchTextContent('Discount')
})

test('names in any script, long lines and many figures fit', async () => {
  const shown = anIssued({ number: 'ق-7', customer: 'شركة النور (دبي)' })
  openInvoice({
    ...shown,
    buyer: { ...shown.buyer, business_name: 'A'.repeat(100) },
    items: [{ ...ITEM, description: `Bread\nsliced, and a very long word: ${'x'.repeat(80)}` }],
    payments: [{ id: 1, amount: 500, paid_on: '2026-11-20', note: 'By bank', created_at: AT }],
    credit_notes: [{ id: 2, number: `CN-${'N'.repeat(50)}`, status: 'draft', total: 500 }],
  })
  await expect.element(page.getByRole('heading', { level: 1, name: 'Invoice ق-7' })).toBeVisible()
  await expect.element(region('Payments').getByRole('listitem')).toMatchTextContent(/\$5\.00 on .*By bank/)
  await expectSound()
})

test.each(['987654321', 'abc'])('invoice %s, which is not there, says so', async (id) => {
  fakeApi().refuses(invoices.get, 404, 'No such invoice')
  openPage(`/invoices/${id}`)
  await expect.element(page.getByText('This invoice does not exist.')).toBeVisible()
})

test('a refetch that fails leaves the page and its open dialog; an invoice that is gone is said to be', async () => {
  const paid = anIssued({
    payments: [{ id: 1, amount: 500, paid_on: AT.slice(0, 10), note: '', created_at: AT }],
  })
  const api = openInvoice(anIssued()).answers(invoices.addPayment, paid)
  await button('Record payment').click()
  await dialog.getByLabelText('Note').fill('By bank')
  const before = api.refuses(invoices.get, 400, 'Not now').calls(invoices.get).length
  api.tells({ topic: 'invoices' })
  await expect.poll(() => api.calls(invoices.get).length).toBeGreaterThan(before)
  await inDialog('Record payment').click()
  await expect.element(toast('Payment recorded')).toBeVisible()
  expect(api.calls(invoices.addPayment)[0]?.body?.note).toBe('By bank')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(lines).toBeVisible()
  api.refuses(invoices.get, 404, 'No such invoice').tells({ topic: 'invoices' })
  await expect.element(page.getByText('This invoice does not exist.')).toBeVisible()
})

test('the mail is proposed, and what is wrong with it is said before it is sent', async () => {
  const api = openInvoice(anIssued())
    .answers(invoiceMail.proposal, {
      ...blankReply(invoiceMail.proposal),
      subject: 'Invoice R-1 from Ada Muster',
      text: 'Dear Bea',
      file_name: 'invoice-R-1.pdf',
    })
    .answers(mailboxes.accounts)
    .answers(contacts.list)
  await button('Send').click()
  await expect
    .element(dialog.getByRole('textbox', { name: 'Subject' }))
    .toHaveValue('Invoice R-1 from Ada Muster')
  await expect.element(dialog.getByText('invoice-R-1.pdf')).toBeVisible()
  await inDialog('Send').click()
  await expect.element(dialog.getByText('Please enter an email address')).toBeVisible()
  await expectSound()
  const to = dialog.getByRole('combobox', { name: 'To' })
  await to.fill('nobody')
  await inDialog('Send').click()
  await expect.element(dialog.getByText('Please enter a valid email address')).toBeVisible()
  expect(api.calls(invoiceMail.send)).toEqual([])
  api.refuses(invoiceMail.send, 400, 'No account', { code: 'SMTP_NOT_CONFIGURED' })
  await to.fill('bea@far.example')
  await inDialog('Send').click()
  await expect.element(page.getByRole('dialog', { name: /Email Configuration/ })).toBeVisible()
})

test('each mail says what became of it, and a failed one why', async () => {
  const mail = {
    kind: 'document' as const,
    email_id: 5,
    is_draft: false,
    subject: 'x',
    practice: false,
    at: AT,
  }
  const to = `${'b'.repeat(50)}@far.example`
  const api = apiWithInvoice(anIssued({ status: 'viewed', viewed_at: AT })).answers(invoiceMail.mails, [
    { ...mail, id: 3, to, state: 'failed', reason: '554 5.7.1 We do not like you' },
    { ...mail, id: 2, to: 'bea@far.example', state: 'sent', reason: null },
    { ...mail, id: 1, to: 'bea@far.example', state: 'withdrawn', reason: null },
  ])
  openPage('/invoices/1')
  const sending = region('Sending')
  await expect.element(sending.getByText(`Email to ${to} could not be sent`)).toBeVisible()
  await expect.element(sending.getByText('554 5.7.1 We do not like you')).toBeVisible()
  await expect.element(sending.getByText(/^Viewed by the customer/)).toBeVisible()
  await expect.element(sending.getByText('Email to bea@far.example was taken back')).toBeVisible()
  await expect
    .element(sending.getByRole('link', { name: 'Sent to bea@far.example' }))
    .toHaveAttribute('href', '/emails?folder=sent&email=5')
  await expect.poll(() => sending.getByRole('button', { name: 'Send again' }).length).toBe(1)
  await expectSound()
  // The customer's link is turned off and on.
  const card = region('Customer’s page')
  api.answers(invoiceMail.changeLink, { url: null, reachable: true })
  await card.getByRole('button', { name: 'More actions, customer’s page' }).click()
  api.answers(invoiceMail.link, { url: null, reachable: true })
  await page.getByRole('menuitem', { name: 'Turn off' }).click()
  await expect.element(card.getByText('The link is turned off: nobody can open it.')).toBeVisible()
  expect(api.calls(invoiceMail.changeLink)[0]?.body).toEqual({ change: 'off' })
})

test('a quote is marked as accepted by name, and as declined for a reason in one line', async () => {
  const quote = anIssued({ kind: 'quote', number: 'QUO-1', due_date: '2099-01-31', customer: 'Jana Berg' })
  const missing = 'Please enter the name of who accepts'
  const api = openInvoice(quote).refuses(invoices.accept, 400, missing, { fields: { name: missing } })
  await expect.element(region('Answer')).toMatchTextContent('Waiting for an answer until')
  await button('Mark as accepted').click()
  const name = dialog.getByLabelText('Accepted by')
  await expect.element(name).toHaveValue('Jana Berg')
  await inDialog('Mark as accepted').click()
  await expect.element(dialog.getByText(missing)).toBeVisible()
  await expect.element(name).toHaveFocus()
  await expectSound('[role=dialog]')
  await inDialog('Cancel').click()
  await page
    .getByRole('button', { name: /^More actions/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Mark as declined' }).click()
  await dialog.getByLabelText('Reason').fill('Too expensive\nthis year')
  await expectSound('[role=dialog]')
  const done = { ...quote, status: 'declined' as const, declined_at: AT, declined_reason: 'x'.repeat(500) }
  api.answers(invoices.decline, done).answers(invoices.get, done)
  await inDialog('Mark as declined').click()
  await expect.element(region('Answer')).toMatchTextContent(/Declined on .*xxx/)
  expect(api.calls(invoices.decline)[0]?.body).toEqual({ reason: 'Too expensive this year' })
  await expect.element(button('Open again')).toBeVisible()
  await expectSound()
})

test('an accepted quote that became an invoice leads to it, and cannot be opened again', async () => {
  openInvoice(
    anIssued({
      kind: 'quote',
      status: 'invoiced',
      accepted_at: AT,
      accepted_by: 'y'.repeat(200),
      answered_by_customer: true,
      invoice: { id: 9, number: 'INV-9', status: 'issued' },
    }),
  )
  await expect
    .element(region('Answer'))
    .toMatchTextContent(/Accepted by y+ on .*The customer answered on their page\./)
  await expect
    .element(region('Answer').getByRole('link', { name: 'INV-9' }))
    .toHaveAttribute('href', '/invoices/9')
  await expect.element(button('Open again')).not.toBeInTheDocument()
  await expectSound()
})

test('what an e-invoice cannot express is said, and one that cannot be made', async () => {
  const shown = anIssued({ country: 'DE' })
  const german = { ...shown, seller: { ...shown.seller, country_code: 'DE' } }
  openInvoice(german)
  const card = region('E-invoice')
  await expect.element(card).toMatchTextContent('What is issued stays as it is.')
  await expect.element(card).toMatchTextContent('A discount on the whole invoice cannot be expressed')
  await expect.element(card.getByRole('button')).not.toBeInTheDocument()
  await expectSound()
})

/** An invoice from Berlin with all that an e-invoice asks for. */
function fromBerlin(): Invoice {
  const shown = anIssued({ country: 'DE', discount: '', due_date: '2026-12-01', currency: 'EUR' })
  const full = {
    name: 'Ada',
    business_name: 'Muster',
    address: 'Mill Lane 1',
    email: 'ada@howl.example',
    phone: '+49 30 1',
    tax_number: 'DE123456789',
    post_code: '10115',
    city: 'Berlin',
    country_code: 'DE',
  }
  return {
    ...shown,
    seller: { ...shown.seller, ...full, iban: 'DE89 3704 0044 0532 0130 00' },
    buyer: { ...shown.buyer, ...full },
    buyer_reference: '1',
    delivery_date: '2026-11-20',
  }
}

test('an e-invoice that cannot be made says so', async () => {
  openInvoice(fromBerlin()).fails(invoices.eInvoice)
  await region('E-invoice').getByRole('button', { name: 'XRechnung (XML)' }).click()
  await expect.element(toast('Failed to make the e-invoice')).toBeVisible()
})

test('whoever has no use for XRechnung is not bothered with what it needs', async () => {
  const shown = fromBerlin()
  openInvoice({ ...shown, seller: { ...shown.seller, phone: '', city: 'A'.repeat(100) } })
  const card = region('E-invoice')
  await expect.element(card.getByRole('button')).toHaveTextContent('PDF with data (Factur-X / ZUGFeRD)')
  await expect.element(card.getByText('your phone number')).not.toBeVisible()
  await card.getByText('For XRechnung more is needed').click()
  await expect.element(card.getByRole('listitem')).toHaveTextContent('your phone number')
  await expectSound()
})

test('a draft lists what an e-invoice needs, and sellers elsewhere are not asked', async () => {
  const shown = fromBerlin()
  const draft = { ...shown, status: 'draft' as const, number: '', issued_at: null }
  const api = openInvoice({
    ...draft,
    seller: { ...draft.seller, tax_number: '', iban: '' },
    buyer: { ...draft.buyer, country_code: '' },
  })
  const needs = region('E-invoice').getByRole('list', { name: 'An e-invoice needs' })
  await expect.element(needs).toHaveTextContent('your VAT or tax numberthe customer’s country')
  await expectSound()
  api.answers(invoices.get, { ...draft, seller: { ...draft.seller, country_code: 'GB' } })
  api.tells({ topic: 'invoices' })
  await expect.element(needs).not.toBeInTheDocument()
  await expect.element(lines).toBeVisible()
  await expect.element(region('E-invoice')).not.toBeInTheDocument()
})
