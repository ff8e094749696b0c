import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import { suppressedAmong } from '../../mail/emails/emails.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { localDay } from './sending-times.ts'
import { addReservations, keepsOnlyDay, lockDay, setEmails, triedMail } from './store.ts'

/**
 * Judges an automatic mail that the user sends again as at its first try: whether there is still such a contact, has neither
 * replied nor said no, and gets no second one that day. The day is then reserved for it.
 *
 * @returns why it must not leave, without a full stop; null: it may
 */
export async function judgeAgain(
  context: Context,
  tx: Tx,
  userId: number,
  emailId: number,
): Promise<string | null> {
  const mail = await triedMail(tx, userId, emailId)
  if (mail === undefined) return null
  const { mailboxId, source, key, contactId, hasReplied } = mail
  if (contactId === null) return 'No contact has this address any more'
  if ((await suppressedAmong(tx, userId, [key])).get(key) === 'declined') return 'They have said no'
  if (hasReplied) return 'They have replied since'
  const now = context.clock.now()
  const day = localDay(now, (await findUser(tx, userId))?.time_zone ?? FALLBACK_ZONE)
  await lockDay(tx, userId, mailboxId, day)
  if (await keepsOnlyDay(tx, userId, emailId, day)) return null
  // While it had failed, its day was free for another one.
  const reserved = await addReservations(tx, { userId, mailboxId, source, day, now }, [{ contactId, key }])
  if (!reserved.has(contactId)) return 'They have had another automatic email today'
  await setEmails(tx, userId, source, [{ contactId, emailId }])
  return null
}
