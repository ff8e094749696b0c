import type { Plan } from '../automatic-mail/automatic-mail.ts'
import { dayAt, hourOf } from './days.ts'
import { followUpState, termsOn } from './follow-up-state.ts'
import { sendingTime } from './sending-time.ts'
import { nextRunOf } from './show-follow-ups.ts'
import { standingsOf } from './store.ts'

/** The next follow-up to a contact, for the contact's page; null if none is to come. */
export const planOfFollowUp: Plan = async (context, { userId, contactId }) => {
  const state = await followUpState(context.db, userId)
  if (state?.isOn !== true || state.isPaused) return null
  const next = await nextRunOf(context, userId)
  const day = dayAt(next, state.zone)
  const standing = (await standingsOf(context.db, termsOn(state, day), [contactId])).get(contactId)
  if (standing === undefined || standing.why !== null || standing.dueDay === null) return null
  const at =
    standing.dueDay === day
      ? next
      : await sendingTime(context.db, state, hourOf(standing.dueDay, state.hour, state.zone))
  return { sentence: `Follow-up ${standing.number} of 3 goes out if they do not answer.`, at }
}
