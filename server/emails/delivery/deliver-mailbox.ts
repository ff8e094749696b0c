import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import {
  dialGuardOf,
  hasImap,
  mailbox as findMailbox,
  type Mailbox,
  noteSendOk,
  pauseSending,
  senderOf,
  smtpAccountOf,
} from '../../mailboxes/mailboxes.ts'
import { type Route, runConnectionWorker } from './connection-worker.ts'
import type { SendOutcome } from './classify-outcome.ts'
import { type MailboxRun, openClaimBuffer } from './claim-buffer.ts'
import { makeProgressPublisher } from './progress-publisher.ts'
import { ACCOUNT_REFUSED_PAUSE_MS, makeAccountBreaker } from './account-breaker.ts'
import { connectionLimitOf } from './connection-limit.ts'
import { mimeRenderer } from '../content/render-mime.ts'
import { suppress } from '../suppressions/suppressions-store.ts'

/** Mail of an account that is disconnected waits for it; whether it is back is looked up this often. */
const DISCONNECTED_LOOK_MS = 15_000

/** How a mailbox sends: account, guard, composer. */
export function routeOf(context: Context, mailbox: Mailbox, senderName: string): Route {
  return {
    account: smtpAccountOf(context, mailbox),
    guard: dialGuardOf(context, mailbox),
    compose: mimeRenderer(context, senderOf(mailbox, { name: senderName })),
    filesNothing: !hasImap(mailbox),
  }
}

/**
 * Sends everything that is due in a mailbox, over a few connections at once, until nothing is left, the account's limit
 * is reached, the account as a whole fails, or the process stops. Any number of workers may do it at the same time.
 */
export async function deliverMailbox(context: Context, drain: MailboxRun, senderName: string): Promise<void> {
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
  const supply = openClaimBuffer(context, drain, state)
  const watch = makeAccountBreaker((pauseMs, words) => {
    state.stopped = true
    drain.nextAt = new Date(context.clock.now().getTime() + pauseMs)
    return pauseSending(context.db, userId, mailboxId, drain.nextAt, words)
  })
  const tell = makeProgressPublisher(context, userId, mailboxId)
  const notes: Promise<unknown>[] = []
  let settled = 0
  const report = (outcome: SendOutcome) => {
    settled += 1
    drain.inHand.delete(outcome.settlement.emailId)
    const pausing = outcome.crowded === true ? undefined : watch(outcome)
    if (pausing !== undefined) notes.push(pausing)
    if (outcome.deadAddresses.length > 0) notes.push(noteDeadAddresses(context, outcome))
    tell()
  }
  const route = await routeOrPause(context, mailbox, senderName)
  if (route === null) return
  const lane = () => runConnectionWorker(context, route, supply, report)
  // One connection goes ahead: a wrong password is tried once, not ten times, and a server that lets nobody in is
  // told from one that allows fewer connections than we would like.
  const first = lane()
  await Promise.race([supply.firstOpened, first.catch(() => {})])
  const lanes = [first, ...Array.from({ length: connectionLimitOf(context, mailboxId) - 1 }, lane)]
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

/** An address that the server knows not to exist gets no more mail. */
export async function noteDeadAddresses(
  context: Context,
  { deadAddresses, settlement }: SendOutcome,
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
