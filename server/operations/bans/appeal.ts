import { noteActivity } from '../../accounts/activities/activities.ts'
import {
  addAppeal,
  appealSignature,
  banEnd,
  endBanIfOver,
  findBan,
  findBanByToken,
  lockUser,
  setAnswer,
  type UserRow,
} from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, invalidInput, notFound } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { notifyAdministrators } from '../../accounts/notifications/notifications.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import type { AppealDecision } from '#contract/operations/bans.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { queueSystemMail, writeSystemMail } from '../../accounts/system-mail/system-mail.ts'
import { readBan } from './list-bans.ts'
import { liftInside } from './unban-user.ts'

/** Characters of an appeal that its notification shows. */
const SHOWN_MAX = 300
const OLD_TOKEN = 'This page is too old, or the appeal was sent already. Please log in again to see.'

/**
 * Takes a banned user's appeal. The token is that of a log-in that was refused; it works once, and only the newest does.
 *
 * @throws Refusal 400 for a token that is unknown, used or too old, and once the ban has ended
 */
export async function appeal(
  context: Context,
  { token, message }: { token: string; message: string },
  origin: Origin,
): Promise<void> {
  const now = context.clock.now()
  const signature = appealSignature(context, token)
  const found = await findBanByToken(context.db, signature, now)
  if (found === undefined) throw invalidInput(OLD_TOKEN, { appeal_token: OLD_TOKEN })
  await inTransaction(context.db, async (tx) => {
    await lockUser(tx, found.user_id)
    // Pressed twice: the second waited here for the first.
    const ban = await findBanByToken(tx, signature, now)
    if (ban === undefined) throw invalidInput(OLD_TOKEN, { appeal_token: OLD_TOKEN })
    await addAppeal(tx, ban, { message, now })
    await noteActivity(context, tx, { type: 'appeal_submitted', user: ban.user_id, origin })
    const words = message.length > SHOWN_MAX ? `${message.slice(0, SHOWN_MAX)}…` : message
    await notifyAdministrators(context, tx, {
      topic: `appeal ${ban.id}`,
      userId: ban.user_id,
      title: 'A banned user appeals',
      message: `“${words.toWellFormed()}” User Bans takes your answer.`,
      priority: 4,
    })
  })
  logSecurity(context.log, { event: 'appeal_submitted' }, found.user_id, origin)
}

const ENDED = 'This ban has ended already.'
const NO_APPEAL = 'There is no appeal that waits for an answer.'

/**
 * Answers the appeal against a ban; its user gets the answer by mail.
 *
 * @throws Refusal 404 without such a ban, 409 when it has ended, or no appeal waits
 */
export async function answerAppeal(
  context: Context,
  banId: number,
  { decision, answer }: { decision: AppealDecision; answer: string },
  { caller, origin }: { caller: Caller; origin: Origin },
): Promise<void> {
  const { user_id: userId } = await readBan(context, banId)
  await inTransaction(context.db, async (tx) => {
    const user = await lockUser(tx, userId)
    if (user === undefined) throw notFound('The account of this ban is deleted.')
    await endBanIfOver(context, tx, userId)
    const ban = await findBan(tx, userId)
    if (ban?.id !== banId) throw conflict(ENDED)
    const now = context.clock.now()
    const answered = { decision, answer, answered_at: now, answered_by: caller.id }
    if (!(await setAnswer(tx, ban, answered))) throw conflict(NO_APPEAL)
    const detail = decision === 'lift' ? 'the ban is lifted' : 'the ban stays'
    await noteActivity(context, tx, { type: 'appeal_answered', user: userId, origin: null, detail })
    const act = { type: 'admin_act', user: caller.id, origin } as const
    await noteActivity(context, tx, { ...act, detail: `answered the appeal of user ${userId}: ${detail}` })
    if (decision === 'lift') await liftInside(context, tx, { userId, reason: answer, by: caller, origin })
    const end = decision === 'lift' ? null : banEnd(ban, user.time_zone)
    await queueSystemMail(context, tx, { to: user.email, ...notice(context, user, answer, end) })
  })
  logSecurity(context.log, { event: 'appeal_answered', decision, account: userId }, caller.id, origin)
}

/** `end` says until when the ban stays; null where it was lifted. */
function notice({ config }: Context, user: UserRow, answer: string, end: string | null) {
  if (end === null)
    return writeSystemMail('Your appeal: the ban was lifted', [
      `The ban of your Howl account ${user.email} was lifted. You can log in again, and mail that waited leaves now.`,
      `The answer to your appeal: ${answer}`,
      { link: `${config.publicUrl}/login`, label: 'Log in' },
    ])
  return writeSystemMail('Your appeal: the ban stays', [
    `Your Howl account ${user.email} stays banned ${end}.`,
    `The answer to your appeal: ${answer}`,
  ])
}
