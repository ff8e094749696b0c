import { CHAIN_MAX } from '#contract/outreach/sequences.ts'
import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { withdrawEmails } from '../../mail/emails/emails.ts'
import { takeMailBack } from './act-on-members.ts'
import { lockPutInByTag, takeBackMembers } from './enrolments-store.ts'
import { commonHours, whenDue } from './pace.ts'
import { addMembers, bringBackDeleted, type Entry, unsentMailsOf } from './members-store.ts'
import { lockSequence, type SequenceRow } from './store.ts'
import {
  contactsAt,
  noteOutcomes,
  type NoteRange,
  postponeNote,
  stillTagged,
  stopMembers,
  takeNotes,
  usersWithNotes,
  type WorkRow,
} from './work-store.ts'

/** Notes that are worked off in one transaction: each looks once through who is or was in the sequence. */
const AT_ONCE = 20_000
/** A note that could not be worked off is looked at again after this. */
const LOOK_AGAIN_MS = 10 * 60_000
const DAY_MS = 24 * 60 * 60_000

/** Works off what triggers have noted: who is to come into a sequence, who leaves one, and who comes back. */
export async function takeWork(context: Context): Promise<void> {
  let isMore = true
  while (isMore) {
    isMore = false
    // In turns: a user who tags a hundred thousand contacts keeps nobody waiting.
    for (const userId of await usersWithNotes(context.db)) {
      if (context.stopping.aborted) return
      if ((await workOff(context, userId, { limit: AT_ONCE })) === AT_ONCE) isMore = true
    }
  }
}

/** Works off a user's notes in one transaction; returns how many. What fails is done again in halves. */
async function workOff(context: Context, userId: number, range: NoteRange): Promise<number> {
  let notes: WorkRow[] = []
  try {
    await inTransaction(context.db, async (tx) => {
      notes = await takeNotes(tx, userId, context.clock.now(), range)
      if (notes.length > 0) await act(context, tx, userId, notes)
    })
    return notes.length
  } catch (error) {
    // The database itself failed, or the process ends.
    if (notes.length === 0 || context.stopping.aborted) throw error
    context.log.error(
      { err: error, userId, notes: notes.length },
      'notes of sequences could not be worked off',
    )
    await takeApart(context, userId, notes)
    return notes.length
  }
}

/** Works off the halves of notes of which one cannot be worked off, down to that one, which waits: the others must not. */
async function takeApart(context: Context, userId: number, notes: readonly WorkRow[]): Promise<void> {
  const [only] = notes
  if (only === undefined) return
  if (notes.length === 1) {
    const until = new Date(context.clock.now().getTime() + LOOK_AGAIN_MS)
    await inTransaction(context.db, (tx) => postponeNote(tx, userId, only.id, until))
    return
  }
  const middle = notes.length >> 1
  for (const half of [notes.slice(0, middle), notes.slice(middle)]) {
    const range = { limit: half.length, from: half[0]?.id ?? 0, to: half.at(-1)?.id ?? 0 }
    await workOff(context, userId, range)
  }
}

async function act(context: Context, tx: Tx, userId: number, notes: readonly WorkRow[]): Promise<void> {
  // Sequences are locked before members, as by everybody else.
  await letIn(context, tx, userId, notes)
  await takeBack(context, tx, userId, notes)
  await letOut(context, tx, userId, notes)
  await letBack(tx, userId, notes)
  await context.live.publish(tx, userId, { topic: 'outreach' })
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
    // A tag that was taken off again at once was a slip.
    const still = startedBy === 'tag' ? await stillTagged(tx, userId, sequence.id, contacts) : contacts
    await addMembers(tx, userId, still, entry)
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
  const hours = { rules: commonHours(sequence), zone: user?.time_zone ?? FALLBACK_ZONE }
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
  const now = context.clock.now()
  // What is written and has not left would come after the reply. Who comes back is to get it then.
  await takeMailBack(tx, userId, await stopMembers(tx, userId, stops, now), now)
}

/** Takes those out again whom a tagging has put in that is undone now, with their mail that has not left. */
async function takeBack(context: Context, tx: Tx, userId: number, notes: readonly WorkRow[]): Promise<void> {
  const groups = Map.groupBy(
    notes.filter(({ kind }) => kind === 'take_back'),
    (note) => note.sequence_id ?? 0,
  )
  for (const [id, group] of [...groups].toSorted(([one], [other]) => one - other)) {
    // A round of the engine may be writing to some of them: what it has written is seen here.
    if ((await lockSequence(tx, userId, id, 'change')) === undefined) continue
    const members = await lockPutInByTag(tx, userId, id, group)
    await withdrawEmails(tx, userId, await unsentMailsOf(tx, userId, members))
    await takeBackMembers(tx, userId, members, context.clock.now())
  }
}

async function letBack(tx: Tx, userId: number, notes: readonly WorkRow[]): Promise<void> {
  const ids = notes.flatMap(({ kind, contact_id: id }) => (kind === 'bring_back' && id !== null ? [id] : []))
  if (ids.length > 0) await bringBackDeleted(tx, userId, ids)
}
