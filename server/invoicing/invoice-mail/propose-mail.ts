import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import { longDay } from '#contract/invoicing/invoice-document/invoice-document.ts'
import type { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { money } from '#contract/invoicing/money.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { findUser, type UserRow } from '../../accounts/auth/auth.ts'
import { contactsById } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { adoptKeptSuppressions, stopsMail, suppressedAmong } from '../../mail/emails/emails.ts'
import { getInvoice, pdfFileName, type Reader } from '../invoices/invoices.ts'
import { addressKey } from '../../formats/mail-text/addresses.ts'
import { usualMailbox } from './answered-mail.ts'
import { linkOf, notIssued } from './invoice-link.ts'
import { MAILS_MAX, mailsOf } from './store.ts'

/**
 * Proposes the mail with an issued document: to the address on it, else the contact's. After a mail that was refused or taken
 * back, its own words.
 *
 * @throws Refusal 404; 409 for a draft
 */
export async function proposeMail(
  context: Context,
  user: Reader,
  id: number,
): Promise<ReplyOf<typeof invoiceMail.proposal>> {
  const invoice = await getInvoice(context, user, id)
  if (invoice.issued_at === null) throw notIssued()
  const mails = await mailsOf(context.db, user.id, id, MAILS_MAX)
  const newest = mails.find((mail) => mail.kind === 'document')
  const isAgain = newest !== undefined && (newest.state === 'failed' || newest.state === 'withdrawn')
  const fresh = await newWords(context, user, invoice)
  const words = isAgain
    ? {
        to: newest.to_line,
        cc: newest.cc_line,
        subject: newest.subject,
        text: isOutdated(newest.text, invoice) ? fresh.text : newest.text,
      }
    : fresh
  return {
    ...words,
    file_name: pdfFileName(invoice),
    mailbox_id: await usualMailbox(context, user.id, invoice),
    refusal: await refusalOf(context, user.id, words.to),
    again: isAgain,
  }
}

async function newWords(context: Context, user: Reader, invoice: Invoice) {
  const [author, link, contacts] = await Promise.all([
    findUser(context.db, user.id),
    linkOf(context, user.id, invoice.id),
    contactsById(context.db, user.id, invoice.contact === null ? [] : [invoice.contact.id]),
  ])
  return {
    to: invoice.buyer.email || contacts.values().next().value?.email || '',
    cc: '',
    subject: subjectOf(invoice),
    text: textOf(invoice, author, link.reachable ? link.url : null),
  }
}

const businessOf = ({ seller }: Invoice) => seller.business_name || seller.name

/** "Invoice INV-2026-0001 from Muster Bakery". */
export function subjectOf(invoice: Invoice): string {
  const kind = KIND_WORDS[invoice.kind].name
  const from = businessOf(invoice)
  return `${kind} ${invoice.number}${from === '' ? '' : ` from ${from}`}`
}

/** The proposed text: what it is, the amount, when it is due, where to look at it. */
export function textOf(
  invoice: Invoice,
  author: Pick<UserRow, 'signature'> | undefined,
  url: string | null,
): string {
  const { buyer, credits, kind, number } = invoice
  const who = buyer.name || buyer.business_name
  const what = `${KIND_WORDS[kind].name.toLowerCase()} ${number}`
  const of = credits === null ? '' : ` for invoice ${credits.number}`
  const signature = author?.signature.trim() ?? ''
  const sender = [invoice.seller.name, invoice.seller.business_name].filter(Boolean).join('\n')
  return paragraphs([
    `Hello${who === '' ? '' : ` ${who}`},`,
    `please find attached ${what}${of}.`,
    amountOf(invoice),
    url === null ? '' : `You can ${purposeOf(invoice)} here:\n${url}`,
    'If you have any questions, please reply to this email.',
    signature === '' ? `Kind regards\n${sender}` : signature,
  ])
}

const AMOUNT_DUE = 'Amount due: '

/** True for words that name another amount than the one that is due now. */
const isOutdated = (text: string, { currency, sums }: Invoice): boolean =>
  text.includes(AMOUNT_DUE) && (sums.due === 0 || !text.includes(money(sums.due, currency)))

/** The amount, and the day that counts. */
function amountOf({ currency, due_date, kind, status, sums }: Invoice): string {
  if (kind === 'credit_note') return `Amount credited: ${money(sums.total, currency)}`
  if (kind === 'quote') return `Total: ${money(sums.total, currency)}\nValid until: ${longDay(due_date)}`
  if (status === 'credited') return 'It has been taken back by a credit note. Nothing is left to pay.'
  if (sums.due === 0) return 'It has been paid. Thank you.'
  return `${AMOUNT_DUE}${money(sums.due, currency)}\nDue date: ${longDay(due_date)}`
}

/** What the customer's page is good for. */
function purposeOf({ kind, status, sums }: Invoice): string {
  const isOpen = status === 'issued' || status === 'sent' || status === 'viewed'
  if (kind === 'quote')
    return isOpen ? 'view and download it, and accept or decline it,' : 'view and download it'
  return kind === 'invoice' && sums.due > 0
    ? 'view and download it, and find the bank details,'
    : 'view and download it'
}

const paragraphs = (all: readonly string[]) => all.filter((text) => text !== '').join('\n\n')

/** Why an address gets no invoices; null if it does. */
async function refusalOf(context: Context, userId: number, to: string): Promise<string | null> {
  if (to === '') return null
  const key = addressKey(to)
  await adoptKeptSuppressions(context, context.db, userId, [key])
  const reason = (await suppressedAmong(context.db, userId, [key])).get(key)
  if (reason === undefined || !stopsMail(reason, 'transactional')) return null
  return `${to} does not exist: mail to it bounced. Please enter another address.`
}
