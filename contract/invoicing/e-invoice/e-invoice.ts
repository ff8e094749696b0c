import { plainAccount } from '../bank-account.ts'
import { documentContent } from '../invoice-document/document-content.ts'
import type { Counted, InvoiceDraft } from '../invoices.ts'
import type { Invoice } from '../saved-invoices.ts'
import { isEmailAddress } from '../../platform/values.ts'
import { type TaxCategory, needsReason } from '../vat-category.ts'
import type { EInvoice, EInvoiceFormat, InvoiceLine, Party, VatBreakdown } from './model.ts'
import { isInEu, vatIdOf } from './vat-id.ts'
import { holdable } from './xml.ts'

/** What keeps a document from becoming an e-invoice: fields that are empty, as a list names them, and sentences. */
export type Hindrances = { missing: string[]; problems: string[] }

type Sums = NonNullable<Counted['sums']>
type Readable = { invoice: Invoice; draft: InvoiceDraft; counted: Counted; sums: Sums }

/** The country of the seller: the one of the address, else the one that taxes. */
export const sellerCountry = (invoice: Pick<Invoice, 'seller' | 'country'>): string =>
  invoice.seller.country_code || invoice.country

/** True where e-invoices are offered: EN 16931 is the standard of the European Union. A quote is no invoice. */
export const hasEInvoices = (invoice: Pick<Invoice, 'kind' | 'seller' | 'country'>): boolean =>
  invoice.kind !== 'quote' && isInEu(sellerCountry(invoice))

/** The document in the standard's terms, or what keeps it from being that. Nothing is guessed. */
export function readEInvoice(
  invoice: Invoice,
  format: EInvoiceFormat,
): { model: EInvoice; hindrances: null } | { model: null; hindrances: Hindrances } {
  const content = documentContent(invoice)
  const hopeless = (problem: string) => ({ model: null, hindrances: { missing: [], problems: [problem] } })
  if (invoice.kind === 'quote') return hopeless('A quote is no invoice. Please make its invoice first.')
  if (!hasEInvoices(invoice)) return hopeless('E-invoices are for sellers in the European Union.')
  if (content === null) return hopeless('This document cannot be read.')
  const { counted } = content
  const { sums } = counted
  const draft = withHoldableTexts(content.draft)
  if (sums === null) return hopeless('Some amounts cannot be read. Please correct them first.')
  const readable = { invoice, draft, counted, sums }
  const missing = [
    ...missingFields(readable),
    ...(format === 'xrechnung' ? missingForXRechnung(readable) : []),
  ]
  const problems = problemsOf(readable)
  if (content.isUnconverted)
    problems.push('No exchange rate was known, so the amounts are not in the currency of the invoice.')
  if (missing.length + problems.length > 0) return { model: null, hindrances: { missing, problems } }
  return { model: modelOf(readable), hindrances: null }
}

/** A text of which XML can hold nothing is no text. */
const withHoldableTexts = (draft: InvoiceDraft): InvoiceDraft =>
  JSON.parse(JSON.stringify(draft), (_, value: unknown) =>
    typeof value === 'string' ? holdable(value).trim() : value,
  ) as InvoiceDraft

const isUntaxed = ({ tax }: { tax: number }) => tax === 0

/** The category of a line: one with a rate is standard, the others have the document's. */
const categoryOf = (line: { tax: number }, draft: InvoiceDraft): TaxCategory =>
  isUntaxed(line) ? draft.tax_category : 'S'

const nameOf = ({ business_name, name }: { business_name: string; name: string }) => business_name || name

/** The words for fields that EN 16931 asks for and that are empty. */
function missingFields({ draft, counted, sums, invoice }: Readable): string[] {
  const { seller, buyer, tax_category: category } = draft
  const missing: string[] = []
  const need = (isThere: boolean, words: string) => {
    if (!isThere) missing.push(words)
  }
  const sellerVat = vatIdOf(seller.tax_number) !== null
  need(nameOf(seller) !== '', 'your name')
  if (category === 'K' || category === 'G') need(sellerVat, 'your VAT number, as in DE123456789')
  else need(seller.tax_number !== '', 'your VAT or tax number')
  need(nameOf(buyer) !== '', 'the customer’s name')
  need(buyer.country_code !== '', 'the customer’s country')
  // Where the customer owes the tax, the tax office must be able to find them.
  if (category === 'K' || category === 'AE')
    need(vatIdOf(buyer.tax_number) !== null, 'the customer’s VAT number, as in ATU12345678')
  if (category === 'K')
    need(
      draft.delivery_date !== '' || draft.service_start !== '' || draft.service_end !== '',
      'the delivery date',
    )
  if (needsReason(category)) need(draft.tax_reason !== '', 'the reason for no tax')
  need(draft.issue_date !== '', 'the issue date')
  need(draft.due_date !== '' || sums.due === 0 || invoice.kind === 'credit_note', 'the due date')
  need(counted.lines.length > 0, 'a line')
  need(
    draft.items.every(({ description }) => description !== ''),
    'a description in every line',
  )
  return missing
}

