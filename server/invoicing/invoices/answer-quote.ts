import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { Invoice, invoices } from '#contract/invoicing/saved-invoices.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { conflict } from '../../platform/errors.ts'
import { changeDocument, lockedInvoice } from './find-invoice.ts'
import { changeInvoice, type StoredInvoice } from './store.ts'
import { type Reader, todayOf } from './today.ts'

/** What somebody says to a quote. */
export type Answer =
  | ({ act: 'accept' } & BodyOf<typeof invoices.accept>)
  | ({ act: 'decline' } & BodyOf<typeof invoices.decline>)

/**
 * The user notes what the customer told them, also after the last day of the quote. The same answer again changes nothing:
 * the first one counts.
 *
 * @throws Refusal 404; 409 for a draft, for what is no quote, and for a quote that was answered otherwise or invoiced
 */
export async function noteAnswer(context: Context, user: Reader, id: number, answer: Answer) {
  return changeDocument(context, user, id, async (tx, row) => {
    checkQuote(row)
    if (!isGiven(row, answer)) await keepAnswer(context, tx, row, answer, false)
  })
}

/**
 * The customer answers a quote on their page. The first answer counts; giving it again changes nothing. The owner sees it at
 * once.
 *
 * @param owner the user whose quote it is; it holds until the end of its last day in their zone
 * @throws Refusal 404; 409 when the quote has expired, was answered otherwise or has been invoiced
 */
export async function answerQuote(context: Context, tx: Tx, owner: Reader, id: number, answer: Answer) {
  const row = await lockedInvoice(tx, owner.id, id)
  checkQuote(row)
  if (isGiven(row, answer)) return
  const isOpen = row.accepted_at === null && row.declined_at === null && row.invoiced_at === null
  if (isOpen && row.due_date < todayOf(context.clock, owner.timeZone))
    throw conflict('This quote has expired. Please ask for a new one.')
  await keepAnswer(context, tx, row, answer, true)
  await context.live.publish(tx, owner.id, { topic: 'invoices' })
}

/** Opens a quote again that was accepted or declined. @throws Refusal 404; 409 once an invoice of it was issued */
export async function takeAnswerBack(context: Context, user: Reader, id: number): Promise<Invoice> {
  return changeDocument(context, user, id, async (tx, row) => {
    checkQuote(row)
    if (row.invoiced_at !== null) throw invoiced()
    if (row.accepted_at === null && row.declined_at === null) return
    const none = { accepted_at: null, accepted_by: '', declined_at: null, declined_reason: '' }
    await changeInvoice(tx, user.id, id, { ...none, answered_by_customer: false }, context.clock.now())
  })
}

const invoiced = () => conflict('This quote has been invoiced already.')

/** @throws Refusal 409 unless this is a quote that was issued */
function checkQuote(row: StoredInvoice): void {
  if (row.kind !== 'quote') throw conflict('Only a quote is accepted or declined.')
  if (row.issued_at === null) throw conflict('Please issue this quote first.')
}

const isGiven = (row: StoredInvoice, { act }: Answer) =>
  (act === 'accept' ? row.accepted_at : row.declined_at) !== null

async function keepAnswer(context: Context, tx: Tx, row: StoredInvoice, answer: Answer, isCustomer: boolean) {
  if (row.invoiced_at !== null) throw invoiced()
  if (row.accepted_at !== null) throw conflict('This quote has been accepted already.')
  if (row.declined_at !== null) throw conflict('This quote has been declined already.')
  const now = context.clock.now()
  const said =
    answer.act === 'accept'
      ? { accepted_at: now, accepted_by: answer.name }
      : { declined_at: now, declined_reason: answer.reason }
  await changeInvoice(tx, row.user_id, row.id, { ...said, answered_by_customer: isCustomer }, now)
}
