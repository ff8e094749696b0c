import { CHAIN_MAX } from '#contract/sequences.ts'
import { FALLBACK_ZONE } from '#contract/values.ts'
import { findUser } from '../auth/auth.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../database/handles.ts'
import { inTransaction } from '../database/transaction.ts'
import { withdrawEmails } from '../emails/emails.ts'
import { hoursOf, whenDue } from './hours-of.ts'
import { addMembers, type Entry, unsentMailsOf } from './members-store.ts'
import { lockSequence, type SequenceRow } from './store.ts'
import { contactsAt, noteOutcomes, stopMembers, takeNotes, type WorkRow } from './work-store.ts'

/** Notes that are worked off in one transaction. */
const AT_ONCE = 5000
const DAY_MS = 24 * 60 * 60_000

/** Works off what triggers have noted: who is to come into a sequence, and who leaves one. */
export async function takeWork(context: Context): Promise<void> {
  let taken = AT_ONCE
  while (taken === AT_ONCE && !context.stopping.aborted) {
    taken = await inTransaction(context.db, async (tx) => {
      const notes = await takeNotes(tx, AT_ONCE)
      const users = [...new Set(notes.map(({ user_id: userId }) => userId))].toSorted((a, b) => a - b)
      for (const userId of users) {
        const mine = notes.filter((note) => note.user_id === userId)
        // Sequences are locked before members, as by everybody else.
        await letIn(context, tx, userId, mine)
        await letOut(context, tx, userId, mine)
        await context.live.publish(tx, userId, { topic: 'outreach' })
      }
      return notes.length
    })
  }
}

async function letIn(context: Context, tx: Tx, userId: number, notes: readonly WorkRow[]): Promise<void> {
  const groups = Map.groupBy(
    notes.filter(({ kind }) => kind === 'start'),
    (note) => `${note.sequence_id} ${note.what} ${note.depth}`,
  )
  const sorted = [...groups.values()].toSorted(
    ([one], [other]) => (one?.sequence_id ?? 0) - (other?.sequence_id ?? 0),
  )
  for (const group of sorted) {
    const [first] = group
    if (first?.sequence_id == null) continue
    const sequence = await lockSequence(tx, userId, first.sequence_id, 'keep')
    if (sequence === undefined || (sequence.state !== 'running' && sequence.state !== 'paused')) continue
    const keys = group.flatMap(({ address_key: key }) => key ?? [])
    const contacts = [
      ...group.flatMap(({ contact_id: id }) => id ?? []),
      ...(keys.length === 0 ? [] : await contactsAt(tx, userId, keys)),
    ]
    const startedBy = first.what as Entry['startedBy']
    const entry = await entryInto(context, sequence, { startedBy, depth: first.depth })
    await addMembers(tx, userId, contacts, entry)
  }
}

/** How contacts come into a sequence now. */
export async function entryInto(
  context: Context,
  sequence: SequenceRow,
  { startedBy, depth }: Pick<Entry, 'startedBy' | 'depth'>,
): Promise<Entry> {
  const now = context.clock.now()
  const { steps, again_after_days: again } = sequence
  const isDraft = sequence.state === 'draft'
  const step = isDraft ? null : (steps[0]?.id ?? null)
  const user = await findUser(context.db, sequence.user_id)
  const hours = { rules: [hoursOf(sequence)], zone: user?.time_zone ?? FALLBACK_ZONE }
  return {
    sequenceId: sequence.id,
    version: sequence.version,
    startedBy,
    depth,
    now,
    step,
    dueAt: step === null ? null : whenDue(steps, step, now, hours),
    isOpen: sequence.state === 'running',
    againBefore: again === null ? null : new Date(now.getTime() - again * DAY_MS),
    stopped: depth > CHAIN_MAX ? 'chain' : null,
  }
}

async function letOut(context: Context, tx: Tx, userId: number, notes: readonly WorkRow[]): Promise<void> {
  const stops = notes.filter(({ kind }) => kind === 'stop')
  if (stops.length === 0) return
  await noteOutcomes(tx, userId, stops)
  const stopped = await stopMembers(tx, userId, stops, context.clock.now())
  // What is written and has not left would come after the reply.
  await withdrawEmails(tx, userId, await unsentMailsOf(tx, userId, stopped))
}
