import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { addressKey } from '../../mail/addresses.ts'
import { takeTokens } from '../../mailboxes/mailboxes.ts'
import { noteToSend } from '../../jobs/send-load.ts'
import { type Claim, claimDue, releaseClaims, stillClaimed } from './claims-store.ts'
import type { ClaimSource } from './connection-worker.ts'
import { settlementWriterOf } from './settlement-writer.ts'
import { offTheList } from './classify-outcome.ts'
import { suspectLeakedClaims } from './reclaim-leaked-claims.ts'
import { noteConnectionLimit } from './connection-limit.ts'
import { suppressedAmong } from '../suppressions/suppressions-store.ts'

/** Mails claimed at a time: as many as leave in a second or two, so that a pause or a cancel is felt at once. */
const CLAIM_MIN = 20
const CLAIM_MAX = 500
/** New ones are claimed when this part of them is left. */
const REFILL_BELOW = 0.3
const REFILL_SOON_MS = 1000
const REFILL_LATE_MS = 3000

/** What one mailbox is sending right now in this process. */
export type MailboxRun = {
  userId: number
  mailboxId: number
  /** Mails in hand: claimed or under way. */
  inHand: Set<number>
  /** When it is worth looking again; null: as soon as something is due. */
  nextAt: Date | null
}

/** The claims of a drain: taken in chunks that grow while they go fast, handed to the lanes one by one. */
export function openClaimBuffer(
  context: Context,
  drain: MailboxRun,
  state: { stopped: boolean },
): ClaimSource & { giveBack: () => Promise<void>; firstOpened: Promise<void> } {
  let buffer: Claim[] = []
  let refilling: Promise<void> | null = null
  // The last look found nothing; a lane that has nothing left looks once more before it ends.
  let dry = false
  let size = CLAIM_MIN
  let refilledAt: number | null = null
  let connections = 0
  const firstOpened = Promise.withResolvers<void>()

  const refill = async () => {
    const took = refilledAt === null ? REFILL_SOON_MS : Date.now() - refilledAt
    if (took < REFILL_SOON_MS) size = Math.min(size * 3, CLAIM_MAX)
    else if (took > REFILL_LATE_MS) size = Math.max(Math.floor(size / 2), CLAIM_MIN)
    refilledAt = Date.now()
    const claims = await claim(context, drain, size).catch((error: unknown) => {
      suspectLeakedClaims(context, drain.userId, drain.mailboxId)
      throw error
    })
    for (const each of claims) drain.inHand.add(each.emailId)
    noteToSend(context, claims.length)
    buffer.push(...claims)
    dry = claims.length === 0
  }
  const over = () => state.stopped || context.stopping.aborted
  const startRefill = () => {
    refilling ??= refill().finally(() => {
      refilling = null
    })
    return refilling
  }
  const atHand = () => {
    if (over()) return undefined
    const found = buffer.shift()
    // In good time, so that no connection has to wait for it; who needs it hears what went wrong.
    if (found !== undefined && !dry && buffer.length < size * REFILL_BELOW) startRefill().catch(() => {})
    return found
  }
  return {
    next: async (mayWait) => {
      for (let looked = false; ;) {
        const found = atHand()
        if (found !== undefined || over()) return found
        if (!mayWait && refilling !== null) return undefined
        if (looked && dry) return undefined
        looked = refilling === null
        await startRefill()
      }
    },
    atHand,
    back: (claim) => void buffer.unshift(claim),
    over,
    lost: async (claim) => {
      drain.inHand.delete(claim.emailId)
      const ours = await stillClaimed(context.db, context.workerId, buffer)
      for (const each of buffer) if (!ours.has(each.emailId)) drain.inHand.delete(each.emailId)
      buffer = buffer.filter((each) => ours.has(each.emailId))
    },
    opened: () => {
      connections += 1
      firstOpened.resolve()
    },
    crowded: (claim) => {
      if (connections === 0) return false
      noteConnectionLimit(context, drain.mailboxId, connections)
      buffer.unshift(claim)
      return true
    },
    narrow: () => {
      if (connections < 2) return false
      connections -= 1
      noteConnectionLimit(context, drain.mailboxId, connections)
      return true
    },
    firstOpened: firstOpened.promise,
    giveBack: () => releaseClaims(context.db, context.workerId, buffer),
  }
}

/** Claims due mails that may leave: an address that got off the list meanwhile is refused here, at the door. */
async function claim(context: Context, drain: MailboxRun, limit: number): Promise<Claim[]> {
  const claims = await claimWithinLimit(context, drain, limit)
  const off = await suppressedAmong(
    context.db,
    drain.userId,
    claims.flatMap((each) => each.recipients.map(addressKey)),
  )
  if (off.size === 0) return claims
  const refused = claims.filter((each) => each.recipients.some((address) => off.has(addressKey(address))))
  await Promise.all(
    refused.map((each) => settlementWriterOf(context).settle(offTheList(each, context.clock.now()))),
  )
  return claims.filter((each) => !refused.includes(each))
}

/** Claims due mails, no more than the account's hourly limit leaves. */
async function claimWithinLimit(context: Context, drain: MailboxRun, limit: number): Promise<Claim[]> {
  const { userId, mailboxId } = drain
  const now = context.clock.now()
  return inTransaction(context.db, async (tx) => {
    const claims = await claimDue(tx, { workerId: context.workerId, userId, mailboxId, now, limit })
    if (claims.length === 0) return claims
    const { granted, nextAt } = await takeTokens(tx, userId, mailboxId, claims.length, now)
    if (granted < claims.length) {
      drain.nextAt = nextAt
      await releaseClaims(tx, context.workerId, claims.slice(granted))
    }
    return claims.slice(0, granted)
  })
}
