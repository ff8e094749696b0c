import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { mailbox as findMailbox, pauseSending, takeTokens } from '../mailboxes/mailboxes.ts'
import { noteDeadAddresses, routeOf } from './deliver-mailbox.ts'
import { runLane } from './delivery-lane.ts'
import { claimOne } from './delivery-claims-store.ts'
import { deliveryState } from './delivery-groups-store.ts'
import { putAway } from './delivery-settlements-store.ts'
import { suspectStrays } from './delivery-strays.ts'
import type { DeliveryState } from './tables.ts'

/** Somebody waits for this mail; after that long the answer is "on its way" and a worker goes on. */
const WAIT_MS = 25_000
const LOOK_EVERY_MS = 50

export type Delivered = { state: DeliveryState; reason: string | null }

/**
 * Sends one queued mail now, because somebody waits for it. Goes through the same claim, mark and settlement as every
 * mail; when a worker was faster, waits for what the worker makes of it.
 */
export async function deliverEmail(
  context: Context,
  mail: { userId: number; emailId: number; mailboxId: number; senderName: string },
): Promise<Delivered> {
  const { userId, emailId, mailboxId } = mail
  try {
    await deliverNow(context, mail)
  } catch (error) {
    suspectStrays(context, userId, mailboxId)
    throw error
  }
  return waitUntilSettled(context, userId, emailId)
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
      await runLane(
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

async function waitUntilSettled(context: Context, userId: number, emailId: number): Promise<Delivered> {
  const until = Date.now() + WAIT_MS
  for (;;) {
    const found = await deliveryState(context.db, userId, emailId)
    if (found === undefined) return { state: 'failed', reason: 'This mail is no longer there.' }
    const moving = found.state === 'claimed' || found.state === 'committed'
    if (!moving || Date.now() > until) return found
    await pause(LOOK_EVERY_MS)
  }
}
