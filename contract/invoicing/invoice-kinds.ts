export const KINDS = ['invoice', 'credit_note', 'quote'] as const
export type InvoiceKind = (typeof KINDS)[number]
/** The kinds that are written from nothing; a credit note is made from its invoice. */
export const WRITTEN_KINDS = ['invoice', 'quote'] as const
export type WrittenKind = (typeof WRITTEN_KINDS)[number]

/** What each kind of document calls itself and its parts, on paper and on screens. */
export const KIND_WORDS: Record<
  InvoiceKind,
  {
    name: string
    number: string
    /** Its last day: until which it is paid, or holds. */
    due: string
    /** The amount that counts in the end. */
    sum: string
    /** Above the buyer's address. */
    buyer: string
  }
> = {
  invoice: {
    name: 'Invoice',
    number: 'Invoice number',
    due: 'Due date',
    sum: 'Amount due',
    buyer: 'Bill to',
  },
  credit_note: {
    name: 'Credit note',
    number: 'Credit note number',
    due: 'Due date',
    sum: 'Amount credited',
    buyer: 'Bill to',
  },
  quote: {
    name: 'Quote',
    number: 'Quote number',
    due: 'Valid until',
    sum: 'Total',
    buyer: 'Prepared for',
  },
}
