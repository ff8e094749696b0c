import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { sequences } from '#contract/outreach/sequences.ts'
import type { Plans } from '../automatic-mail/automatic-mail.ts'
import { getContact } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { waitFinder } from './account-of.ts'
import { dueMembers, type MembershipRow, membershipsOf } from './members-store.ts'
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
  const rows = await membershipsOf(context.db, userId, contactId, SHOWN)
  return (await withWaits(context, rows)).map(({ row, waits }) => ({
    sequence_id: row.sequence_id,
    sequence: row.sequence,
    sequence_state: row.sequence_state,
    next: nextOf(row),
    member: presentMember(row, waits),
  }))
}

/** Members, each with what its next step waits for while nobody knows until when. */
async function withWaits(context: Context, rows: readonly MembershipRow[]) {
  const finders = new Map<number, ReturnType<typeof waitFinder>>()
  const waitsOf = async (row: MembershipRow) => {
    const finder = finders.get(row.sequence_id) ?? waitFinder(context, row)
    finders.set(row.sequence_id, finder)
    return (await finder)(row.step, row.steps)
  }
  return Promise.all(rows.map(async (row) => ({ row, waits: row.is_open ? await waitsOf(row) : null })))
}

function nextOf(row: MembershipRow): string | null {
  if (row.state !== 'active' && row.state !== 'paused') return null
  const step = row.steps.find(({ id }) => id === row.step)
  return step === undefined ? null : sayStep(step)
}

/** The next step of each contact that is in a sequence. */
export const plannedSteps: Plans = async (context, { userId, contactId, most }) => {
  const rows =
    contactId === null
      ? await dueMembers(context.db, userId, most)
      : (await membershipsOf(context.db, userId, contactId, SHOWN)).filter(
          (row) => row.is_open && row.due_at !== null && !row.has_gap,
        )
  return withWaits(context, rows).then((all) =>
    all.map(({ row, waits }) => ({
      id: row.id,
      source: 'sequence' as const,
      of: row.sequence_id,
      contactId: row.contact_id,
      name: row.name ?? '',
      email: row.email ?? '',
      sentence: `The next step of the sequence “${row.sequence}”${saidStep(row)}.`,
      due: row.due_at,
      waits,
    })),
  )
}

function saidStep(row: MembershipRow): string {
  const step = nextOf(row)
  return step === null ? '' : `: ${step.charAt(0).toLowerCase()}${step.slice(1)}`
}
