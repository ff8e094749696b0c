import { unprintable } from '#contract/invoicing/invoice-document/faces.ts'
import { type InvoiceKind, KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import { type Buyer, type InvoiceDraft, printedTexts } from '#contract/invoicing/invoices.ts'

const PARTY_FIELDS: readonly (readonly [keyof Buyer, string])[] = [
  ['name', 'name'],
  ['business_name', 'business name'],
  ['address', 'address'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['tax_number', 'tax number'],
]

/** The required fields that are empty, as a sentence would name them. A draft can be downloaded all the same. */
export function missingFields(draft: InvoiceDraft, kind: InvoiceKind): string[] {
  const words = KIND_WORDS[kind]
  const fields = [
    ['number', words.number.toLowerCase()],
    ['po_number', 'PO number'],
    ['issue_date', 'issue date'],
    ['due_date', words.due.toLowerCase()],
    ['notes', 'notes'],
  ] as const
  const party = (who: Buyer, whose: string) =>
    PARTY_FIELDS.filter(([field]) => who[field].trim() === '').map(([, name]) => `${whose} ${name}`)
  const own = fields.filter(([field]) => draft[field].trim() === '').map(([, name]) => name)
  return [...party(draft.seller, 'seller’s'), ...party(draft.buyer, 'buyer’s'), ...own]
}

/** What no font of the PDF has, or null. */
export function unprintableWords(draft: InvoiceDraft): string | null {
  const characters = unprintable(printedTexts(draft).join(' '))
  if (characters.length === 0) return null
  return `The PDF cannot show these characters yet, and has a question mark for each: ${characters.slice(0, 10).join(' ')}`
}
