import { documentContent } from '#contract/invoicing/invoice-document/document-content.ts'
import { countInvoice, type InvoiceDraft } from '#contract/invoicing/invoices.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { anInvoice, anItem } from './invoice-pdf.ts'

/** A draft from Berlin to Vienna with all that both e-invoices ask for: two rates, a discount on a line. */
export function anEuDraft(fields: Partial<InvoiceDraft> = {}): InvoiceDraft {
  const base = anInvoice()
  return {
    ...base,
    currency: 'EUR',
    convert: false,
    country: 'DE',
    delivery_date: '2026-11-20',
    buyer_reference: '04011000-12345-03',
    seller: {
      ...base.seller,
      address: 'Mühlenweg 12\nHinterhaus\n3. Stock',
      phone: '+49 30 1234567',
      tax_number: 'DE 123 456 789',
      post_code: '10115',
      city: 'Berlin',
      country_code: 'DE',
      iban: 'DE89 3704 0044 0532 0130 00',
      bic: 'COBADEFFXXX',
    },
    buyer: {
      ...base.buyer,
      business_name: 'Berg & Söhne <Hotels>',
      address: 'Hügel 1',
      phone: '+43 1 234',
      tax_number: 'ATU12345678',
      post_code: '1010',
      city: 'Wien',
      country_code: 'AT',
    },
    items: [
      anItem({ description: 'Brot\nmit Kümmel', quantity: '2.5', unit_price: '12.50', tax_pct: '19' }),
      anItem({ description: 'Torte', quantity: '1', unit_price: '40', discount_pct: '10', tax_pct: '7' }),
    ],
    ...fields,
  }
}

/** Documents for which no tax is charged, by their category. */
export const untaxed = (category: InvoiceDraft['tax_category'], fields: Partial<InvoiceDraft> = {}) =>
  anEuDraft({
    tax_category: category,
    tax_reason: category === 'Z' ? '' : 'Because the law says so',
    items: [anItem({ tax_pct: '0' })],
    ...fields,
  })

/** The draft as an issued document, as the server answers it. */
export function issuedInvoice(
  draft: InvoiceDraft,
  {
    rate = 1,
    ...about
  }: Partial<Pick<Invoice, 'kind' | 'status' | 'credits' | 'number' | 'rate' | 'rate_date'>> = {},
): Invoice {
  const { sums } = countInvoice(draft, rate)
  if (sums === null) throw new Error('A test’s invoice cannot be counted')
  const at = '2026-11-23T12:00:00.000Z'
  const invoice: Invoice = {
    ...draft,
    id: 1,
    kind: 'invoice',
    status: 'issued',
    customer: draft.buyer.business_name,
    contact_id: null,
    contact: null,
    version: 2,
    rate,
    rate_date: null,
    issued_at: at,
    created_at: at,
    updated_at: at,
    sent_at: null,
    viewed_at: null,
    payments: [],
    credits: null,
    credit_notes: [],
    recurring: null,
    quote: null,
    invoice: null,
    accepted_at: null,
    accepted_by: '',
    declined_at: null,
    declined_reason: '',
    answered_by_customer: false,
    sums: {
      ...sums,
      lines: sums.lines.map(({ net }) => net),
      credited: 0,
    },
    ...about,
  }
  if (documentContent(invoice) === null) throw new Error('A test’s invoice cannot be read')
  return invoice
}
