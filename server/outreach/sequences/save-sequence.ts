import type { BodyOf } from '#contract/platform/endpoint.ts'
import { stepProblems } from '#contract/outreach/sequence-steps.ts'
import {
  SEQUENCE_DEFAULTS,
  type sequences,
  SEQUENCES_MAX,
  type SequenceStart,
  type SequenceStep,
} from '#contract/outreach/sequences.ts'
import { tagKey } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { connectedMailbox } from '../../mail/emails/emails.ts'
import { conflict, invalidInput, notFound } from '../../platform/errors.ts'
import { findTemplate } from '../templates/templates.ts'
import { bringForward } from './bring-forward.ts'
import { moveToVersion, removeMembers } from './members-store.ts'
import {
  addSequence,
  changeSequence,
  countForAdding,
  deleteSequence,
  findSequence,
  forgetOtherVersions,
  lockSequence,
  saveSteps,
  type SequenceFields,
  type SequenceRow,
  setStarts,
  stepsByVersion,
} from './store.ts'
import { sameStep } from './walk-steps.ts'
import { textsOf } from './write-step.ts'

type Added = BodyOf<typeof sequences.add>
type Changed = BodyOf<typeof sequences.update>

const noSequence = () => notFound('This sequence does not exist.')

/** Holds a sequence of the user until the transaction ends, see `lockSequence`. @throws Refusal 404 */
export async function lockOwn(
  tx: Tx,
  userId: number,
  id: number,
  how: 'change' | 'keep',
): Promise<SequenceRow> {
  const row = await lockSequence(tx, userId, id, how)
  if (row === undefined) throw noSequence()
  return row
}

/** The same of one that has not ended. @throws Refusal 404, 409 */
export async function lockLive(
  tx: Tx,
  userId: number,
  id: number,
  how: 'change' | 'keep',
): Promise<SequenceRow> {
  const row = await lockOwn(tx, userId, id, how)
  if (row.state === 'ended') throw conflict('This sequence has ended.')
  return row
}

/** One sequence of the user. @throws Refusal 404 */
export async function getSequence(context: Context, userId: number, id: number): Promise<SequenceRow> {
  const row = await findSequence(context.db, userId, id)
  if (row === undefined) throw noSequence()
  return row
}

/** Adds a sequence as a draft. @throws Refusal 400 for a template or an account that is not there; 409 for too many */
export async function createSequence(context: Context, userId: number, input: Added): Promise<SequenceRow> {
  const now = context.clock.now()
  const { name, steps, starts, hours, stops, again_after_days, mailbox_id } = {
    ...SEQUENCE_DEFAULTS,
    ...input,
  }
  return inTransaction(context.db, async (tx) => {
    await checkReferences(tx, userId, { steps, mailbox_id })
    if ((await countForAdding(tx, userId)) >= SEQUENCES_MAX)
      throw conflict(`You can have up to ${SEQUENCES_MAX} sequences. Please delete some first.`)
    const fields = {
      ...settingsOf({ name, starts, hours, stops, again_after_days, mailbox_id }),
      state: 'draft',
      version: 1,
      in_practice: false,
      created_at: now,
      updated_at: now,
    }
    const id = await addSequence(tx, userId, fields as SequenceFields, steps ?? [])
    return finish(context, tx, userId, id)
  })
}

/**
 * Changes a sequence. Members under way keep the steps that they have, or go on with the new ones, as `under_way` says.
 *
 * @throws Refusal 404; 400 as `createSequence`, or, once it was started, for steps with which it could not start; 409 if it has ended, or was changed elsewhere
 */
export async function updateSequence(
  context: Context,
  userId: number,
  id: number,
  { steps, under_way: underWay = 'old', version, ...input }: Changed,
): Promise<SequenceRow> {
  const now = context.clock.now()
  return inTransaction(context.db, async (tx) => {
    const before = await lockOwn(tx, userId, id, 'change')
    if (before.state === 'ended') throw conflict('This sequence has ended. Please copy it into a new one.')
    if (version !== undefined && version !== before.version)
      throw conflict('This sequence was changed elsewhere. Please load it again.')
    await checkReferences(tx, userId, { steps, mailbox_id: input.mailbox_id })
    await changeSequence(tx, userId, id, { ...settingsOf(input), updated_at: now })
    if (input.starts !== undefined && before.state !== 'draft')
      await setStarts(tx, userId, id, startsOf(input.starts))
    if (steps !== undefined && JSON.stringify(steps) !== JSON.stringify(before.steps)) {
      if (before.state !== 'draft') await refuseUnusable(tx, userId, steps)
      await changeSteps(tx, before, steps, underWay, now)
    }
    const row = await finish(context, tx, userId, id)
    if (before.state !== 'draft' && timesOf(row) !== timesOf(before)) await bringForward(tx, row, now)
    return row
  })
}

