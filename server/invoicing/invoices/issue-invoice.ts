import { countInvoice } from '#contract/invoicing/invoices.ts'
import { money } from '#contract/invoicing/money.ts'
import type { Invoice, InvoiceContent, InvoiceKind } from '#contract/invoicing/saved-invoices.ts'
import { isEmailAddress } from '#contract/platform/values.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { isUniqueViolation } from '../../platform/database/transaction.ts'
import { conflict } from '../../platform/errors.ts'
import { currentRates } from '../rates/rates.ts'
import { columnsOf, type Rate, searchText, wrongFields } from './draft-content.ts'
import { changeDocument, lockedInvoice } from './find-invoice.ts'
import { keptRate, rateIn } from './save-draft.ts'
import { changeInvoice, insertPayment, type StoredInvoice } from './store.ts'
import { numberTaken, takeNumber } from './take-number.ts'
import type { Reader } from './today.ts'

/**
 * Issues a draft: it gets its number, its rate is fixed, and from now on it is locked. Issuing it again answers what was
 * issued: twenty clicks use one number.
 *
 * @throws Refusal 404; 400 with what is missing; 409 for a credit note over more than is left of its invoice
 */
export async function issueInvoice(context: Context, user: Reader, id: number): Promise<Invoice> {
  const rates = await currentRates(context)
  try {
    return await changeDocument(context, user, id, async (tx, row) => {
      if (row.issued_at === null)
        await issue(context, tx, row, keptRate(row, row.content) ?? rateIn(rates, row.content))
    })
  } catch (error) {
    // Two documents with the same typed number, at the same moment.
    if (isUniqueViolation(error, 'invoices_number')) throw numberTaken()
    throw error
  }
}

/** Issues a locked draft at a rate, in a transaction. @throws Refusal 400 with what is missing; 409 */
export async function issue({ clock }: Context, tx: Tx, row: StoredInvoice, rate: Rate): Promise<void> {
  const { content, id, kind, user_id: userId } = row
  const missing = faultsOf(content, kind, rate)
  if (Object.keys(missing).length > 0) throw wrongFields(missing)
  const columns = columnsOf(content, rate, kind)
  const now = clock.now()
  if (row.credits_id !== null) await creditInvoice(tx, userId, row.credits_id, columns.total, now)
  if (row.quote_id !== null) await noteInvoiced(tx, userId, row.quote_id, now)
  const number = await takeNumber(tx, userId, { kind, issue_date: content.issue_date, typed: content.number })
  const search = `${columns.search}\n${searchText([number])}`
  await changeInvoice(tx, userId, id, { ...columns, search, number, issued_at: now }, now)
  if (columns.paid === 0) return
  const note = 'Paid before the invoice was issued'
  await insertPayment(
    tx,
    userId,
    { invoice_id: id, amount: columns.paid, paid_on: content.issue_date, note },
    now,
  )
}

/** Notes on a quote that its invoice was issued. @throws Refusal 409 when the customer has declined it meanwhile */
async function noteInvoiced(tx: Tx, userId: number, quoteId: number, now: Date): Promise<void> {
  const quote = await lockedInvoice(tx, userId, quoteId)
  if (quote.declined_at !== null)
    throw conflict(`Quote ${quote.number} was declined. Please open it again before you issue its invoice.`)
  await changeInvoice(tx, userId, quoteId, { invoiced_at: now }, now)
}

/** Takes the total of a credit note off its invoice. */
async function creditInvoice(tx: Tx, userId: number, id: number, total: number, now: Date): Promise<void> {
  const invoice = await lockedInvoice(tx, userId, id)
  const left = invoice.total - invoice.credited
  if (total > left)
    throw conflict(
      `Of invoice ${invoice.number} at most ${money(left, invoice.currency)} can be credited. Please lower the amounts.`,
    )
  await changeInvoice(tx, userId, id, { credited: invoice.credited + total }, now)
}

/** What a document still needs before it can be issued, by field. */
export function faultsOf(
  content: InvoiceContent,
  kind: InvoiceKind,
  { rate }: Pick<Rate, 'rate'>,
): Record<string, string> {
  const { seller, buyer, items } = content
  const faults: Record<string, string> = {}
  const need = (field: string, isThere: boolean, why: string) => {
    if (!isThere) faults[field] = why
  }
  need(
    'seller.name',
    seller.name !== '' || seller.business_name !== '',
    'Please enter your name or business name',
  )
  need('buyer.name', buyer.name !== '' || buyer.business_name !== '', 'Please enter the customer’s name')
  need('buyer.email', buyer.email === '' || isEmailAddress(buyer.email), 'Please enter a valid email address')
  need('issue_date', content.issue_date !== '', 'Please enter the issue date')
  need('due_date', content.due_date !== '' || kind === 'credit_note', NO_DUE_DATE[kind])
  need('items', items.length > 0, 'Please add a line')
  for (const [index, { description }] of items.entries())
    need(`items.${index}.description`, description !== '', 'Please say what this line is for')
  return { ...faults, ...countInvoice(content, rate, kind).faults }
}

const NO_DUE_DATE: Record<InvoiceKind, string> = {
  invoice: 'Please enter the due date',
  credit_note: '',
  quote: 'Please enter until when the quote is valid',
}
