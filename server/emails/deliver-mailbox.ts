import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import {
  dialGuardOf,
  hasImap,
  mailbox as findMailbox,
  type Mailbox,
  noteSendOk,
  pauseSending,
  senderOf,
  smtpAccountOf,
  takeTokens,
} from '../mailboxes/mailboxes.ts'
import { Refusal } from '../http/errors.ts'
import { addressKey } from '../mail/addresses.ts'
import { noteToSend } from './bulk-sending.ts'
import { suppress, suppressedAmong } from './correspondent-store.ts'
import { type Route, runLane, type Source } from './delivery-lane.ts'
import { ledgerOf } from './delivery-ledger.ts'
import { offTheList, type Outcome, sameWords } from './delivery-outcome.ts'
import { type Claim, claimDue, releaseClaims, stillClaimed } from './delivery-claims-store.ts'
import { suspectStrays } from './delivery-strays.ts'
import { putAway } from './delivery-settlements-store.ts'
import { lanesOf, noteLanes } from './lanes-of-account.ts'
import { composer } from './outgoing-mail.ts'

/** Mails claimed at a time: as many as leave in a second or two, so that a pause or a cancel is felt at once. */
const CLAIM_MIN = 20
const CLAIM_MAX = 500
/** New ones are claimed when this part of them is left. */
const REFILL_BELOW = 0.3
const REFILL_SOON_MS = 1000
const REFILL_LATE_MS = 3000
/** The same "no" this often in a row is about the account, not about the mails. */
const SAME_REFUSALS = 20
const SAME_DEFERRALS = 5
const ACCOUNT_REFUSED_PAUSE_MS = 30 * 60_000
const ACCOUNT_LATER_PAUSE_MS = 10 * 60_000
/** Mail of an account that is disconnected waits for it; whether it is back is looked up this often. */
const DISCONNECTED_LOOK_MS = 15_000
/** Screens hear of progress this often. */
const TELL_EVERY_MS = 400

export type DrainOptions = { lanes?: number }

/** What one mailbox is sending right now in this process. */
export type Drain = {
  userId: number
  mailboxId: number
  /** Mails in hand: claimed or under way. */
  inHand: Set<number>
  /** When it is worth looking again; null: as soon as something is due. */
  nextAt: Date | null
}

/** How a mailbox sends: account, guard, composer. */
export function routeOf(context: Context, mailbox: Mailbox, senderName: string): Route {
  return {
    account: smtpAccountOf(context, mailbox),
    guard: dialGuardOf(context, mailbox),
    compose: composer(context, senderOf(mailbox, { name: senderName })),
    filesNothing: !hasImap(mailbox),
  }
}

/**
 * Sends everything that is due in a mailbox, over a few connections at once, until nothing is left, the account's limit
 * is reached, the account as a whole fails, or the process stops. Any number of workers may do it at the same time.
 */
export async function deliverMailbox(
  context: Context,
  drain: Drain,
  senderName: string,
  options: DrainOptions = {},
): Promise<void> {
  const { userId, mailboxId } = drain
  const mailbox = await findMailbox(context.db, userId, mailboxId)
  const now = context.clock.now()
  if (mailbox === undefined || mailbox.disconnected_at !== null) {
    drain.nextAt = new Date(now.getTime() + DISCONNECTED_LOOK_MS)
    return
  }
  if (mailbox.send_pause_until !== null && mailbox.send_pause_until > now) {
    drain.nextAt = mailbox.send_pause_until
    return
  }
  const state = { stopped: false }
  const supply = openSupply(context, drain, state)
  const watch = watchAccount((pauseMs, words) => {
    state.stopped = true
    drain.nextAt = new Date(context.clock.now().getTime() + pauseMs)
    return pauseSending(context.db, userId, mailboxId, drain.nextAt, words)
  })
  const tell = teller(context, userId, mailboxId)
  const notes: Promise<unknown>[] = []
  let settled = 0
  const report = (outcome: Outcome) => {
    settled += 1
    drain.inHand.delete(outcome.settlement.emailId)
    const pausing = outcome.crowded === true ? undefined : watch(outcome)
    if (pausing !== undefined) notes.push(pausing)
    if (outcome.deadAddresses.length > 0) notes.push(noteDeadAddresses(context, outcome))
    tell()
  }
  const route = await routeOrPause(context, mailbox, senderName)
  if (route === null) return
  const lane = () => runLane(context, route, supply, report)
  // One connection goes ahead: a wrong password is tried once, not ten times, and a server that lets nobody in is
  // told from one that allows fewer connections than we would like.
  const first = lane()
  await Promise.race([supply.firstOpened, first.catch(() => {})])
  const lanes = [first, ...Array.from({ length: (options.lanes ?? lanesOf(context, mailboxId)) - 1 }, lane)]
  try {
    const ended = await Promise.allSettled(lanes)
    for (const lane of ended)
      if (lane.status === 'rejected')
        context.log.error({ err: lane.reason }, 'a sending connection ended badly')
    await Promise.allSettled(notes)
    if (!state.stopped && settled > 0 && mailbox.last_error !== null)
      await noteSendOk(context.db, userId, mailboxId)
  } finally {
    await supply.giveBack()
    drain.inHand.clear()
    await tell.last()
  }
}

