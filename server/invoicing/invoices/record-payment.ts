import type { BodyOf } from '#contract/platform/endpoint.ts'
import { KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import { decimalsOf, money, readDecimal } from '#contract/invoicing/money.ts'
import { type Invoice, type invoices, PAYMENTS_MAX } from '#contract/invoicing/saved-invoices.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { wrongFields } from './draft-content.ts'
import { changeDocument } from './find-invoice.ts'
import { changeInvoice, deletePayment, insertPayment, sumPayments } from './store.ts'
import { type Reader, todayOf } from './today.ts'

/** Records a payment. @throws Refusal 404; 400 for an amount or a day that cannot be; 409 for a draft and for what is no invoice */
export async function recordPayment(
  context: Context,
  user: Reader,
  id: number,
  { amount: typed, note, paid_on }: BodyOf<typeof invoices.addPayment>,
): Promise<Invoice> {
  const { clock } = context
  const today = todayOf(clock, user.timeZone)
  const paidOn = paid_on ?? today
  if (paidOn > today) throw wrongFields({ paid_on: 'This day has not come yet' })
  return changeDocument(context, user, id, async (tx, row) => {
    if (row.kind !== 'invoice')
      throw conflict(`Payments are recorded on invoices, not on ${KIND_WORDS[row.kind].name.toLowerCase()}s.`)
    if (row.issued_at === null) throw conflict('Please issue this invoice before you record a payment.')
    const read = readDecimal(typed, decimalsOf(row.currency))
    if ('why' in read) throw wrongFields({ amount: read.why })
    if (read.value === 0) throw wrongFields({ amount: 'Please enter an amount above 0' })
    if (row.due === 0) throw wrongFields({ amount: 'Nothing is left to pay' })
    if (read.value > row.due)
      throw wrongFields({ amount: `Only ${money(row.due, row.currency)} is left to pay` })
    const { payments } = await sumPayments(tx, user.id, id)
    if (payments >= PAYMENTS_MAX) throw conflict(`An invoice has at most ${PAYMENTS_MAX} payments.`)
    await insertPayment(
      tx,
      user.id,
      { invoice_id: id, amount: read.value, paid_on: paidOn, note },
      clock.now(),
    )
    await settle(context, tx, user.id, id)
  })
}

/** Removes a payment. @throws Refusal 404 */
export async function removePayment(context: Context, user: Reader, id: number, paymentId: number) {
  return changeDocument(context, user, id, async (tx) => {
    if (!(await deletePayment(tx, user.id, id, paymentId))) throw notFound('This payment does not exist.')
    await settle(context, tx, user.id, id)
  })
}

async function settle({ clock }: Context, tx: Tx, userId: number, id: number): Promise<void> {
  const { paid } = await sumPayments(tx, userId, id)
  await changeInvoice(tx, userId, id, { paid }, clock.now())
}
