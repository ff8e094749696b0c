import { KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import { DEFAULT_NOTES, DEFAULT_QUOTE_NOTES } from '#contract/invoicing/invoices.ts'
import type { Invoice, InvoiceContent } from '#contract/invoicing/saved-invoices.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { conflict } from '../../platform/errors.ts'
import { currentRates } from '../rates/rates.ts'
import { columnsOf, type Rate } from './draft-content.ts'
import { changeDocument } from './find-invoice.ts'
import { rateIn } from './save-draft.ts'
import { creditNotesOf, insertInvoice, invoiceOfQuote, type NewInvoice, type StoredInvoice } from './store.ts'
import { dueAfter, type Reader, todayOf } from './today.ts'

/** A new draft with the content of another document, dated today, with as many days to pay. @throws Refusal 404 */
export async function duplicateInvoice(context: Context, user: Reader, id: number): Promise<Invoice> {
  const rates = await currentRates(context)
  return changeDocument(context, user, id, async (tx, row) => {
    const today = todayOf(context.clock, user.timeZone)
    const dates = { issue_date: today, due_date: dueAfter(today, row) }
    const content = { ...row.content, ...dates, number: '', amount_paid: '' }
    const kind = row.kind === 'quote' ? 'quote' : 'invoice'
    return insertCopy(context, tx, row, content, { ...rateIn(rates, content), kind })
  })
}

/**
 * A draft of a credit note with the content of an issued invoice and its rate. While there is such a draft, that one is
 * answered again.
 *
 * @throws Refusal 404; 409 for what cannot be credited
 */
export async function creditInvoice(context: Context, user: Reader, id: number): Promise<Invoice> {
  return changeDocument(context, user, id, async (tx, row) => {
    if (row.kind !== 'invoice')
      throw conflict(`A ${KIND_WORDS[row.kind].name.toLowerCase()} cannot be credited.`)
    if (row.issued_at === null) throw conflict('This is a draft: it can simply be changed or deleted.')
    const open = (await creditNotesOf(tx, user.id, id)).find(({ status }) => status === 'draft')
    if (open !== undefined) return open.id
    if (row.credited === row.total) throw conflict('All of this invoice has been credited already.')
    const content = {
      ...row.content,
      issue_date: todayOf(context.clock, user.timeZone),
      due_date: '',
      number: '',
      amount_paid: '',
      notes: `Credit note for invoice ${row.number}`,
    }
    const { rate, rate_date } = row
    return insertCopy(context, tx, row, content, { rate, rate_date, kind: 'credit_note', credits_id: id })
  })
}

/**
 * A draft of an invoice with the content of an issued quote, dated today, at the rate of the quote: it asks for what was
 * offered. While there is such an invoice, that one is answered again: twenty clicks make one.
 *
 * @throws Refusal 404; 409 for what is no quote, for a draft, and for a quote that was declined
 */
export async function makeInvoice(context: Context, user: Reader, id: number): Promise<Invoice> {
  return changeDocument(context, user, id, async (tx, row) => {
    if (row.kind !== 'quote') throw conflict('Only a quote becomes an invoice.')
    if (row.issued_at === null) throw conflict('Please issue this quote first, so that it has a number.')
    const today = todayOf(context.clock, user.timeZone)
    const known = await invoiceOfQuote(tx, user.id, id, today)
    if (known !== undefined) return known.id
    if (row.declined_at !== null)
      throw conflict('This quote was declined. Open it again first, or duplicate it.')
    const { notes } = row.content
    const content = {
      ...row.content,
      issue_date: today,
      due_date: dueAfter(today),
      number: '',
      notes: notes === DEFAULT_QUOTE_NOTES ? DEFAULT_NOTES : notes,
    }
    const { rate, rate_date } = row
    return insertCopy(context, tx, row, content, { rate, rate_date, kind: 'invoice', quote_id: id })
  })
}

/** Returns its id. */
async function insertCopy(
  { clock }: Context,
  tx: Tx,
  { user_id: userId, contact_id }: StoredInvoice,
  content: InvoiceContent,
  { kind, credits_id, quote_id, ...rate }: Rate & Pick<NewInvoice, 'kind' | 'credits_id' | 'quote_id'>,
): Promise<number> {
  const columns = { ...columnsOf(content, rate, kind), kind, contact_id }
  return insertInvoice(
    tx,
    userId,
    { ...columns, credits_id: credits_id ?? null, quote_id: quote_id ?? null },
    clock.now(),
  )
}
