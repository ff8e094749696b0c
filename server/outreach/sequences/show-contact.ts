import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { sequences } from '#contract/outreach/sequences.ts'
import type { Plan } from '../automatic-mail/automatic-mail.ts'
import { getContact } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { type MembershipRow, membershipsOf } from './members-store.ts'
import { presentMember, sayStep } from './present.ts'

/** Sequences of one contact that are shown, the newest. */
const SHOWN = 100

/** The sequences that a contact is or was in. @throws Refusal 404 */
export async function sequencesOfContact(
  context: Context,
  userId: number,
  contactId: number,
): Promise<ReplyOf<typeof sequences.ofContact>> {
  await getContact(context, userId, contactId)
  return (await membershipsOf(context.db, userId, contactId, SHOWN)).map((row) => ({
    sequence_id: row.sequence_id,
    sequence: row.sequence,
    sequence_state: row.sequence_state,
    next: nextOf(row),
    member: presentMember(row),
  }))
}

function nextOf(row: MembershipRow): string | null {
  if (row.state !== 'active' && row.state !== 'paused') return null
  const step = row.steps.find(({ id }) => id === row.step)
  return step === undefined ? null : sayStep(step)
}

/** What sequences have planned for a contact. */
export const planOfSequences: Plan = async (context, { userId, contactId }) => {
  const rows = await membershipsOf(context.db, userId, contactId, SHOWN)
  const [next] = rows
    .filter((row) => row.is_open && row.due_at !== null && !row.has_gap)
    .toSorted((one, other) => Number(one.due_at) - Number(other.due_at))
  if (next === undefined) return null
  return { sentence: `The next step of the sequence “${next.sequence}”.`, at: next.due_at }
}