/** The claims of a drain: taken in chunks that grow while they go fast, handed to the lanes one by one. */
function openSupply(
  context: Context,
  drain: Drain,
  state: { stopped: boolean },
): Source & { giveBack: () => Promise<void>; firstOpened: Promise<void> } {
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
      suspectStrays(context, drain.userId, drain.mailboxId)
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
      noteLanes(context, drain.mailboxId, connections)
      buffer.unshift(claim)
      return true
    },
    narrow: () => {
      if (connections < 2) return false
      connections -= 1
      noteLanes(context, drain.mailboxId, connections)
      return true
    },
    firstOpened: firstOpened.promise,
    giveBack: () => releaseClaims(context.db, context.workerId, buffer),
  }
}

/** How the mailbox sends; where its settings do not allow it any more, it is paused and its owner reads why. */
async function routeOrPause(context: Context, mailbox: Mailbox, senderName: string): Promise<Route | null> {
  try {
    return routeOf(context, mailbox, senderName)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const until = new Date(context.clock.now().getTime() + ACCOUNT_REFUSED_PAUSE_MS)
    await pauseSending(context.db, mailbox.user_id, mailbox.id, until, error.message)
    return null
  }
}

/** Claims due mails that may leave: an address that got off the list meanwhile is refused here, at the door. */
async function claim(context: Context, drain: Drain, limit: number): Promise<Claim[]> {
  const claims = await claimWithinLimit(context, drain, limit)
  const off = await suppressedAmong(
    context.db,
    drain.userId,
    claims.flatMap((each) => each.recipients.map(addressKey)),
  )
  if (off.size === 0) return claims
  const refused = claims.filter((each) => each.recipients.some((address) => off.has(addressKey(address))))
  await Promise.all(refused.map((each) => ledgerOf(context).settle(offTheList(each, context.clock.now()))))
  return claims.filter((each) => !refused.includes(each))
}

/** Claims due mails, no more than the account's hourly limit leaves. */
async function claimWithinLimit(context: Context, drain: Drain, limit: number): Promise<Claim[]> {
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

/** Sees when outcomes tell of the account rather than of single mails. */
function watchAccount(
  pauseAccount: (pauseMs: number, words: string) => Promise<unknown>,
): (outcome: Outcome) => Promise<unknown> | undefined {
  let said = ''
  let times = 0
  return ({ settlement, pauseMs }) => {
    const words = settlement.reason ?? ''
    if (pauseMs !== undefined) return pauseAccount(pauseMs, words)
    if (settlement.state === 'sent') {
      times = 0
      return undefined
    }
    const now = `${settlement.state} ${sameWords(words)}`
    times = now === said ? times + 1 : 1
    said = now
    if (settlement.state === 'failed' && times >= SAME_REFUSALS)
      return pauseAccount(ACCOUNT_REFUSED_PAUSE_MS, words)
    if (settlement.state === 'deferred' && times >= SAME_DEFERRALS)
      return pauseAccount(ACCOUNT_LATER_PAUSE_MS, words)
    return undefined
  }
}

/** An address that the server knows not to exist gets no more mail. */
export async function noteDeadAddresses(
  context: Context,
  { deadAddresses, settlement }: Outcome,
): Promise<void> {
  for (const address of deadAddresses) {
    const entry = {
      address_key: address.toLowerCase(),
      reason: 'bounced' as const,
      detail: settlement.reason ?? '',
      email_id: settlement.emailId,
    }
    await suppress(context.db, settlement.userId, entry, context.clock.now())
  }
}

/**
 * Puts away what has left and tells screens of it, every now and then and one time after the other: a database that is
 * slow gets no more of it.
 */
function teller(
  context: Context,
  userId: number,
  mailboxId: number,
): (() => void) & { last: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let telling = Promise.resolve()
  let more = false
  const publish = async () => {
    await putAway(context.db, userId, mailboxId)
    for (const topic of ['outreach', 'emails', 'contacts'] as const)
      await context.live.publish(context.db, userId, { topic })
  }
  const quietly = async () => {
    more = false
    await publish().catch((error: unknown) => context.log.warn({ err: error }, 'progress could not be told'))
    timer = undefined
    if (more) tell()
  }
  const tell = () => {
    more = true
    timer ??= setTimeout(() => {
      telling = quietly()
    }, TELL_EVERY_MS)
  }
  return Object.assign(tell, {
    last: async () => {
      await telling
      clearTimeout(timer)
      await publish()
    },
  })
}
