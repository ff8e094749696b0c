import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { WrittenKind } from '#contract/invoicing/invoice-kinds.ts'
import { formatNumber, isOfPattern, NUMBER_PATTERNS } from '#contract/invoicing/invoice-number.ts'
import type { auth } from '#contract/accounts/auth.ts'
import {
  type Buyer,
  DEFAULT_NOTES,
  DEFAULT_QUOTE_NOTES,
  DUE_AFTER_DAYS,
  type InvoiceDraft,
  type InvoiceItem,
  type Seller,
  TEXT_MAX,
} from '#contract/invoicing/invoices.ts'
import { BASE_CURRENCY, CURRENCIES } from '#contract/invoicing/money.ts'
import { COUNTRIES } from '#contract/platform/countries.ts'

type Account = ReplyOf<typeof auth.me>

const NOBODY: Buyer = {
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

/** A line as it is added: one of something. */
export const newItem = (): InvoiceItem => ({
  description: '',
  quantity: '1',
  unit_price: '',
  discount_pct: '',
  tax_pct: '',
})

type Known = Pick<Buyer, 'name' | 'business_name' | 'email' | 'phone'>

/** What is known of somebody elsewhere, as long as an invoice takes it: a longer name would make the draft unreadable. */
export const partyFrom = ({ name, business_name, email, phone }: Known): Known => ({
  name: name.slice(0, TEXT_MAX.name),
  business_name: business_name.slice(0, TEXT_MAX.name),
  email: email.slice(0, TEXT_MAX.email),
  phone: phone.slice(0, TEXT_MAX.phone),
})

/** The seller as the profile knows them. */
export const sellerOf = (account: Account | undefined): Seller => ({
  ...NOBODY,
  logo: '',
  iban: '',
  bic: '',
  ...partyFrom({
    name: account?.full_name ?? '',
    business_name: account?.business_name || (account?.company_name ?? ''),
    email: account?.email ?? '',
    phone: account?.phone ?? '',
  }),
})

/** A calendar day some days later. */
export function dayLater(day: string, days: number): string {
  const noon = new Date(`${day}T12:00:00Z`)
  noon.setUTCDate(noon.getUTCDate() + days)
  return noon.toISOString().slice(0, 10)
}

/** An empty invoice or quote with what is known: the seller, the user's country and currency, today. */
export function newDraft(
  today: string,
  seller: Seller,
  account: Account | undefined,
  kind: WrittenKind = 'invoice',
): InvoiceDraft {
  const currency = CURRENCIES.find(({ code }) => code === account?.currency)?.code
  const country = COUNTRIES.find(({ code }) => code === account?.country)?.code
  return {
    number: formatNumber(NUMBER_PATTERNS[kind], today, 1),
    po_number: '',
    currency: currency ?? BASE_CURRENCY,
    convert: true,
    issue_date: today,
    due_date: dayLater(today, DUE_AFTER_DAYS),
    service_start: '',
    service_end: '',
    seller,
    buyer: NOBODY,
    items: [newItem()],
    discount: '',
    amount_paid: '',
    notes: kind === 'quote' ? DEFAULT_QUOTE_NOTES : DEFAULT_NOTES,
    country: country ?? 'US',
    sector: 'other',
    layout: 'classic',
    delivery_date: '',
    tax_category: 'S',
    tax_reason: '',
    buyer_reference: '',
  }
}

/**
 * The draft with the number that the series gives next. A number that was typed stays, unless it looks like one of the
 * series: another document may have got it meanwhile.
 */
export function withNumber(
  draft: InvoiceDraft,
  next: string | null,
  kind: WrittenKind = 'invoice',
): InvoiceDraft {
  return next !== null && isOfPattern(NUMBER_PATTERNS[kind], draft.number)
    ? { ...draft, number: next }
    : draft
}
