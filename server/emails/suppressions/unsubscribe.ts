import { findUser } from '../../auth/auth.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { notFound } from '../../errors.ts'
import { findSender } from '../messages/store.ts'
import { readUnsubscribeToken } from './unsubscribe-link.ts'
import { isSuppressedFor, suppress } from './suppressions-store.ts'

export type Subscription = { address: string; sender: string; unsubscribed: boolean }

async function findSubscription(context: Context, token: string) {
  const named = readUnsubscribeToken(context, token)
  const mail = named === null ? undefined : await findSender(context.db, named.userId, named.emailId)
  if (named === null || mail === undefined)
    throw notFound('This link is not valid. Please check that it was copied whole.')
  const user = await findUser(context.db, named.userId)
  return {
    ...named,
    address: mail.to_line,
    key: mail.correspondent_key,
    sender: user?.company_name || user?.name || mail.from_address,
  }
}

/**
 * Whom an unsubscribe link stands for. Changes nothing: mail scanners open every link.
 *
 * @throws Refusal 404 for a link that is not ours
 */
export async function showSubscription(context: Context, token: string): Promise<Subscription> {
  const { userId, emailId, key, address, sender } = await findSubscription(context, token)
  return { address, sender, unsubscribed: await isSuppressedFor(context.db, userId, key, emailId) }
}

/**
 * Takes the address of a link off the user's list, for all mail to come (RFC 8058). Doing it twice changes nothing more.
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
