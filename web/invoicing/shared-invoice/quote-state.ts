import type { SharedInvoice } from '#contract/invoicing/shared-invoices.ts'
import { shortDay } from '#web/invoicing/invoices/list/invoice-text.ts'
import type { BadgeTone } from '#web/platform/ui/Badge.tsx'

type Quote = Pick<SharedInvoice, 'status' | 'due_date' | 'accepted_at' | 'accepted_by' | 'declined_at'>

/** True while the customer can still answer. */
export const canAnswer = ({ status }: Pick<Quote, 'status'>) =>
  status === 'issued' || status === 'sent' || status === 'viewed'

/** How a quote stands, said plainly to the customer. */
export function quoteState(quote: Quote): { badge: { tone: BadgeTone; word: string } | null; words: string } {
  const { accepted_at, accepted_by, declined_at, due_date, status } = quote
  if (accepted_at !== null)
    return {
      badge: { tone: 'green', word: 'Accepted' },
      words: `Accepted by ${accepted_by} on ${dayOf(accepted_at)}. Thank you.`,
    }
  if (declined_at !== null)
    return { badge: { tone: 'gray', word: 'Declined' }, words: `Declined on ${dayOf(declined_at)}` }
  if (status === 'invoiced')
    return { badge: { tone: 'green', word: 'Invoiced' }, words: 'The invoice for it has been written.' }
  if (status === 'expired')
    return {
      badge: { tone: 'amber', word: 'Expired' },
      words: `Was valid until ${shortDay(due_date)}. Please ask for a new one.`,
    }
  return { badge: null, words: `Valid until ${shortDay(due_date)}` }
}

/** The day of an instant where the reader is. */
const dayOf = (instant: string) => shortDay(new Date(instant).toLocaleDateString('sv'))
