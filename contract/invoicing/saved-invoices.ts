import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { E_INVOICE_FORMATS } from './e-invoice/model.ts'
import { KINDS, WRITTEN_KINDS } from './invoice-kinds.ts'
import { COUNT_MAX, patternFault } from './invoice-number.ts'
import { LINES_MAX } from './invoice-sums.ts'
import { documentFields, type InvoiceDraft, pictureUrl, TEXT_MAX, TYPED_MAX } from './invoices.ts'
import { isDay } from '../platform/typed-instant.ts'
import { atMost, byIdOf, id, instant, line, paging, requiredLine, text } from '../platform/values.ts'

export { type InvoiceKind, KINDS } from './invoice-kinds.ts'

/**
 * What became of a document, the last first that holds. `credited`: credit notes have taken all of it back. The last four
 * are of quotes; `invoiced`: an invoice made from it has been issued.
 */
export const INVOICE_STATUSES = [
  'draft',
  'issued',
  'sent',
  'viewed',
  'part_paid',
  'paid',
  'overdue',
  'credited',
  'expired',
  'declined',
  'accepted',
  'invoiced',
] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/** What the list can be narrowed to: a status, invoices that are unpaid whether overdue or not, or another kind. */
export const INVOICE_FILTERS = ['all', 'open', 'credit_notes', 'quotes', ...INVOICE_STATUSES] as const
export type InvoiceFilter = (typeof INVOICE_FILTERS)[number]

export const INVOICE_SORTS = [
  'newest',
  'customer',
  '-customer',
  'issue_date',
  '-issue_date',
  'due_date',
  '-due_date',
  'total',
  '-total',
] as const
export type InvoiceSort = (typeof INVOICE_SORTS)[number]

/** The name of who accepted a quote. */
export const ACCEPTED_BY_MAX = 200
/** Why a quote was declined. */
export const DECLINED_REASON_MAX = 500
export const PAYMENT_NOTE_MAX = 200
/** A search counts at most this many documents, and one more when there are more. */
export const FOUND_MAX = 1000
/** Payments of one invoice. */
export const PAYMENTS_MAX = 200

/** JSON of an invoice in bytes: its three pictures, whose characters take a byte each, and all lines at their longest. */
const INVOICE_BODY_MAX = 3_600_000
const FIRST_DAY = '1970-01-01'
const LAST_DAY = '2199-12-31'

/** A decimal as it was typed, or as JSON's number. What it may be depends on its field and on the currency. */
const amount = z.pipe(
  z.union([z.string().check(z.trim(), atMost(TYPED_MAX)), z.number()], {
    error: ({ input }) => (typeof input === 'string' ? 'This number is too long' : 'Please enter a number'),
  }),
  z.transform((typed: string | number) => String(typed)),
)
const isUsualDay = (typed: string) => isDay(typed) && typed >= FIRST_DAY && typed <= LAST_DAY
const NO_DAY = 'Please enter a date from 1970 to 2199'
const day = z.string(NO_DAY).check(z.trim(), atMost(10, NO_DAY), z.refine(isUsualDay, NO_DAY))
const dayOrNone = z.string(NO_DAY).check(
  z.trim(),
  atMost(10, NO_DAY),
  z.refine((typed) => typed === '' || isUsualDay(typed), NO_DAY),
)
const fields = documentFields({
  line,
  text,
  day: dayOrNone,
  amount,
  picture: pictureUrl('This picture is too large', 'Please choose an image file'),
  country: line(2).check(
    z.refine((code) => /^([A-Z]{2})?$/.test(code), 'Please give a country as two letters'),
  ),
  later: (field) => field,
})
const item = z.object({
  description: z._default(text(TEXT_MAX.description), ''),
  quantity: z._default(amount, '1'),
  unit_price: z._default(amount, ''),
  discount_pct: z._default(amount, ''),
  tax_pct: z._default(amount, ''),
})

/** What a person writes into an invoice. */
const written = z.partial(
  z.object({
    ...fields.words,
    convert: fields.convert,
    seller: z.partial(z.object(fields.seller)),
    buyer: z.partial(z.object(fields.buyer)),
    items: z.array(item).check(atMost(LINES_MAX, `Please keep this under ${LINES_MAX} lines`)),
    /** The contact that is billed; left out, the one with the buyer's address. */
    contact_id: z.optional(z.nullable(id)),
  }),
)
/** What is stored of it: the same as a draft in a browser. */
export type InvoiceContent = InvoiceDraft

/** Amounts in minor units of the document's currency (cents). */
const minor = z.number()
const status = z.enum(INVOICE_STATUSES)

const row = {
  id,
  kind: z.enum(KINDS),
  status,
  /** Given at issue; before, what was typed or nothing. */
  number: z.string(),
  currency: z.string(),
  issue_date: z.string(),
  due_date: z.string(),
  /** The buyer's business, else their name. */
  customer: z.string(),
  contact_id: z.nullable(z.number()),
  sums: z.object({ total: minor, paid: minor, credited: minor, due: minor }),
  issued_at: z.nullable(instant),
  created_at: instant,
  updated_at: instant,
}
export const invoiceRow = z.object(row)
export type InvoiceRow = z.infer<typeof invoiceRow>

