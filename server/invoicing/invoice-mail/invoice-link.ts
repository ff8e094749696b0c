import { counted } from '#contract/platform/counted.ts'
import type { InvoiceLink } from '#contract/invoicing/invoice-mail.ts'
import type { Cleared } from '../../accounts/auth/auth.ts'
import { isOnThisMachine } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { conflict } from '../../platform/errors.ts'
import { getInvoice, type Reader } from '../invoices/invoices.ts'
import { findLink, findLinks, type InvoiceLinkRow, renewLink, switchLink, takeBackLinks } from './store.ts'
import { changing } from '../../platform/changing.ts'

const PURPOSE = 'invoice links'
const FIRST = 1

/** The document that a link stands for, and which of its links. */
export type LinkedInvoice = { userId: number; invoiceId: number; version: number }

/**
 * The token of a document's link: user, document, version, and our signature. Nothing about it is stored; another version
 * makes it invalid.
 */
export function invoiceToken({ secrets }: Context, { userId, invoiceId, version }: LinkedInvoice): string {
  const name = [userId, invoiceId, version].map((part) => part.toString(36)).join('.')
  return `${name}.${secrets.sign(name, PURPOSE)}`
}

/** What a token stands for; null if it is not ours. */
export function readInvoiceToken({ secrets }: Context, token: string): LinkedInvoice | null {
  const [user = '', invoice = '', count = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || !secrets.verify(`${user}.${invoice}.${count}`, signature, PURPOSE)) return null
  const [userId = 0, invoiceId = 0, version = 0] = [user, invoice, count].map((part) => parseInt(part, 36))
  return { userId, invoiceId, version }
}

/** True if this is the link that leads to its document now. */
export async function isLinkGood(db: Queryable, { userId, invoiceId, version }: LinkedInvoice) {
  const link = await findLink(db, userId, invoiceId)
  return (link?.off_at ?? null) === null && version === (link?.version ?? FIRST)
}

/** A document's link as it is now. */
export async function linkOf(context: Context, userId: number, invoiceId: number): Promise<InvoiceLink> {
  return present(context, userId, invoiceId, await findLink(context.db, userId, invoiceId))
}

/** The links of these documents as they are now, by the document's id. */
export async function linksOf(
  context: Context,
  userId: number,
  invoiceIds: readonly number[],
): Promise<Map<number, InvoiceLink>> {
  const known = new Map((await findLinks(context.db, userId, invoiceIds)).map((row) => [row.invoice_id, row]))
  return new Map(invoiceIds.map((id) => [id, present(context, userId, id, known.get(id))]))
}

function present(context: Context, userId: number, invoiceId: number, link: InvoiceLinkRow | undefined) {
  const { publicUrl } = context.config
  const token = invoiceToken(context, { userId, invoiceId, version: link?.version ?? FIRST })
  const isOff = (link?.off_at ?? null) !== null
  return { url: isOff ? null : `${publicUrl}/i/${token}`, reachable: !isOnThisMachine(publicUrl) }
}

/** The link of an issued document. @throws Refusal 404; 409 for a draft */
export async function showLink(context: Context, user: Reader, id: number): Promise<InvoiceLink> {
  await checkIssued(context, user, id)
  return linkOf(context, user.id, id)
}

/** Turns a link off or on, or replaces it. @throws Refusal 404; 409 for a draft */
export async function changeLink(
  context: Context,
  user: Reader,
  id: number,
  change: 'off' | 'on' | 'new',
): Promise<InvoiceLink> {
  await checkIssued(context, user, id)
  await changing(context, user.id, 'invoices', async (tx) => {
    if (change === 'new') await renewLink(tx, user.id, id)
    else await switchLink(tx, user.id, id, change === 'off' ? context.clock.now() : null)
  })
  return linkOf(context, user.id, id)
}

/** Links may have been set up by a stranger: none of them leads to a document any more. */
export async function clearInvoiceLinks(context: Context, tx: Tx, userId: number): Promise<Cleared> {
  const count = await takeBackLinks(tx, userId, context.clock.now())
  if (count === 0) return { told: [] }
  await context.live.publish(tx, userId, { topic: 'invoices' })
  return {
    told: [
      `${counted(count, 'shared document link no longer works', 'shared document links no longer work')}.`,
    ],
  }
}

async function checkIssued(context: Context, user: Reader, id: number): Promise<void> {
  const invoice = await getInvoice(context, user, id)
  if (invoice.issued_at === null) throw notIssued()
}

/** The refusal of what only an issued document can do. */
export const notIssued = () => conflict('This is still a draft. Please issue it first.')
