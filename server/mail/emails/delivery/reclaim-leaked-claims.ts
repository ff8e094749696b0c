import type { Context } from '../../../platform/context.ts'
import { claimedBy, releaseClaims } from './claims-store.ts'
import { finalizeSent } from './settlements-store.ts'

/** The name of the loop that tidies up after what went wrong. */
export const TIDYING = 'tidy deliveries'
/** After this long the database has finished any statement whose answer was lost. */
const SUSPECT_MS = 30_000

/**
 * Something went wrong while this process was claiming or sending emails of a mailbox: the database may hold claims that
 * nobody in this process knows of.
 */
export function suspectLeakedClaims(context: Context, userId: number, mailboxId: number): void {
  context.delivery.leakSuspects.set(`${userId}/${mailboxId}`, {
    userId,
    mailboxId,
    until: Date.now() + SUSPECT_MS,
    unknownBefore: new Set(),
  })
  context.memory.loops.wake.get(TIDYING)?.()
}

/**
 * Releases claims of this process that none of its mailbox runs knows of, and finalizes what a failed run has sent. A
 * claim counts as leaked when it is unknown twice in a row: the first time its run may just be receiving it.
 */
export async function releaseLeakedClaims(
  context: Context,
  runs: ReadonlyMap<string, { inHand: ReadonlySet<number> }>,
): Promise<void> {
  const { leakSuspects } = context.delivery
  for (const [key, suspect] of leakSuspects) {
    const { userId, mailboxId, until, unknownBefore } = suspect
    const inHand = runs.get(key)?.inHand
    const claims = await claimedBy(context.db, { workerId: context.workerId, userId, mailboxId })
    const unknown = claims.filter((claim) => inHand?.has(claim.emailId) !== true)
    await releaseClaims(
      context.db,
      context.workerId,
      unknown.filter((claim) => unknownBefore.has(claim.emailId)),
    )
    await finalizeSent(context.db, userId, mailboxId)
    suspect.unknownBefore = new Set(unknown.map((claim) => claim.emailId))
    if (Date.now() > until) leakSuspects.delete(key)
  }
}
