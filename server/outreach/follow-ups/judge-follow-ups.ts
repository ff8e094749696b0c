import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { withdrawEmails } from '../../mail/emails/emails.ts'
import { type ClaimedMail, idsOfMails, type Judge } from '../automatic-mail/automatic-mail.ts'
import { followUpState, termsOn } from './follow-up-state.ts'
import {
  changeDay,
  CONTACT_CHANGED,
  type DayRow,
  followUpsAmong,
  isDue,
  lockDay,
  standingsOf,
} from './store.ts'

/** What a day says of contacts whose follow-up was written and did not leave. */
const NOT_SENT = {
  off: 'Automatic follow-ups were switched off',
  hours: 'Your sending hours were over',
  stopped: 'Automatic emails from this address were stopped',
  day: 'It couldn’t be sent that day',
  contact: CONTACT_CHANGED,
}
type NotSent = keyof typeof NOT_SENT

/**
 * Takes back follow-ups that are about to leave and would not be written any more: they are switched off, their day or the user's
 * hours are over, their account is stopped, or their contact has replied, was deleted, or gets no more for another reason.
 * Contacts are chosen again on the next day, so nobody is forgotten.
 */
export const judgeFollowUps: Judge = async (context, { userId, standing }, mails) => {
  const state = await followUpState(context.db, userId)
  if (state === undefined) return []
  const { refused, today } = standing
  const contactIds = mails.map(({ contactId }) => contactId)
  const standings = await standingsOf(context.db, termsOn(state, today), contactIds, idsOfMails(mails))
  const whyNot = ({ day, contactId }: ClaimedMail): NotSent | null => {
    if (!state.isOn) return 'off'
    if (refused?.kind === 'hours' || refused?.kind === 'stopped') return refused.kind
    if (day < today) return 'day'
    return isDue(standings.get(contactId), today) ? null : 'contact'
  }
  const refusedMails = new Map<number, NotSent>()
  for (const mail of mails) {
    const why = whyNot(mail)
    if (why !== null) refusedMails.set(mail.emailId, why)
  }
  if (refusedMails.size > 0) await inTransaction(context.db, (tx) => takeBack(tx, userId, refusedMails))
  return [...refusedMails.keys()]
}

/** Takes back what waits of a user who has switched follow-ups off. */
export async function takeBackAll(
  context: Context,
  userId: number,
  emailIds: readonly number[],
): Promise<void> {
  if (emailIds.length === 0) return
  await inTransaction(context.db, async (tx) => {
    await takeBack(tx, userId, new Map(emailIds.map((emailId) => [emailId, 'off'])))
    await context.live.publish(tx, userId, { topic: 'emails' })
  })
}

/** Deletes mails that have not left as if never written, and counts them on their days. */
async function takeBack(tx: Tx, userId: number, refused: ReadonlyMap<number, NotSent>): Promise<void> {
  const mails = await followUpsAmong(tx, userId, [...refused.keys()])
  // Days before mails, as in `run-day.ts`.
  const days: DayRow[] = []
  for (const day of [...new Set(mails.map((mail) => mail.day))].toSorted()) {
    const row = await lockDay(tx, { user_id: userId, day })
    if (row !== undefined) days.push(row)
  }
  const gone = new Set(await withdrawEmails(tx, userId, [...refused.keys()]))
  for (const row of days) {
    const skipped = { ...row.skipped }
    for (const { emailId, day } of mails) {
      const why = refused.get(emailId)
      if (day !== row.day || !gone.has(emailId) || why === undefined) continue
      skipped[NOT_SENT[why]] = (skipped[NOT_SENT[why]] ?? 0) + 1
    }
    await changeDay(tx, row, { skipped })
  }
}
