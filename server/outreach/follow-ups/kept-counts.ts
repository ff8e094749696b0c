import type { Context } from '../../platform/context.ts'
import { countStandings, type StandingCount, type Terms } from './store.ts'

/** Counts of so many contacts and more are kept: counting fewer takes a few milliseconds. */
const KEPT_FROM = 5000
/** A hundred thousand contacts take half a second to count: kept so long, that is no load. */
const KEPT_MS = 30_000

export type Counts = { counts: StandingCount[]; at: Date }
type Kept = { terms: string; at: Date; answer: Promise<Counts> }

const keptBy = new WeakMap<Context['memory'], Map<number, Kept>>()

/**
 * How many contacts get a follow-up and how many do not, counted at `at`, which is at most half a minute ago. Whoever asks while
 * they are being counted gets the same answer.
 */
export async function keptCounts(context: Context, terms: Terms): Promise<Counts> {
  const { userId } = terms
  const kept = keptOf(context)
  const now = context.clock.now()
  const asked = JSON.stringify(terms)
  for (const [id, { at }] of kept) if (now.getTime() - at.getTime() >= KEPT_MS) kept.delete(id)
  const found = kept.get(userId)
  if (found?.terms === asked) return found.answer
  const answer = countStandings(context.db, terms).then((counts) => ({ counts, at: now }))
  const entry = { terms: asked, at: now, answer }
  kept.set(userId, entry)
  const forget = () => void (kept.get(userId) === entry && kept.delete(userId))
  try {
    const { counts } = await answer
    if (counts.reduce((sum, { contacts }) => sum + contacts, 0) < KEPT_FROM) forget()
  } catch (error) {
    forget()
    throw error
  }
  return answer
}

/** The user has decided something: what was counted before is not shown any more. */
export function forgetCounts(context: Context, userId: number): void {
  keptOf(context).delete(userId)
}

function keptOf({ memory }: Context): Map<number, Kept> {
  const kept = keptBy.get(memory) ?? new Map<number, Kept>()
  keptBy.set(memory, kept)
  return kept
}