/** All that a sequence itself says of when its mails may leave. */
const timesOf = (row: SequenceRow): string =>
  JSON.stringify([row.days, row.from_hour, row.until_hour, row.in_readers_zone, row.mailbox_id])

/** Members may be in the middle of them: steps that cannot be started must not come in later either. */
async function refuseUnusable(tx: Tx, userId: number, steps: readonly SequenceStep[]): Promise<void> {
  const problem = stepProblems(steps).find(({ kind }) => kind === 'stop')
  if (problem !== undefined) throw invalidInput(problem.message, { steps: problem.message })
  const mails = steps.filter((step) => step.kind === 'mail')
  for (const text of (await textsOf(tx, userId, mails)).values())
    if (typeof text === 'string') throw invalidInput(text, { steps: text })
}

async function changeSteps(
  tx: Tx,
  before: SequenceRow,
  steps: readonly SequenceStep[],
  underWay: 'old' | 'new',
  now: Date,
): Promise<void> {
  const { user_id: userId, id } = before
  const to = before.version + 1
  const versions = await stepsByVersion(tx, userId, id)
  await saveSteps(tx, userId, id, to, steps)
  await changeSequence(tx, userId, id, { version: to })
  if (before.state === 'draft') await forgetOtherVersions(tx, userId, id, to)
  else if (underWay === 'new')
    for (const [from, old] of versions) {
      const places = old.map((step) => [step.id, sameStep(old, steps, step.id)] as const)
      await moveToVersion(tx, userId, id, { from, to, places, now })
    }
}

/** Deletes a draft, or a sequence that has ended. @throws Refusal 404, 409 */
export async function removeSequence(context: Context, userId: number, id: number): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const row = await lockOwn(tx, userId, id, 'change')
    if (row.state !== 'draft' && row.state !== 'ended') throw conflict('Please end this sequence first.')
    await removeMembers(tx, userId, id)
    await deleteSequence(tx, userId, id)
    await context.live.publish(tx, userId, { topic: 'outreach' })
  })
}

/** What starts a sequence, as the triggers compare it. */
export function startsOf(starts: readonly SequenceStart[]) {
  return starts.map((start) => ({ kind: start.on, value: valueOf(start) }))
}

function valueOf(start: SequenceStart): string {
  if (start.on === 'tag') return tagKey(start.tag)
  if (start.on === 'status') return start.status
  return start.on === 'intent' ? start.intent : ''
}

function settingsOf(input: Omit<Changed, 'steps' | 'under_way' | 'version'>): Partial<SequenceFields> {
  const { hours, stops, ...same } = input
  const columns = {
    ...same,
    days: hours && [...new Set(hours.days)].toSorted((a, b) => a - b),
    from_hour: hours?.from_hour,
    until_hour: hours?.until_hour,
    in_readers_zone: hours && hours.zone === 'reader',
    stops_at_reply: stops?.reply,
    stops_at_meeting: stops?.meeting,
    stops_at_payment: stops?.payment,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

async function checkReferences(
  tx: Tx,
  userId: number,
  input: { steps?: readonly SequenceStep[] | undefined; mailbox_id?: number | null | undefined },
): Promise<void> {
  if (input.mailbox_id != null && (await connectedMailbox(tx, userId, input.mailbox_id)) === undefined) {
    const why = 'This email account is no longer connected. Please choose another one.'
    throw invalidInput(why, { mailbox_id: why })
  }
  const ids = new Set(
    input.steps?.flatMap((step) =>
      step.kind === 'mail' && step.template_id !== null ? [step.template_id] : [],
    ),
  )
  for (const id of ids)
    if ((await findTemplate(tx, userId, id)) === undefined)
      throw invalidInput('A template of these steps does not exist any more.')
}

async function finish(context: Context, tx: Tx, userId: number, id: number): Promise<SequenceRow> {
  await context.live.publish(tx, userId, { topic: 'outreach' })
  const row = await findSequence(tx, userId, id)
  if (row === undefined) throw noSequence()
  return row
}
