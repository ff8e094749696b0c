import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import { suppressedAmong } from '../../mail/emails/emails.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { localDay } from './sending-times.ts'
import {
  addReservations,
  hasReservation,
  lockDay,
  mailToResend,
  releaseOtherDays,
  setEmails,
} from './store.ts'

/**
 * Checks an automatic mail that the user sends again: the contact still has this address, has neither replied nor said no, and
 * gets no other automatic mail today. If it may leave, today is reserved for it.
 *
 * @returns why it must not leave, without a full stop; null: it may
 */
export async function checkResend(
  context: Context,
  tx: Tx,
  userId: number,
  emailId: number,
): Promise<string | null> {
  const mail = await mailToResend(tx, userId, emailId)
  if (mail === undefined) return null
  const { mailboxId, source, key, contactId, hasReplied } = mail
  if (contactId === null) return 'No contact has this address any more'
  if ((await suppressedAmong(tx, userId, [key])).get(key) === 'declined') return 'They said no'
  if (hasReplied) return 'They’ve replied since'
  const now = context.clock.now()
  const day = localDay(now, (await findUser(tx, userId))?.time_zone ?? FALLBACK_ZONE)
  await lockDay(tx, userId, mailboxId, day)
  await releaseOtherDays(tx, userId, emailId, day)
  if (await hasReservation(tx, userId, emailId, day)) return null
  // Another mail may have taken the day after this one had failed.
  const reserved = await addReservations(tx, { userId, mailboxId, source, day, now }, [{ contactId, key }])
  if (!reserved.has(contactId)) return 'They’ve already had an automatic email today'
  await setEmails(tx, userId, source, [{ contactId, emailId }])
  return null
}
