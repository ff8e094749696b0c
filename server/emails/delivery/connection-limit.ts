import type { Context } from '../../context.ts'

/** Connections to one account. Most providers allow 10 to 20; where one allows fewer, the rest of the lanes end quietly. */
const LANES = 10
/** An account that let in fewer is asked for more again after this. */
const REMEMBERED_MS = 60 * 60_000

const known = new WeakMap<Context, Map<number, { lanes: number; until: number }>>()

/** How many connections to open to a mailbox's server at once. */
export function connectionLimitOf(context: Context, mailboxId: number): number {
  const found = known.get(context)?.get(mailboxId)
  if (found === undefined) return LANES
  if (found.until > Date.now()) return found.lanes
  known.get(context)?.delete(mailboxId)
  return LANES
}

/** The mailbox's server let in no more than `lanes`: for an hour this process does not try more. */
export function noteConnectionLimit(context: Context, mailboxId: number, lanes: number): void {
  const noted = known.get(context) ?? new Map<number, { lanes: number; until: number }>()
  known.set(context, noted.set(mailboxId, { lanes: Math.max(lanes, 1), until: Date.now() + REMEMBERED_MS }))
}