/** What the German XRechnung asks for besides. */
function missingForXRechnung({ draft, sums, invoice }: Readable): string[] {
  const { seller, buyer } = draft
  const missing: string[] = []
  const need = (isThere: boolean, words: string) => {
    if (!isThere) missing.push(words)
  }
  const isFilled = (text: string) => text !== ''
  need(isFilled(seller.post_code), 'your post code')
  need(isFilled(seller.city), 'your city')
  need((seller.phone.match(/\d/g) ?? []).length >= 3, 'your phone number')
  need(isEmailAddress(seller.email), 'your email address')
  need(isFilled(buyer.post_code), 'the customer’s post code')
  need(isFilled(buyer.city), 'the customer’s city')
  need(isEmailAddress(buyer.email) || isLeitwegId(draft.buyer_reference), 'the customer’s email address')
  need(isFilled(draft.buyer_reference), 'the customer’s reference (for German authorities the Leitweg-ID)')
  need(isFilled(seller.iban) || sums.due === 0 || invoice.kind === 'credit_note', 'your IBAN')
  return missing
}

/** Percentages are thousandths; the rules of the standard take a rate that rounds to 0 for none. */
const LOWEST_RATE = 500

function problemsOf({ draft, counted, sums }: Readable): string[] {
  const problems = Object.values(counted.faults).map((why) => `${why}.`)
  const { lines } = counted
  const { tax_category: category } = draft
  const untaxed = lines.findIndex(isUntaxed)
  if (sums.discount > 0)
    problems.push(
      'A discount on the whole invoice cannot be expressed, as it is taken after tax. Please give the lines a discount instead.',
    )
  if (sums.paid > sums.total) problems.push('The amount paid is above the total.')
  if (category === 'S' && untaxed !== -1)
    problems.push(`Line ${untaxed + 1} has no tax. Please choose a tax category that says why.`)
  if (category !== 'S' && untaxed === -1 && lines.length > 0)
    problems.push('You chose a tax category without tax, but every line has tax.')
  if (category === 'O' && lines.some((line) => !isUntaxed(line)))
    problems.push('Lines outside VAT cannot stand beside lines with tax.')
  if (lines.some(({ tax }) => tax > 0 && tax < LOWEST_RATE))
    problems.push('A tax rate below 0.5% cannot be expressed.')
  const { country_code: to } = draft.buyer
  if (category === 'K' && to !== '' && !isInEu(to))
    problems.push('The customer’s country is not in the EU. Please choose “Export outside the EU”.')
  return problems
}

function modelOf({ invoice, draft, counted, sums }: Readable): EInvoice {
  const isCreditNote = invoice.kind === 'credit_note'
  const preceding = invoice.credits?.number ?? ''
  const lines = draft.items.map((item, index) => lineOf(item, index, draft, counted))
  return {
    type: isCreditNote ? '381' : '380',
    number: invoice.number,
    issueDate: draft.issue_date,
    currency: draft.currency,
    dueDate: isCreditNote ? '' : draft.due_date,
    buyerReference: draft.buyer_reference,
    orderReference: draft.po_number,
    paymentTerms: isCreditNote ? `Credited against invoice ${preceding}` : '',
    note: draft.notes,
    precedingInvoice: preceding,
    seller: sellerOf(invoice, draft),
    buyer: buyerOf(draft),
    deliveryDate: draft.delivery_date,
    deliveryPlace: draft.tax_category === 'K' ? placeOf(draft) : null,
    period: { start: draft.service_start, end: draft.service_end },
    payment: paymentOf(invoice, draft),
    lines,
    breakdown: breakdownOf(lines, draft, sums),
    totals: { net: sums.net, tax: sums.tax, total: sums.total, paid: sums.paid, due: sums.due },
  }
}

/** Goods within the EU go to the customer (BR-IC-12). */
const placeOf = ({ buyer }: InvoiceDraft) => ({
  city: buyer.city,
  postCode: buyer.post_code,
  country: buyer.country_code,
})