const texts = <Name extends string>(shape: Record<Name, unknown>) =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, z.string()])) as Record<Name, z.ZodMiniString>

export const invoice = z.object({
  ...texts(fields.words),
  convert: z.boolean(),
  seller: z.object(texts(fields.seller)),
  buyer: z.object(texts(fields.buyer)),
  items: z.array(z.object(texts(item.shape))),
  ...row,
  /** Counts the changes; a change names the one that it was made to. */
  version: z.number(),
  /** What a US dollar is worth in the currency, and since when; it stays as it is from the issue on. */
  rate: z.number(),
  rate_date: z.nullable(instant),
  contact: z.nullable(z.object({ id, name: z.string() })),
  sums: z.object({
    net: minor,
    tax: minor,
    /** One entry for each rate; `percent` in thousandths of a percent. */
    taxes: z.array(z.object({ percent: z.number(), net: minor, tax: minor })),
    /** What each line comes to before tax. */
    lines: z.array(minor),
    discount: minor,
    total: minor,
    paid: minor,
    credited: minor,
    due: minor,
  }),
  payments: z.array(
    z.object({ id, amount: minor, paid_on: z.string(), note: z.string(), created_at: instant }),
  ),
  /** The invoice that a credit note takes back, or part of. */
  credits: z.nullable(z.object({ id, number: z.string() })),
  credit_notes: z.array(z.object({ id, number: z.string(), status, total: minor })),
  /** The schedule that made it. */
  recurring: z.nullable(z.object({ id, every: z.string(), customer: z.string() })),
  /** The quote that an invoice was made from. */
  quote: z.nullable(z.object({ id, number: z.string() })),
  /** The invoice that was made from a quote. */
  invoice: z.nullable(z.object({ id, number: z.string(), status })),
  accepted_at: z.nullable(instant),
  /** Who accepted a quote, as they typed their name. */
  accepted_by: z.string(),
  declined_at: z.nullable(instant),
  declined_reason: z.string(),
  /** True if the customer answered the quote themselves, on their page. */
  answered_by_customer: z.boolean(),
  sent_at: z.nullable(instant),
  viewed_at: z.nullable(instant),
})
export type Invoice = z.infer<typeof invoice>

const totals = z.object({
  /** Documents in each filter of the list that has a tab. */
  counts: z.object({
    all: z.number(),
    draft: z.number(),
    open: z.number(),
    overdue: z.number(),
    paid: z.number(),
    credit_notes: z.number(),
    quotes: z.number(),
  }),
  /** Sums of the issued invoices, one entry for each currency, the largest outstanding amount first. */
  currencies: z.array(z.object({ currency: z.string(), outstanding: minor, overdue: minor, paid: minor })),
})
export type InvoiceTotals = z.infer<typeof totals>

const byId = byIdOf('Invalid invoice ID')
const kind = z._default(z.enum(KINDS), 'invoice')
const PATTERN_MAX = 60
const NO_PATTERN = `Please enter a pattern of ${PATTERN_MAX} characters at most`
const pattern = z.string().check(
  z.trim(),
  atMost(PATTERN_MAX, NO_PATTERN),
  z.refine((typed) => /^[^\p{C}]+$/u.test(typed), NO_PATTERN),
  z.check((payload) => {
    const why = patternFault(payload.value)
    if (why !== null) payload.issues.push({ code: 'custom', message: why, input: payload.value })
  }),
)
const series = z.object({
  kind: z.enum(KINDS),
  pattern: z.string(),
  /** The number of a document that is issued today, and its count in the series. */
  next_number: z.string(),
  next: z.number(),
})
export type InvoiceSeries = z.infer<typeof series>
/** What is said to accept a quote, by the user or by the customer. */
export const acceptance = z.object({
  name: requiredLine(ACCEPTED_BY_MAX, 'Please enter the name of who accepts'),
})
/** What is said to decline it. */
export const refusal = z.object({ reason: z._default(line(DECLINED_REASON_MAX), '') })

