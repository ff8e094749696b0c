import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { Settlement } from '../../../platform/jobs/delivery.ts'
import { addressKey } from '../../../formats/mail-text/addresses.ts'
import { returnTokens, takeTokens } from '../../mailboxes/mailboxes.ts'
import { adoptKeptSuppressions } from '../suppressions/kept-suppressions.ts'
import { stopsMail } from '../suppressions/stops-mail.ts'
import { suppressedAmong } from '../suppressions/suppressions-store.ts'
import { type Claim, claimDue, releaseClaims, stillClaimed, takenBackAmong } from './claims-store.ts'
import { suppressedSettlement, takenBackSettlement } from './classify-outcome.ts'
import type { ClaimSource } from './connection-worker.ts'
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

/** What one mailbox is sending right now in this process. */
export type MailboxRun = {
  userId: number
  mailboxId: number
  /** Ids of emails that are claimed or being sent. */
  inHand: Set<number>
  /** When it is worth looking again; null: as soon as something is due. */
  nextAt: Date | null
}

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

  const noteJudged = (claims: readonly Claim[]) => {
    for (const claim of claims) judgedAt.set(claim, nowMs())
  }
  const isStale = (claim: Claim) =>
    isAutomatic(claim) && nowMs() - (judgedAt.get(claim) ?? 0) > JUDGED_FOR_MS
  const judgeAgain = async (stale: readonly Claim[]) => {
    const left = new Set(await onlySendable(context, run, stale))
    noteJudged([...left])
    const gone = stale.filter((claim) => !left.has(claim))
    for (const { emailId } of gone) run.inHand.delete(emailId)
    buffer = buffer.filter((claim) => !gone.includes(claim))
  }
  const refill = async () => {
    const stale = buffer.filter(isStale)
    if (stale.length > 0) return judgeAgain(stale)
    const lasted = refilledAt === null ? FAST_REFILL_MS : Date.now() - refilledAt
    if (lasted < FAST_REFILL_MS) size = Math.min(size * 3, CLAIM_MAX)
    else if (lasted > SLOW_REFILL_MS) size = Math.max(Math.floor(size / 2), CLAIM_MIN)
    refilledAt = Date.now()
    const { claims, claimed } = await claimSendable(context, run, size).catch((error: unknown) => {
      suspectLeakedClaims(context, run.userId, run.mailboxId)
      throw error
    })
    noteJudged(claims)
    for (const { emailId } of claims) run.inHand.add(emailId)
    context.delivery.load.add(claims.length)
    buffer.push(...claims)
    isDry = claimed === 0
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
    isStale,
    putBack,
    isStopped,
    claimLost: async (claim) => {
      run.inHand.delete(claim.emailId)
      const ours = await stillClaimed(context.db, context.workerId, buffer)
      for (const { emailId } of buffer) if (!ours.has(emailId)) run.inHand.delete(emailId)
      buffer = buffer.filter((each) => ours.has(each.emailId))
    },
    ...countConnections(context, run.mailboxId, putBack),
    releaseRest: () => releaseClaims(context.db, context.workerId, buffer),
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

/** Mails of runs, follow-ups and sequences are in groups; what the user writes is in none. */
const isAutomatic = ({ groupId }: Claim): boolean => groupId !== null

/** Claims due emails that may leave; `claimed` counts the others too. */
async function claimSendable(
  context: Context,
  run: MailboxRun,
  limit: number,
): Promise<{ claims: readonly Claim[]; claimed: number }> {
  const claimed = await claimWithinRate(context, run, limit)
  return { claims: await onlySendable(context, run, claimed), claimed: claimed.length }
}

/**
 * Those of these claims that may leave. The others fail, as their recipient has been suppressed since they were queued or they
 * were taken back; or the domain that queued them takes them back.
 */
async function onlySendable(
  context: Context,
  run: MailboxRun,
  claims: readonly Claim[],
): Promise<readonly Claim[]> {
  const allowed = await failRefused(context, run, claims)
  // What a person sends again was judged when they said so.
  const ids = allowed.filter((each) => isAutomatic(each) && each.resends === 0).map(({ emailId }) => emailId)
  if (ids.length === 0) return allowed
  const { userId, mailboxId } = run
  const gone = await context.delivery.groupMail.judge({ userId, mailboxId }, ids)
  if (gone.size === 0) return allowed
  await returnTokens(context.db, userId, mailboxId, gone.size)
  return allowed.filter(({ emailId }) => !gone.has(emailId))
}

async function failRefused(
  context: Context,
  run: MailboxRun,
  claims: readonly Claim[],
): Promise<readonly Claim[]> {
  const keys = claims.flatMap((each) => each.recipients.map(addressKey))
  await adoptKeptSuppressions(context, context.db, run.userId, keys)
  const suppressed = await suppressedAmong(context.db, run.userId, keys)
  const takenBack = await takenBackAmong(context.db, run.userId, claims)
  if (suppressed.size === 0 && takenBack.size === 0) return claims
  const now = context.clock.now()
  const refused = new Map<Claim, Settlement>()
  for (const claim of claims) {
    const why = claim.recipients
      .map((address) => suppressed.get(addressKey(address)))
      .find((reason) => reason !== undefined && stopsMail(reason, claim.purpose, isAutomatic(claim)))
    if (why !== undefined) refused.set(claim, suppressedSettlement(claim, why, now))
    else if (takenBack.has(claim.emailId)) refused.set(claim, takenBackSettlement(claim, now))
  }
  await Promise.all([...refused.values()].map((each) => context.delivery.settlementWriter.settle(each)))
  return claims.filter((each) => !refused.has(each))
}

/** Claims due emails, but no more than the account's hourly limit allows. */
async function claimWithinRate(context: Context, run: MailboxRun, limit: number): Promise<Claim[]> {
  const { userId, mailboxId } = run
  const now = context.clock.now()
  return inTransaction(context.db, async (tx) => {
    const claims = await claimDue(tx, { workerId: context.workerId, userId, mailboxId, now, limit })
    if (claims.length === 0) return claims
    const { granted, nextAt } = await takeTokens(tx, userId, mailboxId, claims.length, now)
    if (granted < claims.length) {
      run.nextAt = nextAt
      await releaseClaims(tx, context.workerId, claims.slice(granted))
    }
    return claims.slice(0, granted)
  })
}
