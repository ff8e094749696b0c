import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { sequences } from '#contract/outreach/sequences.ts'
import { type PlanSource, SEQUENCE_PAUSED } from '../automatic-mail/automatic-mail.ts'
import { getContact } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { type StepWaits, waitOf, waitsOfSteps } from './account-of.ts'
import { dueMembers, type MembershipRow, membershipsOf } from './members-store.ts'
import { presentMember, sayStep } from './present.ts'
import { NO_ACCOUNT, PRACTISING } from './process-members.ts'
import { goingSequences, type SequenceRow } from './store.ts'

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
  return (await withWaits(waitsFinder(context), rows)).map((row) => ({
    sequence_id: row.sequence_id,
    sequence: row.sequence,
    sequence_state: row.sequence_state,
    next: nextOf(row),
    member: presentMember(row, row.waits),
  }))
}

type WaitsFinder = (sequence: Pick<SequenceRow, 'user_id' | 'mailbox_id'>) => Promise<StepWaits>

/** Finds what a sequence's steps wait for, once for all sequences of an account. */
function waitsFinder(context: Context): WaitsFinder {
  const found = new Map<number | null, Promise<StepWaits>>()
  return (sequence) => {
    const waits = found.get(sequence.mailbox_id) ?? waitsOfSteps(context, sequence)
    found.set(sequence.mailbox_id, waits)
    return waits
  }
}

/** Members, each with what its next step waits for while nobody knows until when. */
const withWaits = (waitsOf: WaitsFinder, rows: readonly MembershipRow[]) =>
  Promise.all(
    rows.map(async (row) => ({
      ...row,
      waits: row.is_open ? waitOf(await waitsOf(row), row.step, row.steps) : null,
    })),
  )

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

/** The next step of each contact that is in a sequence; a paused sequence is one entry for all that are in it. */
export const plannedSteps: PlanSource = async (context, { userId, contactId, most }) => {
  const waitsOf = waitsFinder(context)
  if (contactId !== null) {
    const rows = await membershipsOf(context.db, userId, contactId, SHOWN)
    const going = rows.filter((row) => row.state === 'active' && row.due_at !== null && !row.has_gap)
    return presentSteps(waitsOf, going)
  }
  const going = await goingSequences(context.db, userId)
  const paused = going.filter(({ state }) => state === 'paused')
  const standing: number[] = []
  for (const sequence of going) if ((await waitsOf(sequence)).mails !== null) standing.push(sequence.id)
  const steps = await presentSteps(waitsOf, await dueMembers(context.db, userId, standing, most))
  return [
    ...steps,
    ...paused.map(({ id, name }) => ({
      id: `sequence ${id}`,
      source: 'sequence' as const,
      of: id,
      contact_id: null,
      name,
      email: '',
      sentence: 'The next step for everyone in this sequence.',
      due: null,
      waits: SEQUENCE_PAUSED,
    })),
  ]
}

async function presentSteps(waitsOf: WaitsFinder, rows: readonly MembershipRow[]) {
  return (await withWaits(waitsOf, rows)).map((row) => {
    const step = nextOf(row)
    const said = step === null ? '' : `: ${step.charAt(0).toLowerCase()}${step.slice(1)}`
    return {
      id: `member ${row.id}`,
      source: 'sequence' as const,
      of: row.sequence_id,
      contact_id: row.contact_id,
      name: row.name ?? '',
      email: row.email ?? '',
      sentence: `The next step of the sequence “${row.sequence}”${said}.`,
      due: row.due_at,
      waits: row.sequence_state === 'paused' ? SEQUENCE_PAUSED : (row.waits ?? UNTIL[row.why ?? ''] ?? null),
    }
  })
}
