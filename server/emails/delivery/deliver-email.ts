import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { mailbox as findMailbox, pauseSending, takeTokens } from '../../mailboxes/mailboxes.ts'
import { noteDeadAddresses, routeOf } from './deliver-mailbox.ts'
import { runConnectionWorker } from './connection-worker.ts'
import { claimOne } from './claims-store.ts'
import { deliveryState } from './groups-store.ts'
import { putAway } from './settlements-store.ts'
import { suspectLeakedClaims } from './reclaim-leaked-claims.ts'
import type { DeliveryState } from '../tables.ts'

/** Somebody waits for this mail; after that long the answer is "on its way" and a worker goes on. */
const WAIT_MS = 25_000
const LOOK_EVERY_MS = 50

export type Delivered = { state: DeliveryState; reason: string | null }

/**
 * Sends one queued mail now, because somebody waits for it. Goes through the same claim, mark and settlement as every
 * mail; when a worker was faster, waits for what the worker makes of it. A far server that does not answer in time leaves
 * it `claimed` or `committed`: it goes on, is settled when the answer comes, and leaves once.
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
  const isDone = await doneBefore(context, until, work)
  if (!isDone) void tellWhenDone(context, userId, work)
  return waitUntilSettled(context, { userId, emailId, until })
}

/** True when the work is done by then; false when somebody has waited long enough. */
async function doneBefore(context: Context, until: number, work: Promise<void>): Promise<boolean> {
  const done = new AbortController()
  const late = async () => {
    while (!done.signal.aborted && context.clock.now().getTime() < until)
      await pause(LOOK_EVERY_MS, undefined, { signal: done.signal }).catch(() => {})
    return false
  }
  try {
    return await Promise.race([work.then(() => true), late()])
  } finally {
    done.abort()
  }
}

/** The mail goes on without anybody who waits: the claim is this process's, so that nobody else sends it. */
async function tellWhenDone(context: Context, userId: number, work: Promise<void>): Promise<void> {
  try {
    await work
    await context.live.publish(context.db, userId, { topic: 'emails' })
  } catch (error) {
    context.log.warn({ err: error }, 'a mail that nobody waited for any more could not be finished')
  }
}

async function deliverNow(
  context: Context,
  { userId, emailId, mailboxId, senderName }: Parameters<typeof deliverEmail>[1],
): Promise<void> {
  const mailbox = await findMailbox(context.db, userId, mailboxId)
  const now = context.clock.now()
  const blocked =
    mailbox === undefined ||
    (mailbox.send_pause_until !== null && mailbox.send_pause_until > now && mailbox.last_error === null)
  if (!blocked) {
    const { granted } = await inTransaction(context.db, (tx) => takeTokens(tx, userId, mailboxId, 1, now))
    const claim =
      granted === 1
        ? await claimOne(context.db, { workerId: context.workerId, userId, mailboxId, emailId })
        : undefined
    if (claim !== undefined) {
      const left = [claim]
      const notes: Promise<unknown>[] = []
      await runConnectionWorker(
        context,
        routeOf(context, mailbox, senderName),
        {
          next: async () => left.pop(),
          atHand: () => undefined,
          back: () => {},
          over: () => false,
          lost: async () => {},
          opened: () => {},
          crowded: () => false,
          narrow: () => false,
        },
        (outcome) => {
          notes.push(noteDeadAddresses(context, outcome))
          if (outcome.pauseMs !== undefined) {
            const until = new Date(context.clock.now().getTime() + outcome.pauseMs)
            notes.push(pauseSending(context.db, userId, mailboxId, until, outcome.settlement.reason ?? ''))
          }
        },
      )
      await Promise.allSettled(notes)
      await putAway(context.db, userId, mailboxId)
    }
  }
}

async function waitUntilSettled(
  context: Context,
  { userId, emailId, until }: { userId: number; emailId: number; until: number },
): Promise<Delivered> {
  for (;;) {
    const found = await deliveryState(context.db, userId, emailId)
    if (found === undefined) return { state: 'failed', reason: 'This mail is no longer there.' }
    const moving = found.state === 'claimed' || found.state === 'committed'
    if (!moving || context.clock.now().getTime() >= until) return found
    await pause(LOOK_EVERY_MS)
  }
}
