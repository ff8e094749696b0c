import * as z from 'zod/mini'
import { type InvoiceKind, KIND_WORDS } from './invoice-kinds.ts'
import {
  type InvoiceSums,
  LINES_MAX,
  PERCENT_DECIMALS,
  PERCENT_MAX,
  QUANTITY_DECIMALS,
  QUANTITY_MAX,
  type SumLine,
  sumInvoice,
} from './invoice-sums.ts'
import { BASE_CURRENCY, convert, CURRENCIES, type CurrencyCode, decimalsOf, readDecimal } from './money.ts'
import { bicFault, ibanFault } from './bank-account.ts'
import { SECTORS } from './tax.ts'
import { countryCode } from '../platform/countries.ts'
import { atMost, EMAIL_ADDRESS_MAX } from '../platform/values.ts'
import { printedReason, TAX_CATEGORIES } from './vat-category.ts'

export const LAYOUTS = ['classic', 'modern', 'minimal', 'professional', 'compact'] as const
export type Layout = (typeof LAYOUTS)[number]

export const DEFAULT_NOTES = 'Payment due within 30 days. Thank you for your business.'
export const DEFAULT_QUOTE_NOTES = 'This offer holds until the date above. We would be glad to work for you.'
/** Days from the issue of an invoice to its due date, and of a quote to its last day. */
export const DUE_AFTER_DAYS = 30

/** Longest texts of an invoice, in characters. */
export const TEXT_MAX = {
  name: 200,
  address: 500,
  email: EMAIL_ADDRESS_MAX,
  phone: 60,
  taxNumber: 50,
  number: 60,
  description: 1000,
  notes: 4000,
  postCode: 20,
  city: 100,
  iban: 50,
  bic: 20,
  taxReason: 500,
  buyerReference: 100,
} as const
/** Characters of all descriptions together: five hundred lines of a hundred each. */
export const DESCRIPTIONS_MAX = 50_000
/** Characters of a number field; none that is accepted is longer. */
const TYPED_MAX = 30
/** The longest data URL of a picture: twice the printed size as JPEG 0.98 stays far below. */
export const PICTURE_URL_MAX = 400_000

const text = (max: number) => z.string().check(atMost(max))
const typed = text(TYPED_MAX)
/** A calendar day (2026-11-23), or nothing. */
const day = z.string().check(atMost(10), z.regex(/^(\d{4}-\d{2}-\d{2})?$/))
const picture = z.string().check(
  atMost(PICTURE_URL_MAX),
  z.refine((url) => url === '' || /^data:image\/jpeg;base64,[\w+/]+={0,2}$/.test(url)),
)

/** Absent in what a browser kept before the field was there. */
const later = (max: number) => z._default(text(max), '')

const buyer = z.object({
  name: text(TEXT_MAX.name),
  business_name: text(TEXT_MAX.name),
  address: text(TEXT_MAX.address),
  email: text(TEXT_MAX.email),
  phone: text(TEXT_MAX.phone),
  tax_number: text(TEXT_MAX.taxNumber),
  signature: picture,
  post_code: later(TEXT_MAX.postCode),
  city: later(TEXT_MAX.city),
  /** Two letters (ISO 3166-1), or nothing. */
  country_code: later(2),
})
const seller = z.extend(buyer, { logo: picture, iban: later(TEXT_MAX.iban), bic: later(TEXT_MAX.bic) })
const item = z.object({
  description: text(TEXT_MAX.description),
  quantity: typed,
  unit_price: typed,
  discount_pct: typed,
  tax_pct: typed,
})

/** An invoice while it is written: numbers are kept as they were typed. */
export const invoiceDraft = z.object({
  number: text(TEXT_MAX.number),
  po_number: text(TEXT_MAX.number),
  currency: z.enum(CURRENCIES.map(({ code }) => code) as [CurrencyCode, ...CurrencyCode[]]),
  /** Prices are typed in US dollars and shown times the rate; otherwise they are in the invoice's currency. */
  convert: z.boolean(),
  issue_date: day,
  due_date: day,
  service_start: day,
  service_end: day,
  seller,
  buyer,
  items: z.array(item).check(atMost(LINES_MAX)),
  discount: typed,
  amount_paid: typed,
  notes: text(TEXT_MAX.notes),
  country: countryCode,
  sector: z.enum(SECTORS),
  layout: z.enum(LAYOUTS),
  delivery_date: z._default(day, ''),
  tax_category: z._default(z.enum(TAX_CATEGORIES), 'S'),
  /** Why no tax is charged. */
  tax_reason: later(TEXT_MAX.taxReason),
  buyer_reference: later(TEXT_MAX.buyerReference),
})
export type InvoiceDraft = z.infer<typeof invoiceDraft>
export type InvoiceItem = InvoiceDraft['items'][number]
export type Seller = InvoiceDraft['seller']
export type Buyer = InvoiceDraft['buyer']

/** The currency that prices are typed in. */
export const typedCurrency = (draft: Pick<InvoiceDraft, 'convert' | 'currency'>): CurrencyCode =>
  draft.convert ? BASE_CURRENCY : draft.currency

