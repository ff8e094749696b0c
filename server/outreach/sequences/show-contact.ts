import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { sequences } from '#contract/outreach/sequences.ts'
import type { Plan } from '../automatic-mail/automatic-mail.ts'
import { getContact } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { waitFinder } from './account-of.ts'
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
  return (await waitingMemberships(context, userId, contactId)).map(({ row, waits }) => ({
    sequence_id: row.sequence_id,
    sequence: row.sequence,
    sequence_state: row.sequence_state,
    next: nextOf(row),
    member: presentMember(row, waits),
  }))
}

/** The sequences that a contact is or was in, each with what its next step waits for while nobody knows until when. */
async function waitingMemberships(context: Context, userId: number, contactId: number) {
  const rows: { row: MembershipRow; waits: string | null }[] = []
  for (const row of await membershipsOf(context.db, userId, contactId, SHOWN)) {
    const waits = row.is_open ? (await waitFinder(context, row))(row.step, row.steps) : null
    rows.push({ row, waits })
  }
  return rows
}

function nextOf(row: MembershipRow): string | null {
  if (row.state !== 'active' && row.state !== 'paused') return null
  const step = row.steps.find(({ id }) => id === row.step)
  return step === undefined ? null : sayStep(step)
}

/** What sequences have planned for a contact. */
export const planOfSequences: Plan = async (context, { userId, contactId }) => {
  // While a step waits, its time is put off again and again: it must not decide which of them is told.
  const timeOf = ({ row, waits }: { row: MembershipRow; waits: string | null }) =>
    waits === null ? Number(row.due_at) : Infinity
  const [next] = (await waitingMemberships(context, userId, contactId))
    .filter(({ row }) => row.is_open && row.due_at !== null && !row.has_gap)
    .toSorted((one, other) => timeOf(one) - timeOf(other))
  if (next === undefined) return null
  const { row, waits } = next
  return { sentence: `The next step of the sequence “${row.sequence}”.`, at: row.due_at, waits }
}
