import { noteActivity } from '../../accounts/activities/activities.ts'
import {
  endOtherSessions,
  forgetCallers,
  markDeleted,
  restorableUntil,
  writtenDay,
} from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction, isLastAdministrator } from '../../platform/database/transaction.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { conflict } from '../../platform/errors.ts'
import { takeBackClaims } from '../../mail/emails/emails.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { takeBackReads } from '../../mail/mailboxes/mailboxes.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { queueSystemMail, writeSystemMail } from '../../accounts/system-mail/system-mail.ts'
import { noteLeft } from './feedback-store.ts'

const ONLY_YOU =
  'You are the only administrator of this Howl. Make somebody else an administrator first, then you can delete your account.'

/** Something that is written in the same transaction. */
export type Alongside = (tx: Tx) => Promise<void>

/**
 * Deletes the user's account: every session ends, no mail is sent or read any more, and a mail tells until when it can be
 * restored. Its rows stay until then. Deleting it twice does nothing more.
 *
 * @param reason what an administrator said, '' for nothing; its owner reads it. Null where the owner deletes the account
 * @param alongside what else is written if and only if the account is deleted
 * @returns until when it can be restored
 * @throws Refusal 409 for the last administrator
 */
export async function deleteAccount(
  context: Context,
  userId: number,
  origin: Origin,
  { reason = null, alongside }: { reason?: string | null; alongside?: Alongside } = {},
): Promise<Date> {
  const now = context.clock.now()
  const until = restorableUntil(now)
  const deleted = await inTransaction(context.db, async (tx) => {
    // First: whoever claims mail now waits for the end of this transaction, and finds the pause.
    const user = await markDeleted(tx, userId, now, reason)
    if (user === undefined) return false
    await takeBackClaims(tx, userId)
    await takeBackReads(tx, userId)
    await endOtherSessions(tx, userId, null, now)
    await noteLeft(tx, userId, now)
    await queueSystemMail(context, tx, {
      to: user.email,
      ...notice(context, user.email, writtenDay(until, user.time_zone ?? 'UTC'), reason),
    })
    // Where an administrator sat when deleting it is no matter of the user's.
    const how = reason === null ? { origin } : { origin: null, detail: 'by an administrator' }
    await noteActivity(context, tx, { type: 'account_deleted', user: userId, ...how })
    await alongside?.(tx)
    await context.live.publish(tx, userId, { topic: 'session' })
    return true
  }).catch((error: unknown) => {
    throw isLastAdministrator(error) ? conflict(ONLY_YOU) : error
  })
  forgetCallers(context, userId)
  if (deleted) logSecurity(context.log, { event: 'account_deleted' }, userId, origin)
  return until
}

function notice({ config }: Context, email: string, day: string, reason: string | null) {
  return writeSystemMail('Your Howl account was deleted', [
    ...(reason === null
      ? []
      : [`An administrator deleted it.${reason === '' ? '' : ` The reason: ${reason}`}`]),
    `Your Howl account ${email} was deleted. It can be restored until ${day}.`,
    'You were signed out everywhere, and Howl neither sends nor reads mail for you any more.',
    `Do you want it back? Ask whoever runs Howl at ${new URL(config.publicUrl).host} to restore it. After ${day}, everything in it is removed for good.`,
    ...(reason === null
      ? ['It was not you? Ask them at once, and change the password of your mailbox.']
      : []),
  ])
}
