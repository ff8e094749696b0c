import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { InvoiceKind } from '#contract/invoicing/invoice-kinds.ts'
import { countInvoice, DEFAULT_NOTES, DEFAULT_QUOTE_NOTES } from '#contract/invoicing/invoices.ts'
import { CURRENCIES } from '#contract/invoicing/money.ts'
import type { InvoiceContent, invoices } from '#contract/invoicing/saved-invoices.ts'
import type { CountryCode } from '#contract/platform/countries.ts'
import type { UserRow } from '../../accounts/auth/auth.ts'
import { invalidInput } from '../../platform/errors.ts'
import { foldText } from '../../formats/mail-text/search-index.ts'
import type { StoredInvoice } from './store.ts'
import { dueAfter } from './today.ts'

/** What a call says about a draft; absent fields are kept. */
export type Written = BodyOf<typeof invoices.add>
/** What the amounts of a draft come to, and by which rate. */
export type Rate = { rate: number; rate_date: Date | null }

const NO_PARTY = {
  name: '',
  business_name: '',
  address: '',
  email: '',
  phone: '',
  tax_number: '',
  signature: '',
  post_code: '',
  city: '',
  country_code: '',
}

/** An invoice or quote of this user that nobody has written into yet. */
export function emptyContent(user: UserRow | undefined, today: string, kind: InvoiceKind): InvoiceContent {
  const own = CURRENCIES.find(({ code }) => code === user?.currency)
  return {
    number: '',
    po_number: '',
    currency: own?.code ?? 'USD',
    convert: true,
    issue_date: today,
    due_date: dueAfter(today),
    service_start: '',
    service_end: '',
    delivery_date: '',
    seller: { ...NO_PARTY, logo: '', iban: '', bic: '' },
    buyer: { ...NO_PARTY },
    items: [],
    discount: '',
    amount_paid: '',
    notes: kind === 'quote' ? DEFAULT_QUOTE_NOTES : DEFAULT_NOTES,
    country: (user?.country ?? 'US') as CountryCode,
    sector: 'other',
    layout: 'classic',
    tax_category: 'S',
    tax_reason: '',
    buyer_reference: '',
  }
}

/** Stored content with the fields that came later. */
export const wholeContent = (stored: InvoiceContent): InvoiceContent => ({
  ...stored,
  seller: { ...NO_PARTY, ...stored.seller },
  buyer: { ...NO_PARTY, ...stored.buyer },
})

/** The content with the given fields changed; `seller` and `buyer` too are changed field by field. */
export function withWritten(content: InvoiceContent, written: Written): InvoiceContent {
  const { contact_id: _, kind: _kind, seller, buyer, ...fields } = written
  return {
    ...content,
    ...given(fields),
    seller: { ...content.seller, ...given(seller ?? {}) },
    buyer: { ...content.buyer, ...given(buyer ?? {}) },
  }
}

function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** Those columns of a draft that follow from its content. @throws Refusal 400 with a sentence for each wrong amount */
export function columnsOf(
  content: InvoiceContent,
  { rate, rate_date }: Rate,
  kind: InvoiceKind,
): Pick<
  StoredInvoice,
  | 'content'
  | 'currency'
  | 'rate'
  | 'rate_date'
  | 'issue_date'
  | 'due_date'
  | 'customer'
  | 'search'
  | 'net'
  | 'tax'
  | 'discount'
  | 'total'
  | 'paid'
> {
  const { sums, faults } = countInvoice(content, rate, kind)
  if (sums === null) throw wrongFields(faults)
  if (kind === 'quote' && sums.paid > 0)
    throw wrongFields({ amount_paid: 'A quote is not paid. Please leave this empty' })
  const { name, business_name, email } = content.buyer
  return {
    content,
    currency: content.currency,
    rate,
    rate_date,
    issue_date: content.issue_date,
    due_date: content.due_date,
    customer: business_name || name,
    search: searchText([name, business_name, email, content.number, content.po_number]),
    net: sums.net,
    tax: sums.tax,
    discount: sums.discount,
    total: sums.total,
    paid: sums.paid,
  }
}

/** The text that a search looks through. */
export const searchText = (parts: readonly string[]) => foldText(parts.filter(Boolean).join('\n'))

/** 400 with these fields; the first sentence is the detail. */
export function wrongFields(faults: Record<string, string>): Error {
  return invalidInput(Object.values(faults)[0] ?? 'This cannot be read.', faults)
}
