import { BAN_DAYS_MAX, BAN_REASON_LABELS, type BanReason } from '#contract/operations/bans.ts'
import { noteActivity } from '../../accounts/activities/activities.ts'
import {
  addBan,
  banEnd,
  banReason,
  type BanRow,
  endBanIfOver,
  endOtherSessions,
  findBan,
  forgetCallers,
  lockUser,
  type UserRow,
} from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction, isLastAdministrator } from '../../platform/database/transaction.ts'
import { takeBackClaims } from '../../mail/emails/emails.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { takeBackReads } from '../../mail/mailboxes/mailboxes.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { queueSystemMail, writeSystemMail } from '../../accounts/system-mail/system-mail.ts'

const DAY_MS = 86_400_000
const NO_USER = 'There is no such user.'
const LAST_ADMINISTRATOR = 'The last administrator of this Howl cannot be banned.'

export type NewBan = {
  userId: number
  reason: BanReason
  /** Why, in words that the banned user reads. */
  description: string
  /** Whole days, from 1 on; null for a permanent ban. */
  days: number | null
  /** The administrator; null for a ban by the rules of abuse. */
  by: Caller | null
  /** Where the administrator's call came from. */
  origin?: Origin
}

/** Something that is written in the same transaction. */
type Alongside = (tx: Tx) => Promise<void>

/**
 * Bans a user: every session ends within a second, also those of an administrator, and no mail is sent or read any more. What
 * waits goes on by itself when the ban ends. A mail tells why, until when, and how to appeal. A user who is banned already
 * stays banned as before.
 *
 * @param alongside what else is written if and only if the ban is new
 * @returns the ban in force, and whether it is new
 * @throws Refusal 404 without such a user, 409 for oneself and for the last administrator
 */
export async function banUser(
  context: Context,
  ban: NewBan,
  alongside?: Alongside,
): Promise<{ ban: BanRow; isNew: boolean }> {
  const { userId, by, days } = ban
  if (by?.id === userId) throw conflict('You cannot ban yourself.')
  if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= BAN_DAYS_MAX))
    throw new Error(`A ban of ${days} days`)
  const banned = await inTransaction(context.db, (tx) => banInside(context, tx, ban, alongside)).catch(
    (error: unknown) => {
      throw isLastAdministrator(error) ? conflict(LAST_ADMINISTRATOR) : error
    },
  )
  if (!banned.isNew) return banned
  forgetCallers(context, userId)
  logSecurity(
    context.log,
    { event: 'account_banned', reason: ban.reason, account: userId },
    by?.id ?? null,
    ban.origin ?? null,
  )
  return banned
}

async function banInside(
  context: Context,
  tx: Tx,
  { userId, reason, description, days, by, origin }: NewBan,
  alongside: Alongside | undefined,
): Promise<{ ban: BanRow; isNew: boolean }> {
  const now = context.clock.now()
  // First: whoever claims mail now waits for the end of this transaction, and finds the ban.
  const user = await lockUser(tx, userId)
  if (user === undefined) throw notFound(NO_USER)
  await endBanIfOver(context, tx, userId)
  const before = await findBan(tx, userId)
  if (before !== undefined) return { ban: before, isNew: false }
  const ban = await addBan(tx, {
    user_id: userId,
    reason,
    description,
    by_rules: by === null,
    banned_by: by?.id ?? null,
    banned_at: now,
    expires_at: days === null ? null : new Date(now.getTime() + days * DAY_MS),
  })
  await takeBackClaims(tx, userId)
  await takeBackReads(tx, userId)
  await endOtherSessions(tx, userId, null, now)
  await queueSystemMail(context, tx, { to: user.email, ...notice(context, user, ban) })
  // Where an administrator sat when banning is no matter of the user's.
  const length = days === null ? 'for good' : days === 1 ? 'for 1 day' : `for ${days} days`
  const whose = by === null ? 'by the rules of abuse' : 'by an administrator'
  const detail = `${BAN_REASON_LABELS[reason]}, ${length}, ${whose}`
  await noteActivity(context, tx, { type: 'account_banned', user: userId, origin: null, detail })
  if (by !== null)
    await noteActivity(context, tx, {
      type: 'admin_act',
      user: by.id,
      origin: origin ?? null,
      detail: `banned user ${userId}`,
    })
  await alongside?.(tx)
  await context.live.publish(tx, userId, { topic: 'session' })
  return { ban, isNew: true }
}

function notice({ config }: Context, user: UserRow, ban: BanRow) {
  return writeSystemMail('Your Howl account is banned', [
    `Your Howl account ${user.email} is banned ${banEnd(ban, user.time_zone)}.`,
    `The reason: ${banReason(ban)}`,
    'You were signed out everywhere, and Howl neither sends nor reads mail for you while the ban lasts. Mail that waits leaves by itself when it ends.',
    'Do you think this is wrong? Log in with your password: the page shows the ban and takes your appeal.',
    { link: `${config.publicUrl}/login`, label: 'See the ban and appeal' },
  ])
}
