import { plainAccount } from '#contract/invoicing/bank-account.ts'
import { epcCode } from '#contract/invoicing/epc-code.ts'
import { invoiceDraft } from '#contract/invoicing/invoices.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import type { SharedInvoice } from '#contract/invoicing/shared-invoices.ts'
import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import {
  type Answer,
  answerQuote,
  getInvoice,
  invoicePdf,
  noteViewed,
  pdfFileName,
  type Reader,
} from '../invoices/invoices.ts'
import { isLinkGood, readInvoiceToken } from './invoice-link.ts'

/** One sentence for every link that leads nowhere: it tells nobody whether there was ever anything. */
const gone = () => notFound('This link is not valid. Please ask the sender for a new one.')

/** The document of a link, and its owner. @throws Refusal 404 for a link that is forged, off, replaced, or of a deleted account */
async function findShared(context: Context, token: string): Promise<{ owner: Reader; invoice: Invoice }> {
  const linked = readInvoiceToken(context, token)
  if (linked === null || !(await isLinkGood(context.db, linked))) throw gone()
  const { userId, invoiceId } = linked
  const user = await findUser(context.db, userId)
  // A ban is no matter of the user's customers: they go on seeing what they have to pay.
  if (user === undefined) throw gone()
  const owner = { id: userId, timeZone: user.time_zone ?? FALLBACK_ZONE }
  const invoice = await getInvoice(context, owner, invoiceId).catch(() => null)
  if (invoice === null || invoice.issued_at === null) throw gone()
  return { owner, invoice }
}

/** What a link shows. Changes nothing, because mail scanners open every link. @throws Refusal 404 */
export async function showShared(context: Context, token: string): Promise<SharedInvoice> {
  return present((await findShared(context, token)).invoice)
}

/** The PDF of a link's document. @throws Refusal 404; 429 while many PDFs of the owner are made */
export async function sharedPdf(
  context: Context,
  token: string,
  signal: AbortSignal,
): Promise<{ name: string; bytes: Buffer }> {
  const { owner, invoice } = await findShared(context, token)
  return { name: pdfFileName(invoice), bytes: await invoicePdf(context, owner.id, invoice, { signal }) }
}

/** Notes that the customer has looked at the page. The owner's own looks do not count. @throws Refusal 404 */
export async function noteLook(context: Context, token: string, viewerId: number | null): Promise<void> {
  const { owner, invoice } = await findShared(context, token)
  if (viewerId === owner.id || invoice.viewed_at !== null) return
  await inTransaction(context.db, async (tx) => {
    if (await noteViewed(tx, owner.id, invoice.id, context.clock.now()))
      await context.live.publish(tx, owner.id, { topic: 'invoices' })
  })
}

/**
 * The customer answers a quote. What its owner tries out on their own page does not count.
 *
 * @throws Refusal 404; 409 for what is no quote, and for one that has expired, was answered otherwise or has been invoiced
 */
export async function answerShared(
  context: Context,
  token: string,
  answer: Answer,
  viewerId: number | null,
): Promise<SharedInvoice> {
  const { owner, invoice } = await findShared(context, token)
  if (viewerId === owner.id)
    throw conflict('This is your own quote. Note the answer of your customer on the page of the quote.')
  await inTransaction(context.db, (tx) => answerQuote(context, tx, owner, invoice.id, answer))
  return showShared(context, token)
}

function present(invoice: Invoice): SharedInvoice {
  const { credits, seller, sums } = invoice
  const { data: draft } = invoiceDraft.safeParse(invoice)
  const { business_name, name, email, phone, logo } = seller
  return {
    kind: invoice.kind,
    number: invoice.number,
    status: invoice.status,
    currency: invoice.currency,
    issue_date: invoice.issue_date,
    due_date: invoice.due_date,
    total: sums.total,
    paid: sums.paid,
    credited: sums.credited,
    due: sums.due,
    // The note of a payment is the owner's own.
    payments: invoice.payments.map(({ amount, paid_on }) => ({ amount, paid_on })),
    credit_notes: invoice.credit_notes
      .filter(({ status }) => status !== 'draft')
      .map(({ number, total }) => ({ number, total })),
    credits: credits?.number ?? null,
    accepted_by: invoice.accepted_by,
    accepted_at: invoice.accepted_at,
    declined_at: invoice.declined_at,
    customer: invoice.customer,
    seller: { name: business_name || name, email, phone, logo },
    account: accountOf(invoice),
    file_name: pdfFileName(invoice),
    document: draft === undefined ? null : { draft, rate: invoice.rate, rate_date: invoice.rate_date },
  }
}

function accountOf({ currency, kind, number, seller, sums }: Invoice): SharedInvoice['account'] {
  const { business_name, name, bic, iban } = seller
  if (kind !== 'invoice' || sums.due === 0 || iban === '') return null
  const holder = business_name || name
  const transfer = { name: holder, iban, bic, amount: sums.due, text: number }
  const epc = currency === 'EUR' ? epcCode(transfer) : null
  return { holder, iban, bic: plainAccount(bic), reference: number, epc }
}