export const invoices = {
  list: endpoint({
    method: 'GET',
    path: '/invoices/',
    summary: 'Invoices, credit notes and quotes, newest first; a search is for the beginnings of words',
    query: z.object({
      search: z.optional(text(200)),
      status: z._default(z.enum(INVOICE_FILTERS), 'all'),
      sort: z._default(z.enum(INVOICE_SORTS), 'newest'),
      ...paging,
    }),
    reply: z.array(invoiceRow),
  }),
  totals: endpoint({
    method: 'GET',
    path: '/invoices/totals',
    summary: 'How many invoices there are, and what is outstanding and overdue in each currency',
    reply: totals,
  }),
  nextNumber: endpoint({
    method: 'GET',
    path: '/invoices/next-number',
    summary: 'The number that the next document of its kind gets; asking does not use it up',
    query: z.object({ kind, issue_date: z.optional(day) }),
    reply: z.object({ number: z.string() }),
  }),
  series: endpoint({
    method: 'GET',
    path: '/invoices/series',
    summary: 'How invoices, credit notes and quotes are numbered',
    reply: z.array(series),
  }),
  saveSeries: endpoint({
    method: 'PUT',
    path: '/invoices/series',
    summary: 'Choose how documents of a kind are numbered, and with which count they go on',
    body: z.object({
      kind,
      pattern,
      /** The count of the next document; left out, the series goes on. */
      next: z.optional(
        z
          .number('Please enter a whole number')
          .check(
            z.int('Please enter a whole number'),
            z.gte(1, 'Please enter 1 or more'),
            z.lte(COUNT_MAX, `At most ${COUNT_MAX}`),
          ),
      ),
    }),
    reply: z.array(series),
  }),
  add: endpoint({
    method: 'POST',
    path: '/invoices/',
    summary: 'Keep a draft of an invoice or quote',
    bodyMax: INVOICE_BODY_MAX,
    body: z.extend(written, { kind: z.optional(z.enum(WRITTEN_KINDS)) }),
    reply: invoice,
    idempotent: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/invoices/:id',
    summary: 'One invoice, credit note or quote with all that belongs to it',
    params: byId,
    reply: invoice,
  }),
  pdf: endpoint({
    method: 'GET',
    path: '/invoices/:id/pdf',
    summary: 'The document as a PDF file',
    params: byId,
    download: 'application/pdf',
  }),
  eInvoice: endpoint({
    method: 'GET',
    path: '/invoices/:id/e-invoice',
    summary:
      'An issued document as an e-invoice (EN 16931): a PDF/A-3 with its data (Factur-X, ZUGFeRD), or XML (XRechnung, UBL)',
    params: byId,
    query: z.object({ format: z._default(z.enum(E_INVOICE_FORMATS), 'factur-x') }),
    download: 'application/octet-stream',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/invoices/:id',
    summary: 'Change a draft; an absent field is kept. `version` is the one that was changed',
    params: byId,
    bodyMax: INVOICE_BODY_MAX,
    body: z.extend(written, { version: z.number('This is missing').check(z.int(), z.gte(1)) }),
    reply: invoice,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/invoices/:id',
    summary: 'Delete a draft; for an hour it can be restored. An issued document stays',
    params: byId,
    reply: z.object({ ok: z.boolean() }),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/invoices/:id/restore',
    summary: 'Bring a deleted draft back',
    params: byId,
    reply: invoice,
  }),
  issue: endpoint({
    method: 'POST',
    path: '/invoices/:id/issue',
    summary: 'Give a draft its number and lock it; issuing again answers the same document',
    params: byId,
    reply: invoice,
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/invoices/:id/duplicate',
    summary: 'A new draft with the same content, dated today',
    params: byId,
    reply: invoice,
    idempotent: true,
  }),
  credit: endpoint({
    method: 'POST',
    path: '/invoices/:id/credit-note',
    summary:
      'A draft of a credit note with the content of an issued invoice; a draft that is there is answered again',
    params: byId,
    reply: invoice,
  }),
  accept: endpoint({
    method: 'POST',
    path: '/invoices/:id/accept',
    summary: 'Note that the customer accepted an issued quote; the first answer counts',
    params: byId,
    body: acceptance,
    reply: invoice,
  }),
  decline: endpoint({
    method: 'POST',
    path: '/invoices/:id/decline',
    summary: 'Note that the customer declined an issued quote; the first answer counts',
    params: byId,
    body: refusal,
    reply: invoice,
  }),
  takeAnswerBack: endpoint({
    method: 'DELETE',
    path: '/invoices/:id/answer',
    summary: 'Open a quote again that was accepted or declined, as long as no invoice of it was issued',
    params: byId,
    reply: invoice,
  }),
  makeInvoice: endpoint({
    method: 'POST',
    path: '/invoices/:id/invoice',
    summary: 'A draft of an invoice with the content of a quote; an invoice that is there is answered again',
    params: byId,
    reply: invoice,
  }),
  addPayment: endpoint({
    method: 'POST',
    path: '/invoices/:id/payments',
    summary: 'Record a payment of an issued invoice, in its currency',
    params: byId,
    body: z.object({
      amount,
      /** By default today. */
      paid_on: z.optional(day),
      note: z._default(line(PAYMENT_NOTE_MAX), ''),
    }),
    reply: invoice,
    idempotent: true,
  }),
  removePayment: endpoint({
    method: 'DELETE',
    path: '/invoices/:id/payments/:payment_id',
    summary: 'Remove a payment that was recorded',
    params: z.extend(byId, { payment_id: id }),
    reply: invoice,
  }),
}
