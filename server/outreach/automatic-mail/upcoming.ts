import type { automaticMail, UpcomingMail } from '#contract/outreach/automatic-mail.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { waitsWithoutEnd } from './standing.ts'
import { queuedMails, type Source } from './store.ts'

/** Of whom plans are asked: of one contact, or, without one, of all; the `most` next ones. */
export type Asked = { userId: number; timeZone: string; contactId: number | null; most: number }

/**
 * A mail that is planned. `due`: when it leaves if nothing is in the way; null: nobody knows. `waits`: what it waits for without
 * a known end ({@link waitsWithoutEnd}).
 */
export type Planned = Pick<UpcomingMail, 'id' | 'source' | 'of' | 'name' | 'email' | 'sentence' | 'waits'> & {
  contactId: number | null
  due: Date | null
}

/** What a source of automatic mail plans, the next first. */
export type Plans = (context: Context, asked: Asked) => Promise<Planned[]>

const READY: Record<Source, string> = {
  run: 'A personal first email is written and ready to go.',
  follow_up: 'A follow-up is written and ready to go.',
  sequence: 'An email of a sequence is written and ready to go.',
}

/** What all sources plan, the next first. What waits comes last: its time is put off again and again. */
export async function planned(context: Context, asked: Asked, sources: readonly Plans[]): Promise<Planned[]> {
  const all = await Promise.all(sources.map((plans) => plans(context, asked)))
  const timeOf = ({ due, waits }: Planned) => (waits === null ? (due?.getTime() ?? Infinity) : Infinity)
  return all
    .flat()
    .toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : timeOf(one) > timeOf(other) ? 1 : 0))
}

/** When a planned mail leaves, as it is told; null: as soon as it can, or nobody knows. */
export function toldTime({ clock }: Context, { due, waits }: Pick<Planned, 'due' | 'waits'>): string | null {
  return waits === null && due !== null && due > clock.now() ? due.toISOString() : null
}

/** What is about to leave by itself, the next first: what is in the queue, and what each source plans. */
export async function listUpcoming(
  context: Context,
  user: { id: number; timeZone: string },
  most: number,
  sources: readonly Plans[],
): Promise<ReplyOf<typeof automaticMail.upcoming>> {
  const asked = { userId: user.id, timeZone: user.timeZone, contactId: null, most: most + 1 }
  const all = await planned(context, asked, [inTheQueue, ...sources])
  const rows = all.slice(0, most).map(({ contactId, due, ...row }) => ({
    ...row,
    contact_id: contactId,
    at: toldTime(context, { due, waits: row.waits }),
  }))
  return { rows, more: all.length > most }
}

/** What is written and waits for its turn at the mail server. */
const inTheQueue: Plans = async (context, { userId, most }) => {
  const rows = await queuedMails(context.db, userId, most)
  const waits = new Map<number, string | null>()
  for (const id of new Set(rows.map(({ mailboxId }) => mailboxId)))
    waits.set(id, await waitsWithoutEnd(context, userId, id))
  return rows.map(({ mailboxId, ...row }) => ({
    ...row,
    of: null,
    sentence: READY[row.source],
    waits: waits.get(mailboxId) ?? null,
  }))
}
