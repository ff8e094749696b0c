import {
  type Every,
  type Makes,
  RECURRING_MAX,
  type RecurringInvoice,
} from '#contract/invoicing/recurring-invoices.ts'
import { customerText, shortDay } from '../list/invoice-text.ts'

/** More than one user can have that have not ended; some of those that have. */
export const LIST_SIZE = RECURRING_MAX * 2

export const EVERY_WORDS: Record<Every, string> = { month: 'Every month', year: 'Every year' }
export const MAKES_WORDS: Record<Makes, string> = { draft: 'as a draft', issued: 'issued at once' }

/** When it ends: "After 9 more", "On Mar 1, 2027"; "–" for none. */
export function endText({ ends_on, made, times, state }: RecurringInvoice): string {
  if (state === 'ended') return made === 1 ? 'After 1 invoice' : `After ${made} invoices`
  if (ends_on !== null) return `On ${shortDay(ends_on)}`
  if (times === null) return '–'
  return `After ${times - made} more`
}

/** "Bea Ltd, every month": what one is called in the names of its buttons. */
export const recurringName = ({ customer, every }: Pick<RecurringInvoice, 'customer' | 'every'>) =>
  `${customerText(customer)}, ${EVERY_WORDS[every].toLowerCase()}`
