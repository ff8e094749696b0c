import { UPCOMING_MAX, type UpcomingMail } from '#contract/outreach/automatic-mail.ts'
import type { Context } from '../../platform/context.ts'
import { waitsWithoutEnd } from './standing.ts'
import { queuedMails, type Source } from './store.ts'

/** Of whom plans are asked: of one contact, or, without one, of all; the `most` next ones. */
type Asked = { userId: number; contactId: number | null; most: number }

/**
 * What is planned. `due`: when it happens if nothing is in the way; null: nobody knows. `waits`: what it waits for without a known
 * end ({@link waitsWithoutEnd}); the pause of all mail is seen to for all.
 */
type Planned = Omit<UpcomingMail, 'at'> & { due: Date | null }

/** A source of automatic mail: says what it plans, the next first. */
export type PlanSource = (context: Context, asked: Asked) => Promise<Planned[]>

/** What mails and steps of a paused sequence wait for. */
export const SEQUENCE_PAUSED = 'Waits until you resume the sequence'

const READY: Record<Exclude<Source, 'run'>, string> = {
  follow_up: 'A follow-up is written and ready to go.',
  sequence: 'An email of a sequence is written and ready to go.',
}

/** What these sources plan, the next first. What waits comes last: its time is put off again and again. */
export async function planNext(
  context: Context,
  asked: Asked,
  sources: readonly PlanSource[],
): Promise<UpcomingMail[]> {
  const [pause, ...all] = await Promise.all([
    waitsWithoutEnd(context, asked.userId, undefined),
    ...sources.map((source) => source(context, asked)),
  ])
  const now = context.clock.now()
  const timeOf = ({ due, waits }: Planned) => (waits === null ? (due?.getTime() ?? Infinity) : Infinity)
  return all
    .flat()
    .map((row) => ({ ...row, waits: pause ?? row.waits }))
    .toSorted((one, other) => timeOf(one) - timeOf(other))
    .map(({ due, ...row }) => ({
      ...row,
      at: row.waits === null && due !== null && due > now ? due.toISOString() : null,
    }))
}

/** What Howl does by itself next: what is in the queue, and what each source plans. */
export async function listUpcoming(
  context: Context,
  userId: number,
  sources: readonly PlanSource[],
): Promise<UpcomingMail[]> {
  const asked = { userId, contactId: null, most: UPCOMING_MAX }
  return (await planNext(context, asked, [inTheQueue, ...sources])).slice(0, UPCOMING_MAX)
}

/** What is written and waits for its turn at the mail server. Runs tell of theirs themselves. */
const inTheQueue: PlanSource = async (context, { userId, most }) => {
  const rows = await queuedMails(context.db, userId, most)
  const waits = new Map<number, string | null>()
  for (const id of new Set(rows.map(({ mailboxId }) => mailboxId)))
    waits.set(id, await waitsWithoutEnd(context, userId, id))
  return rows.map(({ emailId, mailboxId, isHeld, ...row }) => ({
    ...row,
    id: `email ${emailId}`,
    of: null,
    sentence: READY[row.source],
    waits: isHeld ? SEQUENCE_PAUSED : (waits.get(mailboxId) ?? null),
  }))
}