function lineOf(
  item: InvoiceDraft['items'][number],
  index: number,
  draft: InvoiceDraft,
  { lines, sums }: Counted,
): InvoiceLine {
  const line = lines[index]
  const counted = sums?.lines[index]
  if (line === undefined || counted === undefined) throw new Error('A line has not been counted')
  const category = categoryOf(line, draft)
  const [name = '', ...more] = item.description.split(/\s*\n\s*/)
  const { quantity, unitPrice: price, discount: percent, tax } = line
  return {
    id: String(index + 1),
    quantity,
    net: counted.net,
    price,
    allowance: counted.discount === 0 ? null : { amount: counted.discount, base: counted.gross, percent },
    category,
    rate: category === 'O' ? null : tax,
    name,
    description: more.join('\n'),
  }
}

// The code list VATEX of the European Commission; an exemption in general has none.
const REASON_CODES: Partial<Record<TaxCategory, string>> = {
  AE: 'VATEX-EU-AE',
  K: 'VATEX-EU-IC',
  G: 'VATEX-EU-G',
  O: 'VATEX-EU-O',
}

function breakdownOf(lines: readonly InvoiceLine[], draft: InvoiceDraft, sums: Sums): VatBreakdown[] {
  const taxed = sums.taxes.map(({ percent, net, tax }): VatBreakdown => ({
    base: net,
    tax,
    category: 'S',
    rate: percent,
    reason: '',
    reasonCode: '',
  }))
  const untaxed = lines.filter(({ rate }) => rate === null || rate === 0)
  if (untaxed.length === 0) return taxed
  const { tax_category: category, tax_reason: reason } = draft
  const none: VatBreakdown = {
    base: untaxed.reduce((sum, { net }) => sum + net, 0),
    tax: 0,
    category,
    rate: 0,
    reason: needsReason(category) ? reason.trim() : '',
    reasonCode: REASON_CODES[category] ?? '',
  }
  return [none, ...taxed]
}

/** Where the address is free text, its lines; the standard has room for three. */
function addressLines(address: string): [string, string, string] {
  const [one = '', two = '', ...rest] = address
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return [one, two, rest.join(', ')]
}

function sellerOf(invoice: Invoice, { seller, tax_category: category }: InvoiceDraft): Party {
  // Outside VAT no VAT identifier may be named (BR-O-02). Something must tell the seller from others (BR-CO-26).
  const vatId = category === 'O' ? '' : (vatIdOf(seller.tax_number) ?? '')
  const number = seller.tax_number
  return {
    name: nameOf(seller),
    vatId,
    taxNumber: vatId === '' && category !== 'O' ? number : '',
    identifier: vatId === '' ? number : '',
    electronicAddress: electronicAddress(seller.email),
    contact: {
      name: seller.name || nameOf(seller),
      phone: seller.phone,
      email: seller.email,
    },
    addressLines: addressLines(seller.address),
    city: seller.city,
    postCode: seller.post_code,
    country: sellerCountry(invoice),
  }
}

function buyerOf({ buyer, buyer_reference: reference, tax_category: category }: InvoiceDraft): Party {
  const vatId = category === 'O' ? '' : (vatIdOf(buyer.tax_number) ?? '')
  const byEmail = electronicAddress(buyer.email)
  return {
    name: nameOf(buyer),
    vatId,
    taxNumber: '',
    identifier: vatId === '' ? buyer.tax_number : '',
    electronicAddress:
      byEmail.address === '' && isLeitwegId(reference) ? { scheme: '0204', address: reference } : byEmail,
    contact: {
      name: buyer.name === nameOf(buyer) ? '' : buyer.name,
      phone: buyer.phone,
      email: buyer.email,
    },
    addressLines: addressLines(buyer.address),
    city: buyer.city,
    postCode: buyer.post_code,
    country: buyer.country_code,
  }
}

const electronicAddress = (email: string) => ({
  scheme: 'EM',
  address: isEmailAddress(email) ? email : '',
})

/** True for the form of a Leitweg-ID, by which German authorities are reached. */
const isLeitwegId = (reference: string) => /^\d{2,12}(-[A-Z\d]{1,30})?-\d{2}$/.test(reference.toUpperCase())

// UNTDID 4461: clearing between partners, SEPA credit transfer, credit transfer, not defined.
function paymentOf(invoice: Invoice, { seller, currency }: InvoiceDraft): EInvoice['payment'] {
  const none = { reference: invoice.number, iban: '', accountName: '', bic: '' }
  if (invoice.kind === 'credit_note') return { ...none, code: '97' }
  const iban = plainAccount(seller.iban)
  if (iban === '') return { ...none, code: '1' }
  const code = currency === 'EUR' ? '58' : '30'
  return { ...none, code, iban, accountName: nameOf(seller), bic: plainAccount(seller.bic) }
}
