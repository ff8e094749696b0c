import { findUser } from '../../../accounts/auth/auth.ts'
import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { notFound } from '../../../platform/errors.ts'
import { findSender } from '../messages/store.ts'
import { readUnsubscribeToken } from './unsubscribe-link.ts'
import { isSuppressedFor, suppress } from './suppressions-store.ts'

export type Subscription = { address: string; sender: string; unsubscribed: boolean }

async function findSubscription(context: Context, token: string) {
  const mailRef = readUnsubscribeToken(context, token)
  const mail = mailRef === null ? undefined : await findSender(context.db, mailRef.userId, mailRef.emailId)
  if (mailRef === null || mail === undefined)
    throw notFound('This link is not valid. Please check that you copied all of it.')
  const user = await findUser(context.db, mailRef.userId)
  return {
    ...mailRef,
    address: mail.to_line,
    key: mail.correspondent_key,
    sender: user?.company_name || user?.name || mail.from_address,
  }
}

/**
 * Who an unsubscribe link is for. Changes nothing, because mail scanners open every link.
 *
 * @throws Refusal 404 for a link that is not ours
 */
export async function showSubscription(context: Context, token: string): Promise<Subscription> {
  const { userId, emailId, key, address, sender } = await findSubscription(context, token)
  return { address, sender, unsubscribed: await isSuppressedFor(context.db, userId, key, emailId) }
}

/**
 * Suppresses the address of an unsubscribe link (RFC 8058). Doing it twice changes nothing more.
 *
 * @throws Refusal 404 for a link that is not ours
 */
export async function unsubscribe(context: Context, token: string): Promise<Subscription> {
  const { userId, emailId, key, address, sender } = await findSubscription(context, token)
  await inTransaction(context.db, async (tx) => {
    await suppress(
      tx,
      userId,
      { address_key: key, reason: 'unsubscribed', detail: 'By the link in a mail', email_id: emailId },
      context.clock.now(),
    )
    await context.live.publish(tx, userId, { topic: 'contacts' })
  })
  return { address, sender, unsubscribed: true }
}
