import type { Context } from '../../../platform/context.ts'
import { type Claim, releaseClaims, stillClaimed } from './claims-store.ts'
import type { ClaimSource } from './connection-worker.ts'
import { claimWithinRate, isAutomatic, type MailboxRun, whichMayLeave } from './judge-claims.ts'
import { suspectLeakedClaims } from './reclaim-leaked-claims.ts'

/** Emails claimed at a time: as many as leave in a second or two, so that a pause or a cancellation takes effect at once. */
const CLAIM_MIN = 20
const CLAIM_MAX = 500
/** More are claimed when less than this share of them is left. */
const REFILL_BELOW = 0.3
/** The buffer was used up in less than this: the next refill is larger. */
const FAST_REFILL_MS = 1000
/** The buffer lasted longer than this: the next refill is smaller. */
const SLOW_REFILL_MS = 3000
/** A claim that has waited longer than this is judged again: meanwhile its recipient may have answered. */
const JUDGED_FOR_MS = 5000

/** The claims of a mailbox run. */
export type ClaimBuffer = ClaimSource & {
  /** Releases the claims that nobody has begun to send. */
  releaseRest(): Promise<void>
  /** Resolves when the server has let the first connection in. */
  firstOpened: Promise<void>
}

/**
 * Claims due emails in chunks that grow while they go out fast, and hands them to the connection workers one by one. Once
 * `stop.isStopped` is true, or the process stops, it hands out nothing.
 */
export function openClaimBuffer(
  context: Context,
  run: MailboxRun,
  stop: { isStopped: boolean },
): ClaimBuffer {
  let buffer: Claim[] = []
  let refilling: Promise<void> | null = null
  // The last refill claimed nothing. A worker with nothing left looks once more before it ends.
  let isDry = false
  let size = CLAIM_MIN
  let refilledAt: number | null = null
  const judgedAt = new WeakMap<Claim, number>()
  const nowMs = () => context.clock.now().getTime()

  const isStale = (claim: Claim) => isAutomatic(claim) && nowMs() - (judgedAt.get(claim) ?? 0) > JUDGED_FOR_MS
  const judge = async (claims: readonly Claim[]) => {
    const leaving = new Set(await whichMayLeave(context, run, claims))
    for (const claim of claims)
      if (leaving.has(claim)) judgedAt.set(claim, nowMs())
      else run.inHand.delete(claim.emailId)
    return leaving
  }
  /** Drops those of these claims from the buffer that are lost. */
  const dropLost = async (claims: readonly Claim[]) => {
    const ours = await stillClaimed(context.db, context.workerId, claims)
    const lost = new Set(claims.filter(({ emailId }) => !ours.has(emailId)))
    for (const { emailId } of lost) run.inHand.delete(emailId)
    buffer = buffer.filter((claim) => !lost.has(claim))
  }
  const judgeAgain = async () => {
    await dropLost(buffer.filter(isStale))
    const stale = buffer.filter(isStale)
    const leaving = await judge(stale)
    buffer = buffer.filter((claim) => !stale.includes(claim) || leaving.has(claim))
  }
  const refill = async () => {
    if (buffer.some(isStale)) return judgeAgain()
    const lasted = refilledAt === null ? FAST_REFILL_MS : Date.now() - refilledAt
    if (lasted < FAST_REFILL_MS) size = Math.min(size * 3, CLAIM_MAX)
    else if (lasted > SLOW_REFILL_MS) size = Math.max(Math.floor(size / 2), CLAIM_MIN)
    refilledAt = Date.now()
    let claims: readonly Claim[] = []
    try {
      claims = await claimWithinRate(context, run, size)
      for (const { emailId } of claims) run.inHand.add(emailId)
      context.delivery.load.add(claims.length)
      const leaving = await judge(claims)
      // Only now: `dropLost` may have replaced the buffer during the wait.
      buffer.push(...leaving)
      isDry = claims.length === 0
    } catch (error) {
      for (const { emailId } of claims) run.inHand.delete(emailId)
      suspectLeakedClaims(context, run.userId, run.mailboxId)
      throw error
    }
  }
  const isStopped = () => stop.isStopped || context.stopping.aborted
  const startRefill = () => {
    refilling ??= refill().finally(() => {
      refilling = null
    })
    return refilling
  }
  const nextBuffered = () => {
    const [first] = buffer
    if (isStopped() || (first !== undefined && isStale(first))) return undefined
    const found = buffer.shift()
    // Early enough that no connection has to wait. A worker that does wait for the refill hears of its failure.
    if (found !== undefined && !isDry && buffer.length < size * REFILL_BELOW) startRefill().catch(() => {})
    return found
  }
  const putBack = (claim: Claim) => void buffer.unshift(claim)
  return {
    next: async (mayWait) => {
      for (let hasLooked = false; ;) {
        const found = nextBuffered()
        if (found !== undefined || isStopped()) return found
        if (!mayWait && refilling !== null) return undefined
        if (hasLooked && isDry) return undefined
        hasLooked = refilling === null
        await startRefill()
      }
    },
    nextBuffered,
    putBack,
    isStopped,
    claimLost: async (claim) => {
      run.inHand.delete(claim.emailId)
      // What is claimed while this is asked is not among those that are asked about.
      await dropLost([...buffer])
    },
    ...countConnections(context, run.mailboxId, putBack),
    releaseRest: async () => {
      await refilling?.catch(() => {})
      await releaseClaims(context.db, context.workerId, buffer)
    },
  }
}

/** Counts a run's connections, and remembers how many the server allows when it allows fewer than we would like. */
function countConnections(
  { delivery }: Context,
  mailboxId: number,
  putBack: (claim: Claim) => void,
): Pick<ClaimBuffer, 'connectionOpened' | 'connectionRefused' | 'dropConnection' | 'firstOpened'> {
  let connections = 0
  const firstOpened = Promise.withResolvers<void>()
  return {
    connectionOpened: () => {
      connections += 1
      firstOpened.resolve()
    },
    connectionRefused: (claim) => {
      if (connections === 0) return false
      delivery.connectionLimits.lower(mailboxId, connections)
      putBack(claim)
      return true
    },
    dropConnection: () => {
      if (connections < 2) return false
      connections -= 1
      delivery.connectionLimits.lower(mailboxId, connections)
      return true
    },
    firstOpened: firstOpened.promise,
  }
}
