import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, presentError, Refusal } from '../../platform/errors.ts'
import {
  cancelEmail,
  deliveryOutcomes,
  type ListedEmail,
  listedMail,
  senderFor,
  sendPrepared,
} from '../../mail/emails/emails.ts'
import {
  getInvoice,
  invoicePdf,
  lockedInvoice,
  pdfFileName,
  type Reader,
  type StoredInvoice,
} from '../invoices/invoices.ts'
import { answeredMail, usualMailbox } from './answered-mail.ts'
import { notIssued } from './invoice-link.ts'
import { settleMails } from './settle-mails.ts'
import { addMail, changeMail, type InvoiceMailRow, MAILS_MAX, mailsOf, removeMail } from './store.ts'

/** The same mail within this time after it left is a second click on Send. */
const SAME_CLICK_MS = 60_000

/** What a mail about a document says. */
export type InvoiceWords = { to: string; cc: string; subject: string; text: string }

export type SendInvoiceOptions = {
  kind?: InvoiceMailRow['kind']
  mailboxId?: number | null | undefined
  undoSeconds?: number | undefined
  /** Nobody waits for it: a worker sends it. */
  isQueued?: boolean
  /** The last word, in the transaction that stores the mail, with the document locked. What it throws stops the mail. */
  check?: (tx: Tx, invoice: StoredInvoice, mail: { emailId: number; isPractice: boolean }) => Promise<void>
}

/** Nothing is sent: this mail is on its way already. */
class AlreadySent extends Error {
  readonly emailId: number
  constructor(emailId: number) {
    super('this mail has been sent')
    this.emailId = emailId
  }
}

/**
 * Mails an issued document with its PDF. The first mail about it begins a conversation, the others answer it; those of a
 * credit note answer those of its invoice, and those of an invoice those of its quote. However often Send is pressed, the
 * same words leave once.
 *
 * @throws Refusal 404; 409 for a draft, or while mail is paused; 400 as in Compose; 429 while many PDFs are made
 */
export async function sendInvoice(
  context: Context,
  user: Reader,
  id: number,
  words: InvoiceWords,
  options: SendInvoiceOptions = {},
): Promise<ListedEmail> {
  const invoice = await getInvoice(context, user, id)
  if (invoice.issued_at === null) throw notIssued()
  await settleMails(context, await mailsOf(context.db, user.id, id, MAILS_MAX))
  const before = await mailsOf(context.db, user.id, id, MAILS_MAX)
  if (before.length >= MAILS_MAX)
    throw conflict(`At most ${MAILS_MAX} emails can be sent about one document.`)
  const usual = await usualMailbox(context, user.id, invoice)
  const { mailbox } = await senderFor(context, user.id, options.mailboxId ?? null, usual)
  const { kind = 'document' } = options
  let same = kind === 'reminder' ? undefined : sameClick(before, words, context.clock.now())
  if (same !== undefined) {
    const moved = await takenFromOtherAccount(context, user.id, same, mailbox.id)
    if (!moved) return listedMail(context, user.id, same.email_id)
    await settleMails(context, [same])
    same = { ...same, state: 'withdrawn' }
  }
  const isPractice = mailbox.is_practice
  const answered = await answeredMail(context, user.id, invoice, isPractice)
  const newest = same ?? before.find((mail) => mail.kind === kind)
  // A reminder is a mail of its own: it does not take the place of one that was refused.
  const draftId = kind === 'reminder' ? null : await draftToReplace(context, user.id, newest)
  const file = { name: pdfFileName(invoice), bytes: await invoicePdf(context, user.id, invoice) }
  const mail = { ...words, inReplyTo: answered?.messageId ?? null, files: [file] }
  try {
    const sent = await sendPrepared(context, user, mail, {
      purpose: 'transactional',
      mailboxId: mailbox.id,
      undoSeconds: options.undoSeconds,
      isQueued: options.isQueued,
      draftId,
      withinTransaction: async (tx, emailId) => {
        // It is the same mail: its draft is gone.
        if (draftId !== null && newest !== undefined) await removeMail(tx, newest)
        await noteMail(context, tx, { userId: user.id, invoiceId: id, emailId, isPractice }, words, options)
      },
    })
    await settleMails(context, await mailsOf(context.db, user.id, id, 1))
    return await listedMail(context, user.id, sent.id)
  } catch (error) {
    if (error instanceof AlreadySent) return listedMail(context, user.id, error.emailId)
    if (error instanceof Refusal && error.code === 'MAIL_SERVER')
      await noteRefusal(context, user.id, id, presentError(error).body.detail)
    throw error
  }
}

