import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { withdrawEmails } from '../../mail/emails/emails.ts'
import { heldBackBy, type Judge, localDay } from '../automatic-mail/automatic-mail.ts'
import { type FollowUpState, followUpState, termsOn } from './follow-up-state.ts'
import {
  changeDay,
  type DayRow,
  type FollowUpMail,
  followUpsAmong,
  lockDay,
  standingsOf,
  waitingFollowUps,
} from './store.ts'

/** What a day says of contacts whose follow-up was written and did not leave. */
const NOT_SENT = {
  off: 'Automatic follow-ups were switched off',
  hours: 'Your sending hours were over',
  stopped: 'Automatic emails from the address stood still',
  paused: 'All your mail was paused',
  day: 'The day was over before it could be sent',
  contact: 'Something about this contact has changed meanwhile',
}
type NotSent = keyof typeof NOT_SENT

/**
 * Takes back follow-ups that are about to leave and would not be written any more: they are switched off, their day or the user's
 * hours are over, their account stands still, or their contact has answered, was deleted, or gets no more for another reason.
 * Contacts are chosen again on the next day, so nobody is forgotten.
 */
export const judgeFollowUps: Judge = async (context, account, emailIds) => {
  const { userId } = account
  const mails = await followUpsAmong(context.db, userId, emailIds)
  const state = mails.length === 0 ? undefined : await followUpState(context.db, userId)
  if (state === undefined) return []
  const today = localDay(context.clock.now(), state.zone)
  const ofAll = state.isOn ? await heldBackBy(context, context.db, account) : 'off'
  const ids = mails.map(({ contactId }) => contactId)
  const standings = await standingsOf(context.db, termsOn(state, today), ids, emailIds)
  const reasonFor = ({ day, contactId }: FollowUpMail): NotSent | null => {
    if (ofAll !== null) return ofAll
    if (day !== today) return 'day'
    const standing = standings.get(contactId)
    return standing?.why === null && (standing.dueDay ?? '9') <= today ? null : 'contact'
  }
  const refused = mails.flatMap((mail) => {
    const why = reasonFor(mail)
    return why === null ? [] : [{ mail, why }]
  })
  if (refused.length === 0) return []
  await inTransaction(context.db, (tx) => takeBack(context, tx, userId, refused))
  return refused.map(({ mail }) => mail.emailId)
}

/** Takes back what waits of a user who has switched follow-ups off. */
export async function takeBackAll(context: Context, { user }: FollowUpState): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const mails = await waitingFollowUps(tx, user.id)
    await takeBack(
      context,
      tx,
      user.id,
      mails.map((mail) => ({ mail, why: 'off' })),
    )
  })
}

/** Deletes mails that have not left as if never written, and counts them on their days. */
async function takeBack(
  context: Context,
  tx: Tx,
  userId: number,
  refused: readonly { mail: FollowUpMail; why: NotSent }[],
): Promise<void> {
  if (refused.length === 0) return
  // Whoever writes a day's mails locks the day first, too.
  const days: DayRow[] = []
  for (const day of [...new Set(refused.map(({ mail }) => mail.day))].toSorted()) {
    const row = await lockDay(tx, { user_id: userId, day })
    if (row !== undefined) days.push(row)
  }
  const ids = refused.map(({ mail }) => mail.emailId)
  const gone = new Set(await withdrawEmails(tx, userId, ids))
  for (const day of days) {
    const skipped = { ...day.skipped }
    for (const { mail, why } of refused)
      if (mail.day === day.day && gone.has(mail.emailId))
        skipped[NOT_SENT[why]] = (skipped[NOT_SENT[why]] ?? 0) + 1
    await changeDay(tx, day, { skipped })
  }
  for (const topic of ['outreach', 'emails'] as const) await context.live.publish(tx, userId, { topic })
}
