import type { Invoice, InvoiceContent } from '#contract/saved-invoices.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../database/handles.ts'
import { inTransaction } from '../database/transaction.ts'
import { conflict } from '../errors.ts'
import { currentRates } from '../rates/rates.ts'
import { columnsOf, type Rate } from './draft-content.ts'
import { getInvoice, noInvoice } from './find-invoice.ts'
import { rateIn } from './save-draft.ts'
import { creditNotesOf, insertInvoice, lockInvoice, type StoredInvoice } from './store.ts'
import { dueAfter, type Reader, todayOf } from './today.ts'

/** A new draft with the content of another document, dated today, with as many days to pay. @throws Refusal 404 */
export async function duplicateInvoice(context: Context, user: Reader, id: number): Promise<Invoice> {
  const rates = await currentRates(context)
  const copy = await inTransaction(context.db, async (tx) => {
    const row = await lockInvoice(tx, user.id, id)
    if (row === undefined) throw noInvoice()
    const today = todayOf(context.clock, user.timeZone)
    const dates = { issue_date: today, due_date: dueAfter(today, row) }
    const content = { ...row.content, ...dates, number: '', amount_paid: '' }
    return insertCopy(context, tx, row, content, { ...rateIn(rates, content), creditsId: null })
  })
  return getInvoice(context, user, copy)
}

/**
 * A draft of a credit note with the content of an issued invoice and its rate. While there is such a draft, that one is
 * answered again.
 *
 * @throws Refusal 404; 409 for what cannot be credited
 */
export async function creditInvoice(context: Context, user: Reader, id: number): Promise<Invoice> {
  const note = await inTransaction(context.db, async (tx) => {
    const row = await lockInvoice(tx, user.id, id)
    if (row === undefined) throw noInvoice()
    if (row.kind === 'credit_note') throw conflict('A credit note cannot be credited.')
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
    return insertCopy(context, tx, row, content, { rate, rate_date, creditsId: id })
  })
  return getInvoice(context, user, note)
}

async function insertCopy(
  context: Context,
  tx: Tx,
  { user_id: userId, contact_id }: StoredInvoice,
  content: InvoiceContent,
  { creditsId, ...rate }: Rate & { creditsId: number | null },
): Promise<number> {
  const copy = await insertInvoice(
    tx,
    userId,
    {
      ...columnsOf(content, rate),
      kind: creditsId === null ? 'invoice' : 'credit_note',
      contact_id,
      number: null,
      credits_id: creditsId,
      issued_at: null,
      sent_at: null,
      viewed_at: null,
      deleted_at: null,
    },
    context.clock.now(),
  )
  await context.live.publish(tx, userId, { topic: 'invoices' })
  return copy
}