async function noteMail(
  context: Context,
  tx: Tx,
  of: { userId: number; invoiceId: number; emailId: number; isPractice: boolean },
  words: InvoiceWords,
  { kind = 'document', check }: SendInvoiceOptions,
): Promise<void> {
  const { userId, invoiceId, emailId, isPractice } = of
  const now = context.clock.now()
  const row = await lockedInvoice(tx, userId, invoiceId)
  await check?.(tx, row, { emailId, isPractice })
  // The others have waited for the lock, and see what the first of them has stored.
  if (kind === 'document') {
    const same = sameClick(await mailsOf(tx, userId, invoiceId, MAILS_MAX), words, now)
    if (same !== undefined) throw new AlreadySent(same.email_id)
  }
  const outcome = (await deliveryOutcomes(tx, userId, [emailId])).get(emailId)
  await addMail(tx, {
    user_id: userId,
    invoice_id: invoiceId,
    kind,
    email_id: emailId,
    message_id: outcome?.messageId ?? '',
    to_line: words.to,
    cc_line: words.cc,
    subject: words.subject,
    text: words.text,
    is_practice: isPractice,
    state: 'waiting',
    reason: null,
    settled_at: null,
    created_at: now,
  })
  await context.live.publish(tx, userId, { topic: 'invoices' })
}

/** A mail with the same words that is about to leave, or left a moment ago. */
function sameClick(mails: readonly InvoiceMailRow[], { to, cc, subject, text }: InvoiceWords, now: Date) {
  const since = now.getTime() - SAME_CLICK_MS
  return mails.find(
    (mail) =>
      (mail.state === 'waiting' || (mail.state === 'sent' && mail.created_at.getTime() >= since)) &&
      mail.to_line === to &&
      mail.cc_line === cc &&
      mail.subject === subject &&
      mail.text === text,
  )
}

/**
 * Takes back a mail that waits for another account, which may never be able to send it: the user has chosen this one instead.
 * False if it waits for this account, or has left.
 */
async function takenFromOtherAccount(
  context: Context,
  userId: number,
  mail: InvoiceMailRow,
  mailboxId: number,
): Promise<boolean> {
  if (mail.state !== 'waiting') return false
  const outcome = (await deliveryOutcomes(context.db, userId, [mail.email_id])).get(mail.email_id)
  if (outcome?.state !== 'waiting' || outcome.mailboxId === null || outcome.mailboxId === mailboxId)
    return false
  await cancelEmail(context, userId, outcome.emailId)
  return true
}

/** The draft that a refused or withdrawn mail has left behind: the new mail takes its place. */
async function draftToReplace(context: Context, userId: number, newest: InvoiceMailRow | undefined) {
  if (newest === undefined || (newest.state !== 'failed' && newest.state !== 'withdrawn')) return null
  const outcome = (await deliveryOutcomes(context.db, userId, [newest.email_id])).get(newest.email_id)
  if (outcome?.state === 'draft') return outcome.emailId
  if (outcome?.state !== 'failed') return null
  await cancelEmail(context, userId, outcome.emailId)
  return outcome.emailId
}

async function noteRefusal(context: Context, userId: number, invoiceId: number, reason: string) {
  await inTransaction(context.db, async (tx) => {
    await lockedInvoice(tx, userId, invoiceId)
    const [newest] = await mailsOf(tx, userId, invoiceId, 1)
    if (newest === undefined || newest.state === 'sent') return
    await changeMail(tx, newest, { state: 'failed', reason, settled_at: context.clock.now() })
    await context.live.publish(tx, userId, { topic: 'invoices' })
  })
}
