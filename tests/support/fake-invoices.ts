import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { paymentReminders } from '#contract/invoicing/payment-reminders.ts'
import {
  type Invoice,
  invoice as invoiceSchema,
  type InvoiceRow,
  invoiceRow,
  invoices,
} from '#contract/invoicing/saved-invoices.ts'
import { blank } from './blank-reply.ts'
import { type FakeApi, fakeApi } from './fake-api.ts'

const AT = '2026-11-20T10:00:00.000Z'
const SUMS = { total: 23_000, paid: 0, credited: 0, due: 23_000 }

/** A row of the list: an issued invoice over 230 dollars, of which nothing is paid. */
export const aRow = (id: number, fields: Partial<InvoiceRow> = {}): InvoiceRow =>
  blank(invoiceRow, {
    id,
    kind: 'invoice',
    status: 'issued',
    number: `R-${id}`,
    currency: 'USD',
    issue_date: '2020-01-01',
    due_date: '2020-02-01',
    customer: 'Bea Ltd',
    sums: SUMS,
    issued_at: AT,
    created_at: AT,
    updated_at: AT,
    ...fields,
  })

/** The whole of it, as its page shows it. */
export const anIssued = (fields: Partial<Invoice> = {}): Invoice => {
  const rest = blank(invoiceSchema)
  return {
    ...rest,
    ...aRow(1),
    version: 1,
    rate: 1,
    country: 'US',
    sector: 'other',
    layout: 'classic',
    tax_category: 'S',
    discount: '8',
    seller: { ...rest.seller, name: 'Ada Muster' },
    buyer: { ...rest.buyer, name: 'Bea', business_name: 'Bea Ltd' },
    items: [{ description: 'Bread', quantity: '2', unit_price: '100', discount_pct: '', tax_pct: '19' }],
    sums: {
      ...SUMS,
      net: 20_000,
      tax: 3800,
      taxes: [{ percent: 19_000, net: 20_000, tax: 3800 }],
      lines: [20_000],
      discount: 800,
    },
    ...fields,
  }
}

/** A server with one document, and all that its page asks about it. */
export const apiWithInvoice = (shown: Invoice): FakeApi =>
  fakeApi()
    .answers(invoices.get, shown)
    .answers(invoiceMail.mails)
    .answers(invoiceMail.link, { url: 'https://howl.example/i/token', reachable: true })
    .answers(paymentReminders.ofInvoice)