export type Counted = {
  lines: SumLine[]
  /** What each line comes to; null for a line that cannot be read. */
  nets: (number | null)[]
  /** Null if a number cannot be read, or an amount is too large. */
  sums: InvoiceSums | null
  /** What is wrong, by the path of its field ("items.2.quantity"). */
  faults: Record<string, string>
}

const DUE_TOO_EARLY: Record<InvoiceKind, string> = {
  invoice: 'The due date is before the issue date',
  credit_note: 'The due date is before the issue date',
  quote: 'This day is before the issue date',
}

/**
 * Reads the numbers of a draft and sums it in the invoice's currency. A unit price is converted and rounded before it is
 * multiplied: the printed price times the printed quantity is the printed amount.
 *
 * @param rate what one US dollar is worth in the invoice's currency; 1 if that is unknown
 */
export function countInvoice(draft: InvoiceDraft, rate: number, kind: InvoiceKind = 'invoice'): Counted {
  const faults: Record<string, string> = {}
  const read = (path: string, value: string, decimals: number, max?: number): number => {
    const result = readDecimal(value, decimals, max)
    if ('value' in result) return result.value
    faults[path] = result.why
    return 0
  }
  const from = typedCurrency(draft)
  const amount = (path: string, value: string) => {
    const minor = read(path, value, decimalsOf(from))
    return from === draft.currency ? minor : convert(minor, rate, from, draft.currency)
  }
  const percent = (path: string, value: string) => read(path, value, PERCENT_DECIMALS, PERCENT_MAX)
  const lines = draft.items.map((one, index) => ({
    quantity: read(`items.${index}.quantity`, one.quantity, QUANTITY_DECIMALS, QUANTITY_MAX),
    unitPrice: amount(`items.${index}.unit_price`, one.unit_price),
    discount: percent(`items.${index}.discount_pct`, one.discount_pct),
    tax: percent(`items.${index}.tax_pct`, one.tax_pct),
  }))
  const discount = amount('discount', draft.discount)
  const paid = amount('amount_paid', draft.amount_paid)
  // What is wrong from here on does not change the sums.
  const isRead = Object.keys(faults).length === 0
  const addFault = (path: string, why: string | null) => {
    if (why !== null) faults[path] = why
  }
  if (draft.due_date !== '' && draft.issue_date !== '' && draft.due_date < draft.issue_date)
    faults['due_date'] = DUE_TOO_EARLY[kind]
  if (draft.service_end !== '' && draft.service_start !== '' && draft.service_end < draft.service_start)
    faults['service_end'] = 'The end is before the start'
  addFault('seller.iban', ibanFault(draft.seller.iban))
  addFault('seller.bic', bicFault(draft.seller.bic))
  const sums = isRead ? sumInvoice(lines, discount, paid) : null
  if (isRead && sums === null) faults['items'] = 'These amounts are too large for one invoice'
  const isFaulty = (index: number) => Object.keys(faults).some((path) => path.startsWith(`items.${index}.`))
  const nets = lines.map((one, index) => (isFaulty(index) ? null : (sumInvoice([one], 0, 0)?.net ?? null)))
  return { lines, nets, sums, faults }
}

/** What is said of a document whose descriptions are too long together; null for any other. */
export function lengthFault({ items }: { items: readonly { description: string }[] }): string | null {
  const length = items.reduce((sum, { description }) => sum + description.length, 0)
  if (length <= DESCRIPTIONS_MAX) return null
  const [has, most] = [length, DESCRIPTIONS_MAX].map((count) => count.toLocaleString('en'))
  return `The descriptions have ${has} characters in all. Please shorten them to ${most}`
}

/** The name of the PDF: `invoice-INV-2026-0001.pdf`. Characters that file systems refuse become "-". */
export function pdfName(number: string, kind: InvoiceKind = 'invoice'): string {
  // oxlint-disable-next-line no-control-regex -- control characters are among what is refused
  const safe = number.trim().replaceAll(/[\u0000-\u001f<>:"/\\|?*]/g, '-')
  const name = KIND_WORDS[kind].name.toLowerCase().replaceAll(' ', '-')
  return `${name}-${safe === '' ? 'draft' : safe}.pdf`
}

/** Every text of a draft that is printed, for the choice of its fonts. */
export function printedTexts(draft: InvoiceDraft): string[] {
  const { seller: from, buyer: to, items } = draft
  const people = [from, to].flatMap((one) => [
    one.name,
    one.business_name,
    one.address,
    one.email,
    one.phone,
    one.tax_number,
    one.post_code,
    one.city,
  ])
  const { symbol } = CURRENCIES.find(({ code }) => code === draft.currency) ?? { symbol: '' }
  return [
    draft.number,
    draft.po_number,
    draft.notes,
    draft.buyer_reference,
    printedReason(draft),
    symbol,
    ...people,
    ...items.map((one) => one.description),
  ]
}

/** The draft with the tax of the seller in every line that names none itself. */
export function withTax(draft: InvoiceDraft, percent: number): InvoiceDraft {
  const items = draft.items.map((one) =>
    one.tax_pct.trim() === '' ? { ...one, tax_pct: String(percent) } : one,
  )
  return { ...draft, items }
}
