import type { Context } from '../../context.ts'
import { claimedBy, releaseClaims } from './claims-store.ts'
import { putAway } from './settlements-store.ts'

/** A statement whose answer was lost has come to its end in the database after this long. */
const WATCH_MS = 30_000

type Suspect = { userId: number; mailboxId: number; until: number; before: Set<number> }

const suspects = new WeakMap<Context, Map<string, Suspect>>()

/** Something went wrong while this process had mails of a mailbox in hand: the table may know of claims that nobody has. */
export function suspectLeakedClaims(context: Context, userId: number, mailboxId: number): void {
  const known = suspects.get(context) ?? new Map<string, Suspect>()
  suspects.set(context, known)
  known.set(`${userId}/${mailboxId}`, {
    userId,
    mailboxId,
    until: Date.now() + WATCH_MS,
    before: new Set(),
  })
}

/**
 * Gives back claims of this process that none of its drains knows, and puts away what a drain that broke down has left.
 * What is seen twice in a row is a stray; what is seen once may just be arriving.
 */
export async function releaseLeakedClaims(
  context: Context,
  drains: ReadonlyMap<string, { inHand: ReadonlySet<number> }>,
): Promise<void> {
  for (const [key, suspect] of suspects.get(context) ?? []) {
    const { userId, mailboxId, until, before } = suspect
    const inHand = drains.get(key)?.inHand
    const claims = await claimedBy(context.db, { workerId: context.workerId, userId, mailboxId })
    const unknown = claims.filter((claim) => inHand?.has(claim.emailId) !== true)
    await releaseClaims(
      context.db,
      context.workerId,
      unknown.filter((claim) => before.has(claim.emailId)),
    )
    await putAway(context.db, userId, mailboxId)
    suspect.before = new Set(unknown.map((claim) => claim.emailId))
    if (Date.now() > until) suspects.get(context)?.delete(key)
  }
}
