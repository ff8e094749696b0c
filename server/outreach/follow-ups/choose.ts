import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { FollowUpOverview, followUps } from '#contract/outreach/follow-ups.ts'
import { getContact } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { withdrawEmails } from '../../mail/emails/emails.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { daysLater } from '../automatic-mail/automatic-mail.ts'
import { SILENT_DAYS } from './days.ts'
import { followUpState, termsOn } from './follow-up-state.ts'
import { forgetCounts } from './kept-counts.ts'
import { nextRunDay, readOverview } from './show-follow-ups.ts'
import { saveChoice, standingsOf, waitingFollowUps } from './store.ts'

/**
 * Skips the next follow-up to a contact, stops all of them, or takes that back. One that waits to leave is taken back.
 *
 * @throws Refusal 404
 */
export async function choose(
  context: Context,
  userId: number,
  contactId: number,
  { choice }: BodyOf<typeof followUps.choose>,
): Promise<FollowUpOverview> {
  await getContact(context, userId, contactId)
  const day = await nextRunDay(context, userId)
  await inTransaction(context.db, async (tx) => {
    const state = await followUpState(tx, userId)
    if (state === undefined) return
    await saveChoice(tx, userId, contactId, undefined, context.clock.now())
    await context.live.publish(tx, userId, { topic: 'outreach' })
    if (choice === 'usual') return
    await withdrawEmails(tx, userId, await waitingFollowUps(tx, userId, contactId))
    await context.live.publish(tx, userId, { topic: 'emails' })
    const due = (await standingsOf(tx, termsOn(state, day), [contactId])).get(contactId)?.dueDay ?? day
    // The one after it comes as long after it as it would have come.
    const until = choice === 'never' ? null : daysLater(due, SILENT_DAYS)
    await saveChoice(tx, userId, contactId, until, context.clock.now())
  })
  forgetCounts(context, userId)
  return readOverview(context, userId)
}
