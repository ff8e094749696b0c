import type { Context } from '../../../platform/context.ts'
import { Refusal } from '../../../platform/errors.ts'
import { NoAccessToken } from '../../../platform/gateways/access-token.ts'
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
import { mimeRenderer } from '../content/render-mime.ts'
import { suppress } from '../suppressions/suppressions-store.ts'
import { ACCOUNT_REFUSED_PAUSE_MS, makeAccountBreaker } from './account-breaker.ts'
import { type ClaimBuffer, openClaimBuffer } from './claim-buffer.ts'
import { noteWaiting } from './claims-store.ts'
import type { SendOutcome } from './classify-outcome.ts'
import type { MailboxRun } from './judge-claims.ts'
import { runConnectionWorker } from './connection-worker.ts'
import { makeProgressPublisher, type ProgressPublisher } from './progress-publisher.ts'
import type { Route } from './send-one.ts'

/** How often a disconnected account is looked at again while its emails wait. */
const DISCONNECTED_LOOK_MS = 15_000

/** How a mailbox sends. @throws {Refusal} if its settings no longer allow it */
export function routeOf(context: Context, mailbox: Mailbox, senderName: string): Route {
  return {
    account: smtpAccountOf(context, mailbox),
    guard: dialGuardOf(context, mailbox),
    render: mimeRenderer(context, senderOf(mailbox, { name: senderName })),
    needsNoSentCopy: !hasImap(mailbox),
  }
}

/**
 * Sends everything that is due in a mailbox over several connections at once. Ends when nothing is left, the account's
 * limit is reached, the account as a whole fails or the process stops. Any number of workers may do this at the same time.
 */
export async function deliverMailbox(context: Context, run: MailboxRun, senderName: string): Promise<void> {
  const { userId, mailboxId } = run
  const mailbox = await findMailbox(context.db, userId, mailboxId)
  const now = context.clock.now()
  if (mailbox === undefined || mailbox.disconnected_at !== null) {
    if (mailbox !== undefined) await tellDisconnected(context, mailbox)
    run.nextAt = new Date(now.getTime() + DISCONNECTED_LOOK_MS)
    return
  }
  if (mailbox.send_pause_until !== null && mailbox.send_pause_until > now) {
    run.nextAt = mailbox.send_pause_until
    return
  }
  const route = await routeOrPause(context, mailbox, senderName)
  if (route === null) return
  const stop = { isStopped: false }
  const claims = openClaimBuffer(context, run, stop)
  const progress = makeProgressPublisher(context, userId, mailboxId)
  const outcomes = followOutcomes(context, run, stop, progress)
  try {
    await runConnections(context, mailboxId, claims, () =>
      runConnectionWorker(context, route, claims, outcomes.report),
    )
    await Promise.allSettled(outcomes.followUps)
    if (!stop.isStopped && outcomes.count() > 0 && mailbox.last_error !== null)
      await noteSendOk(context.db, userId, mailboxId)
  } finally {
    await claims.releaseRest()
    run.inHand.clear()
    await progress.finish()
  }
}

/** Mails that wait for an account to be connected again say so to their author; a run says it once for all of its mails. */
async function tellDisconnected(context: Context, { user_id: userId, id, address }: Mailbox): Promise<void> {
  const words = `${address} is disconnected. Connect it again in your email settings to send this email.`
  if (await noteWaiting(context.db, userId, id, words, context.clock.now()))
    await context.live.publish(context.db, userId, { topic: 'emails' })
}

/**
 * Runs as many connection workers as the account allows, until all have ended. One connection goes first: a wrong password
 * is then tried once rather than ten times, and a server that lets nobody in can be told from one that allows fewer
 * connections than we would like.
 */
async function runConnections(
  { delivery, log }: Context,
  mailboxId: number,
  claims: ClaimBuffer,
  startWorker: () => Promise<void>,
): Promise<void> {
  const first = startWorker()
  await Promise.race([claims.firstOpened, first.catch(() => {})])
  const others = delivery.connectionLimits.of(mailboxId) - 1
  const workers = [first, ...Array.from({ length: others }, startWorker)]
  for (const worker of await Promise.allSettled(workers))
    if (worker.status === 'rejected') log.error({ err: worker.reason }, 'a connection worker failed')
}

/** Counts the outcomes of a run, and does what they ask for: pause the account, suppress addresses, publish progress. */
function followOutcomes(
  context: Context,
  run: MailboxRun,
  stop: { isStopped: boolean },
  progress: ProgressPublisher,
) {
  const { userId, mailboxId } = run
  const followUps: Promise<unknown>[] = []
  let settled = 0
  const breaker = makeAccountBreaker((pauseMs, reason) => {
    stop.isStopped = true
    run.nextAt = new Date(context.clock.now().getTime() + pauseMs)
    return pauseSending(context.db, userId, mailboxId, run.nextAt, reason)
  })
  return {
    followUps,
    count: () => settled,
    report: (outcome: SendOutcome) => {
      settled += 1
      run.inHand.delete(outcome.settlement.emailId)
      const pausing = outcome.tooManyConnections === true ? undefined : breaker(outcome)
      if (pausing !== undefined) followUps.push(pausing)
      if (outcome.deadAddresses.length > 0) followUps.push(suppressDeadAddresses(context, outcome))
      progress.schedule()
    },
  }
}

/**
 * How the mailbox sends. If its settings or its sign-in no longer allow that, sending is paused and the owner reads why:
 * null. No email is claimed then, so none counts an attempt, and all leave as soon as the mailbox can sign in again.
 */
async function routeOrPause(context: Context, mailbox: Mailbox, senderName: string): Promise<Route | null> {
  try {
    const route = routeOf(context, mailbox, senderName)
    await route.account.accessToken?.()
    return route
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof NoAccessToken)) throw error
    const words = error instanceof Refusal ? error.message : error.words
    const usual = new Date(context.clock.now().getTime() + ACCOUNT_REFUSED_PAUSE_MS)
    const until = error instanceof NoAccessToken ? (error.retryAt ?? usual) : usual
    const isNews = await pauseSending(context.db, mailbox.user_id, mailbox.id, until, words)
    if (isNews) await context.live.publish(context.db, mailbox.user_id, { topic: 'mailboxes' })
    return null
  }
}

/** Suppresses the addresses that do not exist according to the server. */
export async function suppressDeadAddresses(
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
