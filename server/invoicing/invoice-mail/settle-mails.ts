import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { type DeliveryOutcome, deliveryOutcomes } from '../../mail/emails/emails.ts'
import { getInvoice, lockInvoice, noteSent, type Reader } from '../invoices/invoices.ts'
import { type Loop, startDueLoop, startLoop } from '../../platform/jobs/loop.ts'
import {
  changeMail,
  firstSentAt,
  type InvoiceMailRow,
  MAILS_MAX,
  mailsOf,
  removeMail,
  unsettledMails,
} from './store.ts'
import type { SentInvoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { changing } from '../../platform/changing.ts'

/** Somebody who has pressed Send looks at the page. */
const LOOK_EVERY_MS = 1000
const LOOK_MS = 10 * 60_000
/**
 * A mail that still waits then waits for something. One that was refused or taken back is a draft, which may be sent by hand. That
 * is noticed as often, and as long.
 */
const LOOK_BACK_EVERY_MS = 30_000
const LOOK_BACK_MS = 30 * 24 * 60 * 60_000

/** Starts the loops that note what became of mails about invoices. */
export function startSettling(context: Context): Loop[] {
  return [
    startDueLoop(context, 'settle invoice mails', LOOK_EVERY_MS, () => settleSince(context, LOOK_MS, false)),
    startLoop(context, 'settle old invoice mails', LOOK_BACK_EVERY_MS, () =>
      settleSince(context, LOOK_BACK_MS, true),
    ),
  ]
}

/** Returns whether any mail may still change. */
async function settleSince(context: Context, lookBackMs: number, old: boolean): Promise<boolean> {
  const since = new Date(context.clock.now().getTime() - lookBackMs)
  let mails = await unsettledMails(context.db, { since, old })
  const isOpen = mails.length > 0
  while (mails.length > 0 && !context.stopping.aborted) {
    await settleMails(context, mails)
    mails = await unsettledMails(context.db, { since, old }, mails.at(-1))
  }
  return isOpen
}

/**
 * Notes what became of these mails. An invoice counts as sent once a server has taken one of them. A mail of practice that was
 * cleared away is forgotten, and with it that the invoice was sent.
 */
export async function settleMails(context: Context, mails: readonly InvoiceMailRow[]): Promise<void> {
  for (const [userId, own] of Map.groupBy(mails, (mail) => mail.user_id)) {
    const ids = own.map((mail) => mail.email_id)
    const outcomes = await deliveryOutcomes(context.db, userId, ids)
    for (const mail of own) {
      const outcome = outcomes.get(mail.email_id)
      if (outcome !== undefined && isNews(mail, outcome)) await settle(context, mail, outcome)
    }
  }
}

const STATES = {
  waiting: 'waiting',
  sent: 'sent',
  failed: 'failed',
  draft: 'withdrawn',
  gone: 'withdrawn',
} as const

function isNews(mail: InvoiceMailRow, outcome: DeliveryOutcome): boolean {
  if (outcome.state === 'gone') return mail.is_practice || mail.state === 'waiting'
  if (mail.state === 'sent') return false
  // A refusal that was answered within the call has made the mail a draft again.
  if (mail.state === 'failed' && outcome.state === 'draft') return false
  return STATES[outcome.state] !== mail.state || outcome.reason !== mail.reason
}

async function settle(context: Context, mail: InvoiceMailRow, outcome: DeliveryOutcome): Promise<void> {
  const { user_id: userId, invoice_id: invoiceId } = mail
  const now = context.clock.now()
  await changing(context, userId, 'invoices', async (tx) => {
    await lockInvoice(tx, userId, invoiceId)
    // A refusal may have been noted meanwhile.
    const current = (await mailsOf(tx, userId, invoiceId, MAILS_MAX)).find((each) => each.id === mail.id)
    if (current === undefined || !isNews(current, outcome)) return
    if (outcome.state === 'gone' && mail.is_practice) {
      await removeMail(tx, mail)
      await noteSent(tx, userId, invoiceId, await firstSentAt(tx, userId, invoiceId), now)
    } else await noteOutcome(tx, mail, outcome, now)
  })
}

async function noteOutcome(tx: Tx, mail: InvoiceMailRow, outcome: DeliveryOutcome, now: Date): Promise<void> {
  const { emailId, messageId, reason, state } = outcome
  const settledAt = outcome.settledAt ?? (state === 'waiting' ? null : now)
  await changeMail(tx, mail, {
    state: STATES[state],
    reason,
    settled_at: settledAt,
    email_id: emailId,
    message_id: messageId ?? mail.message_id,
  })
  if (state === 'sent') await noteSent(tx, mail.user_id, mail.invoice_id, settledAt, now)
}

/** The mails about a document, the newest first, as things are at this moment. @throws Refusal 404 */
export async function listMails(context: Context, user: Reader, id: number): Promise<SentInvoiceMail[]> {
  const { db } = context
  await getInvoice(context, user, id)
  await settleMails(context, await mailsOf(db, user.id, id, MAILS_MAX))
  const mails = await mailsOf(db, user.id, id, MAILS_MAX)
  const ids = mails.map((mail) => mail.email_id)
  const outcomes = await deliveryOutcomes(db, user.id, ids)
  return mails.map((mail) => {
    const outcome = outcomes.get(mail.email_id)
    return {
      id: mail.id,
      kind: mail.kind,
      email_id: outcome?.messageId == null ? null : mail.email_id,
      is_draft: outcome?.state === 'draft',
      to: mail.to_line,
      subject: mail.subject,
      state: mail.state,
      reason: mail.reason,
      practice: mail.is_practice,
      at: (mail.settled_at ?? mail.created_at).toISOString(),
    }
  })
}
