import type { Context } from '../../../platform/context.ts'
import { notFound } from '../../../platform/errors.ts'
import { addressKey } from '../../../formats/mail-text/addresses.ts'
import { findListed } from '../messages/store.ts'
import { addTrustedSender, removeTrustedSender } from './trusted-senders-store.ts'

/**
 * Loads remote pictures in all mails of this mail's sender without asking, or stops doing so. The sender of a mail in Spam
 * may be forged, so nobody is trusted from there.
 *
 * @throws Refusal 404
 */
export async function trustSender(
  context: Context,
  userId: number,
  emailId: number,
  trusted: boolean,
): Promise<void> {
  const row = await findListed(context.db, userId, emailId)
  if (row === undefined) throw notFound('Email not found')
  const key = addressKey(row.from_address)
  if (!trusted) await removeTrustedSender(context.db, userId, key)
  else if (key !== '' && row.folder !== 'spam')
    await addTrustedSender(context.db, userId, key, context.clock.now())
}
