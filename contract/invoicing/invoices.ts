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
export const TYPED_MAX = 30
/** The longest data URL of a picture: twice the printed size as JPEG 0.98 stays far below. */
export const PICTURE_URL_MAX = 400_000

type Words = z.ZodMiniType<string>

/**
 * The fields of a document. There is one list of them: a browser keeps a draft as it is typed, and a call of the API writes
 * what is checked. `as` says how each kind of field is read.
 *
 * @param as.later wraps a field that older drafts do not have
 */
export function documentFields<
  Line extends Words,
  Text extends Words,
  Day extends Words,
  Amount extends Words,
  Picture extends Words,
>(as: {
  line: (max: number) => Line
  text: (max: number) => Text
  day: Day
  amount: Amount
  picture: Picture
  /** Two letters (ISO 3166-1), or nothing. */
  country: Line
  later: <Field extends Words>(field: Field, otherwise?: string) => Field
}) {
  const { line, text, day, amount, picture, later } = as
  const buyer = {
    name: line(TEXT_MAX.name),
    business_name: line(TEXT_MAX.name),
    address: text(TEXT_MAX.address),
    email: line(TEXT_MAX.email),
    phone: line(TEXT_MAX.phone),
    tax_number: line(TEXT_MAX.taxNumber),
    signature: picture,
    post_code: later(line(TEXT_MAX.postCode)),
    city: later(line(TEXT_MAX.city)),
    country_code: later(as.country),
  }
  const bank = { iban: later(line(TEXT_MAX.iban)), bic: later(line(TEXT_MAX.bic)) }
  return {
    /** Fields that are text in every answer. */
    words: {
      number: line(TEXT_MAX.number),
      po_number: line(TEXT_MAX.number),
      currency: z.enum(
        CURRENCIES.map(({ code }) => code) as [CurrencyCode, ...CurrencyCode[]],
        'This currency is not offered. Please choose another one',
      ),
      issue_date: day,
      due_date: day,
      service_start: day,
      service_end: day,
      delivery_date: later(day),
      /** Decimals as they were typed, see `countInvoice`. */
      discount: amount,
      amount_paid: amount,
      notes: text(TEXT_MAX.notes),
      country: countryCode,
      sector: z.enum(SECTORS),
      layout: z.enum(LAYOUTS),
      tax_category: later(z.enum(TAX_CATEGORIES), 'S'),
      /** Why no tax is charged. */
      tax_reason: later(line(TEXT_MAX.taxReason)),
      /** What the buyer wants the invoice to name; German authorities: the Leitweg-ID. */
      buyer_reference: later(line(TEXT_MAX.buyerReference)),
    },
    /** Prices are typed in US dollars and shown times the rate; otherwise they are in the invoice's currency. */
    convert: z.boolean(),
    seller: { ...buyer, logo: picture, ...bank },
    buyer,
  }
}

const JPEG_URL = /^data:image\/jpeg;base64,[\w+/]+={0,2}$/
/** A picture of an invoice, or none. */
export const pictureUrl = (tooLarge?: string, otherFile?: string) =>
  z.string().check(
    atMost(PICTURE_URL_MAX, tooLarge),
    z.refine((url) => url === '' || JPEG_URL.test(url), otherFile),
  )

const anyText = (max: number) => z.string().check(atMost(max))
const typed = anyText(TYPED_MAX)
const drafted = documentFields({
  line: anyText,
  text: anyText,
  /** A calendar day (2026-11-23), or nothing. */
  day: z.string().check(atMost(10), z.regex(/^(\d{4}-\d{2}-\d{2})?$/)),
  amount: typed,
  picture: pictureUrl(),
  country: anyText(2),
  // Absent in what a browser kept before the field was there.
  later: (field, otherwise = '') => z._default(field, otherwise as never) as unknown as typeof field,
})
const item = { quantity: typed, unit_price: typed, discount_pct: typed, tax_pct: typed }

/** An invoice while it is written: numbers are kept as they were typed. */
export const invoiceDraft = z.object({
  ...drafted.words,
  convert: drafted.convert,
  seller: z.object(drafted.seller),
  buyer: z.object(drafted.buyer),
  items: z.array(z.object({ description: anyText(TEXT_MAX.description), ...item })).check(atMost(LINES_MAX)),
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
