import { setImmediate as otherWork } from 'node:timers/promises'
import type { Context } from '../../../platform/context.ts'
import { addressKey } from '../../../formats/mail-text/addresses.ts'
import { mintMessageId } from '../../../formats/mail-text/compose.ts'
import { addDeliveries } from './claims-store.ts'
import { addEmails, type NewBodyRow, type NewEmailRow, takeEmailIds } from '../messages/store.ts'
import type { Purpose } from '../tables.ts'
import { snippetOf, collapseKey } from '../messages/summary.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/** An email to be queued. */
export type EmailToQueue = {
  to: string
  subject: string
  /** The text, or a function that makes it once the email's id is known: the text may hold a link with the id. */
  text: string | ((emailId: number) => string)
  /** The same as HTML, for mail that has both. */
  html?: string
  purpose: Purpose
  inReplyTo?: string | null
  references?: string[]
  threadId?: number
  templated?: boolean
  /** Bare addresses if there are several; otherwise `to` is the only one. */
  recipients?: string[]
}

/** What the emails queued in one call have in common. */
export type EnqueueOptions = {
  userId: number
  mailboxId: number
  from: { name: string; address: string }
  groupId?: number | null
  /** 0: a person waits for it; 1: one of many. */
  priority: 0 | 1
  /** Leaves not before this time, and is in Scheduled until then. */
  scheduleAt?: Date | null
  /** Leaves not before this time, but is in Sent at once. Until then sending can be undone. */
  notBefore?: Date | null
}

/** Other work of this process gets its turn after this many emails. */
const EMAILS_PER_TURN = 10

/**
 * Stores emails in the caller's transaction, each with its Message-ID and, unless it is scheduled, with a queued delivery.
 *
 * @returns the emails' ids, in the order of `emails`
 */
export async function enqueueEmails(
  context: Context,
  tx: Tx,
  options: EnqueueOptions,
  emails: readonly EmailToQueue[],
): Promise<number[]> {
  context.delivery.load.add(emails.length)
  const now = context.clock.now()
  const ids = await takeEmailIds(tx, emails.length)
  const rows: NewEmailRow[] = []
  const bodies: NewBodyRow[] = []
  for (const [index, email] of emails.entries()) {
    if (index % EMAILS_PER_TURN === EMAILS_PER_TURN - 1) await otherWork()
    const id = ids[index] ?? 0
    const text = typeof email.text === 'string' ? email.text : email.text(id)
    rows.push(emailRow(options, email, id, text, now))
    bodies.push({
      user_id: options.userId,
      email_id: id,
      text,
      ...(email.html === undefined ? {} : { html: email.html }),
    })
  }
  await addEmails(tx, rows, bodies)
  if (options.scheduleAt == null)
    await addDeliveries(
      tx,
      emails.map((email, index) => deliveryRow(options, email, ids[index] ?? 0, now)),
    )
  return ids
}

function emailRow(
  options: EnqueueOptions,
  email: EmailToQueue,
  id: number,
  text: string,
  now: Date,
): NewEmailRow {
  const key = addressKey(email.recipients?.[0] ?? email.to)
  return {
    user_id: options.userId,
    id,
    mailbox_id: options.mailboxId,
    direction: 'out',
    folder: options.scheduleAt == null ? 'sent' : 'scheduled',
    original_folder: null,
    purpose: email.purpose,
    intent: null,
    message_id: mintMessageId(options.from.address),
    thread_id: email.threadId ?? id,
    in_reply_to: email.inReplyTo ?? null,
    reference_ids: email.references ?? [],
    from_name: options.from.name,
    from_address: options.from.address,
    to_line: email.to,
    correspondent_key: key,
    subject: email.subject,
    snippet: snippetOf(text),
    collapse_key: collapseKey(options.from.address, email.subject),
    is_read: true,
    size: Buffer.byteLength(text),
    occurred_at: options.scheduleAt ?? now,
    schedule_at: options.scheduleAt ?? null,
    created_at: now,
  }
}

/** The row of an email's new delivery. */
export function deliveryRow(
  options: Pick<EnqueueOptions, 'userId' | 'mailboxId' | 'groupId' | 'priority' | 'notBefore'>,
  email: Pick<EmailToQueue, 'to' | 'templated' | 'recipients'>,
  emailId: number,
  now: Date,
) {
  return {
    user_id: options.userId,
    email_id: emailId,
    mailbox_id: options.mailboxId,
    group_id: options.groupId ?? null,
    state: 'queued' as const,
    recipients: email.recipients ?? [email.to],
    priority: options.priority,
    templated: email.templated ?? false,
    worker_id: null,
    reason: null,
    next_try_at: options.notBefore ?? now,
    settled_at: null,
  }
}
