import type { BodyOf } from '#contract/platform/endpoint.ts'
import { BASE_CURRENCY } from '#contract/invoicing/money.ts'
import { lengthFault } from '#contract/invoicing/invoices.ts'
import type { Invoice, InvoiceContent, invoices } from '#contract/invoicing/saved-invoices.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import { contactByAddress, getContact } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict } from '../../platform/errors.ts'
import { currentRates } from '../rates/rates.ts'
import {
  columnsOf,
  emptyContent,
  type Rate,
  withWritten,
  type Written,
  wrongFields,
} from './draft-content.ts'
import { changeDocument, getInvoice, locked } from './find-invoice.ts'
import { changeInvoice, insertInvoice, type StoredInvoice } from './store.ts'
import { type Reader, todayOf } from './today.ts'

/** Keeps a new draft. @throws Refusal 400 for amounts that cannot be read; 404 for a contact that is not the user's */
export async function addInvoice(context: Context, user: Reader, written: Written): Promise<Invoice> {
  const { clock, db } = context
  const { kind = 'invoice' } = written
  const content = withWritten(
    emptyContent(await findUser(db, user.id), todayOf(clock, user.timeZone), kind),
    written,
  )
  checkLength(content)
  const columns = columnsOf(content, await rateOf(context, content), kind)
  const contactId = await billedContact(context, user.id, content, written.contact_id)
  const id = await inTransaction(db, async (tx) => {
    const added = await insertInvoice(tx, user.id, { ...columns, kind, contact_id: contactId }, clock.now())
    await context.live.publish(tx, user.id, { topic: 'invoices' })
    return added
  })
  return getInvoice(context, user, id)
}

/**
 * Changes a draft.
 *
 * @throws Refusal 404; 400; 409 for an issued document, and for a draft that was changed since the caller read it
 */
export async function updateInvoice(
  context: Context,
  user: Reader,
  id: number,
  { version, ...written }: BodyOf<typeof invoices.update>,
): Promise<Invoice> {
  const { clock } = context
  // Asked before the row is locked: the service may take a while.
  const rates = await currentRates(context)
  return changeDocument(context, user, id, async (tx, row) => {
    if (row.issued_at !== null) throw locked(row.kind)
    if (row.version !== version)
      throw conflict(
        'This draft was changed elsewhere in the meantime. Please reload it, and make your change again.',
      )
    const content = withWritten(row.content, written)
    checkLength(content)
    if (row.kind === 'credit_note' && content.currency !== row.currency)
      throw wrongFields({ currency: 'A credit note has the currency of its invoice' })
    const rate = keptRate(row, content) ?? rateIn(rates, content)
    const isAddressNew = content.buyer.email !== row.content.buyer.email
    const known = written.contact_id === undefined && !isAddressNew ? row.contact_id : undefined
    const contactId =
      known === undefined ? await billedContact(context, user.id, content, written.contact_id) : known
    await changeInvoice(
      tx,
      user.id,
      id,
      { ...columnsOf(content, rate, row.kind), contact_id: contactId },
      clock.now(),
    )
  })
}

/** @throws Refusal 400 for descriptions that are too long together */
function checkLength(content: InvoiceContent): void {
  const why = lengthFault(content)
  if (why !== null) throw wrongFields({ items: why })
}

/** The given contact, else the one with the buyer's address. @throws Refusal 404 */
async function billedContact(
  context: Context,
  userId: number,
  { buyer }: InvoiceContent,
  given: number | null | undefined,
): Promise<number | null> {
  if (given === null) return null
  if (given !== undefined) return (await getContact(context, userId, given)).id
  if (buyer.email === '') return null
  return (await contactByAddress(context.db, userId, buyer.email.toLowerCase()))?.id ?? null
}

/**
 * The rate that a draft has for good: a credit note that of its invoice, an invoice made from a quote that of the quote, so
 * that it asks for what was accepted. Null for other drafts, and once another currency is chosen.
 */
export function keptRate(row: StoredInvoice, { convert, currency }: InvoiceContent): Rate | null {
  if (row.kind === 'credit_note') return row
  const isSame = currency === row.currency && convert === row.content.convert
  return row.quote_id !== null && isSame ? row : null
}

/** What a dollar is worth in the currency of a document now; 1 where nothing is converted. */
export async function rateOf(context: Context, content: InvoiceContent): Promise<Rate> {
  return rateIn(await currentRates(context), content)
}

/** The same from rates that are there already. */
export function rateIn(
  { rates, as_of: asOf }: Awaited<ReturnType<typeof currentRates>>,
  { convert, currency }: InvoiceContent,
): Rate {
  if (!convert || currency === BASE_CURRENCY) return { rate: 1, rate_date: null }
  return { rate: rates[currency] ?? 1, rate_date: asOf === null ? null : new Date(asOf) }
}
