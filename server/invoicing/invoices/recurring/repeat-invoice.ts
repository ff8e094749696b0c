import type { BodyOf, Given } from '#contract/platform/endpoint.ts'
import {
  RECURRING_MAX,
  type RecurringInvoice,
  type recurringInvoices,
} from '#contract/invoicing/recurring-invoices.ts'
import type { InvoiceContent } from '#contract/invoicing/saved-invoices.ts'
import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/handles.ts'
import { conflict } from '../../../platform/errors.ts'
import { wrongFields } from '../draft-content.ts'
import { lockedInvoice } from '../find-invoice.ts'
import { faultsOf } from '../issue-invoice.ts'
import { type Reader, todayOf } from '../today.ts'
import { getRecurring } from './list-recurring.ts'
import { beginOf, datedContent } from './periods.ts'
import { countRecurring, insertRecurring, type NewRecurring } from './recurring-store.ts'
import { changing } from '../../../platform/changing.ts'

/**
 * Has an invoice made anew every month or year. Its content is copied.
 *
 * @throws Refusal 404; 400 for days that cannot be, and for what is missing of an invoice that is to be issued; 409
 */
export async function repeatInvoice(
  context: Context,
  user: Reader,
  { invoice_id, every, makes, first_on, ...length }: BodyOf<typeof recurringInvoices.add>,
): Promise<Given<RecurringInvoice>> {
  const { ends_on = null, times = null } = length
  const today = todayOf(context.clock, user.timeZone)
  if (first_on < today) throw wrongFields({ first_on: 'Please choose today or a later day' })
  checkLength({ next_on: first_on, ends_on, times, made: 0 })
  const id = await changing(context, user.id, 'invoices', async (tx) => {
    const copied = await copyContent(tx, user.id, invoice_id, { makes, day: first_on })
    if ((await countRecurring(tx, user.id)).going >= RECURRING_MAX)
      throw conflict(`You have ${RECURRING_MAX} recurring invoices. Please end one of them first.`)
    const added = await insertRecurring(
      tx,
      user.id,
      {
        ...copied,
        every,
        makes,
        state: 'active',
        time_zone: user.timeZone,
        anchor_on: first_on,
        anchor_period: 1,
        next_period: 1,
        next_on: first_on,
        due_at: beginOf(first_on, user.timeZone),
        last_on: null,
        ends_on,
        times,
      },
      context.clock.now(),
    )
    return added
  })
  return getRecurring(context, user, id)
}

/**
 * What is repeated of a document, dated a day.
 *
 * @throws Refusal 404; 409 for what is no invoice; 400 with what is missing, if it is to be issued
 */
export async function copyContent(
  tx: Tx,
  userId: number,
  invoiceId: number,
  { makes, day }: { makes: NewRecurring['makes']; day: string },
): Promise<Pick<NewRecurring, 'contact_id' | 'currency' | 'customer' | 'content'>> {
  const source = await lockedInvoice(tx, userId, invoiceId)
  if (source.kind !== 'invoice') throw conflict('Only an invoice can be repeated.')
  // The number is of one document, and what was paid before its issue too.
  const content = datedContent({ ...source.content, number: '', amount_paid: '' }, day)
  if (makes === 'issued') checkComplete(content, source.rate)
  return { content, contact_id: source.contact_id, currency: source.currency, customer: source.customer }
}

/** @throws Refusal 400 with what is missing before this can be issued */
export function checkComplete(content: InvoiceContent, rate: number): void {
  const missing = faultsOf(content, 'invoice', { rate })
  if (Object.keys(missing).length > 0) throw wrongFields(missing)
}

/** @throws Refusal 400 for an end that leaves no invoice to make */
export function checkLength({
  next_on,
  ends_on,
  times,
  made,
}: {
  next_on: string
  ends_on: string | null
  times: number | null
  made: number
}): void {
  if (ends_on !== null && times !== null)
    throw wrongFields({ times: 'Please choose either a last day or a number of invoices' })
  if (ends_on !== null && ends_on < next_on)
    throw wrongFields({ ends_on: 'The last day is before the next invoice' })
  if (times !== null && times <= made)
    throw wrongFields({ times: `${made} have been made already. Please enter more` })
}
