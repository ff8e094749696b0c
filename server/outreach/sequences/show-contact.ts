import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { sequences } from '#contract/outreach/sequences.ts'
import type { PlanSource } from '../automatic-mail/automatic-mail.ts'
import { getContact } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { waitFinder } from './account-of.ts'
import { dueMembers, type MembershipRow, membershipsOf } from './members-store.ts'
import { presentMember, sayStep } from './present.ts'
import { NO_ACCOUNT, PRACTISING } from './process-members.ts'

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
  return (await withWaits(context, rows)).map((row) => ({
    sequence_id: row.sequence_id,
    sequence: row.sequence,
    sequence_state: row.sequence_state,
    next: nextOf(row),
    member: presentMember(row, row.waits),
  }))
}

/** Members, each with what its next step waits for while nobody knows until when. */
async function withWaits(context: Context, rows: readonly MembershipRow[]) {
  const finders = new Map<number, ReturnType<typeof waitFinder>>()
  const finderOf = (row: MembershipRow) => {
    const finder = finders.get(row.sequence_id) ?? waitFinder(context, row)
    finders.set(row.sequence_id, finder)
    return finder
  }
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      waits: row.is_open ? (await finderOf(row))(row.step, row.steps) : null,
    })),
  )
}

function nextOf(row: MembershipRow): string | null {
  if (row.state !== 'active' && row.state !== 'paused') return null
  const step = row.steps.find(({ id }) => id === row.step)
  return step === undefined ? null : sayStep(step)
}

/** What keeps a member from being mailed until its user does something about it, as what it waits for. */
const UNTIL: Record<string, string> = {
  [NO_ACCOUNT]: 'Waits until an email account is connected',
  [PRACTISING]: 'Waits until you leave practice',
}

/** The next step of each contact that is in a sequence. */
export const plannedSteps: PlanSource = async (context, { userId, contactId, most }) => {
  const rows =
    contactId === null
      ? await dueMembers(context.db, userId, most)
      : (await membershipsOf(context.db, userId, contactId, SHOWN)).filter(
          (row) => row.is_open && row.due_at !== null && !row.has_gap,
        )
  return (await withWaits(context, rows)).map((row) => {
    const step = nextOf(row)
    const said = step === null ? '' : `: ${step.charAt(0).toLowerCase()}${step.slice(1)}`
    return {
      id: `member ${row.id}`,
      source: 'sequence',
      of: row.sequence_id,
      contact_id: row.contact_id,
      name: row.name ?? '',
      email: row.email ?? '',
      sentence: `The next step of the sequence “${row.sequence}”${said}.`,
      due: row.due_at,
      waits: row.waits ?? UNTIL[row.why ?? ''] ?? null,
    }
  })
}
