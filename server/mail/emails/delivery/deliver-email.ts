import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { mailbox as findMailbox, type Mailbox, pauseSending, takeTokens } from '../../mailboxes/mailboxes.ts'
import { conflict } from '../../../platform/errors.ts'
import { type Claim, claimOne, takenBackAmong } from './claims-store.ts'
import { type SendOutcome, TAKEN_BACK, takenBackSettlement } from './classify-outcome.ts'
import { routeOf, suppressDeadAddresses } from './deliver-mailbox.ts'
import { type Route, sendOne, settleFailure, startSendSession } from './send-one.ts'
import { deliveryState } from './groups-store.ts'
import { finalizeSent } from './settlements-store.ts'
import { suspectLeakedClaims } from './reclaim-leaked-claims.ts'
import type { DeliveryState } from '../tables.ts'

/** How long a person waits for the email. After that the answer is "on its way", and sending goes on in the background. */
const WAIT_MS = 25_000
const LOOK_EVERY_MS = 50

/** What became of an email by the time its sender stops waiting. */
export type Delivered = { state: DeliveryState; reason: string | null }

/**
 * Sends one queued email now, because a person is waiting for it. It goes through the same claim, mark and settlement as
 * any other email. If a worker was faster, this waits for the worker's result. If the far server does not answer in time,
 * the email stays `claimed` or `committed`: it is settled when the answer comes, and leaves only once.
 *
 * @throws Refusal 409 for a mail of a business that must not leave any more
 */
export async function deliverEmail(
  context: Context,
  mail: { userId: number; emailId: number; mailboxId: number; senderName: string },
): Promise<Delivered> {
  const { userId, emailId, mailboxId } = mail
  const until = context.clock.now().getTime() + WAIT_MS
  const work = deliverNow(context, mail).catch((error: unknown) => {
    suspectLeakedClaims(context, userId, mailboxId)
    throw error
  })
  const isDone = await isDoneBefore(context, until, work)
  if (!isDone) void publishWhenDone(context, userId, work)
  const delivered = await waitUntilSettled(context, { userId, emailId, until })
  if (delivered.state === 'failed' && delivered.reason === TAKEN_BACK)
    throw conflict('This email can no longer be sent: what it says is out of date.')
  return delivered
}

/** True if the work is done by `until`, in milliseconds since the epoch. */
async function isDoneBefore(context: Context, until: number, work: Promise<void>): Promise<boolean> {
  const done = new AbortController()
  const timeout = async () => {
    while (!done.signal.aborted && context.clock.now().getTime() < until)
      await pause(LOOK_EVERY_MS, undefined, { signal: done.signal }).catch(() => {})
    return false
  }
  try {
    return await Promise.race([work.then(() => true), timeout()])
  } finally {
    done.abort()
  }
}

/** Nobody waits any more. The claim still belongs to this process, so nobody else sends the email. */
async function publishWhenDone(context: Context, userId: number, work: Promise<void>): Promise<void> {
  try {
    await work
    await context.live.publish(context.db, userId, { topic: 'emails' })
  } catch (error) {
    context.log.warn({ err: error }, 'sending an email failed after its sender had stopped waiting')
  }
}

async function deliverNow(
  context: Context,
  { userId, emailId, mailboxId, senderName }: Parameters<typeof deliverEmail>[1],
): Promise<void> {
  const mailbox = await findMailbox(context.db, userId, mailboxId)
  const now = context.clock.now()
  if (mailbox === undefined || isPausedByLimit(mailbox, now)) return
  const { granted } = await inTransaction(context.db, (tx) => takeTokens(tx, userId, mailboxId, 1, now))
  if (granted !== 1) return
  const claim = await claimOne(context.db, { workerId: context.workerId, userId, mailboxId, emailId })
  if (claim === undefined) return
  if ((await takenBackAmong(context.db, userId, [claim])).size > 0) {
    await context.delivery.settlementWriter.settle(takenBackSettlement(claim, now))
    return
  }
  const outcome = await sendClaim(context, routeOf(context, mailbox, senderName), claim)
  await Promise.allSettled(outcome === undefined ? [] : followUps(context, mailboxId, outcome))
  await finalizeSent(context.db, userId, mailboxId)
}

/** True while the account waits although nothing is wrong with it. After an error a person may try again at once. */
function isPausedByLimit({ send_pause_until, last_error }: Mailbox, now: Date): boolean {
  return send_pause_until !== null && send_pause_until > now && last_error === null
}

/** Sends one claim over a connection of its own. Undefined if the claim was lost. */
async function sendClaim(context: Context, route: Route, claim: Claim): Promise<SendOutcome | undefined> {
  const session = startSendSession(context, route)
  try {
    const result = await sendOne(session, { claim, mail: undefined })
    if (result.status === 'claim lost') return undefined
    if (result.status === 'failed') await settleFailure(context, result)
    return result.outcome
  } finally {
    await session.close()
  }
}

/** What an outcome says about the recipients and about the account. */
function followUps(context: Context, mailboxId: number, outcome: SendOutcome): Promise<unknown>[] {
  const { pauseMs, settlement } = outcome
  const suppressing = suppressDeadAddresses(context, outcome)
  if (pauseMs === undefined) return [suppressing]
  const until = new Date(context.clock.now().getTime() + pauseMs)
  return [suppressing, pauseSending(context.db, settlement.userId, mailboxId, until, settlement.reason ?? '')]
}

async function waitUntilSettled(
  context: Context,
  { userId, emailId, until }: { userId: number; emailId: number; until: number },
): Promise<Delivered> {
  for (;;) {
    const found = await deliveryState(context.db, userId, emailId)
    if (found === undefined) return { state: 'failed', reason: 'This email no longer exists.' }
    const isMoving = found.state === 'claimed' || found.state === 'committed'
    if (!isMoving || context.clock.now().getTime() >= until) return found
    await pause(LOOK_EVERY_MS)
  }
}
