import type { Context } from '../context.ts'
import { findUser } from '../auth/auth.ts'
import { type Loop, startLoop } from '../jobs/loop.ts'
import { deliverMailbox, type Drain } from './deliver-mailbox.ts'
import { freeOrphans, heldBy, mailboxesWithDueMail, releaseClaims } from './delivery-store.ts'
import { LOOK_UP_AFTER_MS } from './delivery-outcome.ts'
import { queueScheduled } from './queue-scheduled.ts'
import { resolveUnsure } from './resolve-unsure.ts'

/** Mail that is due is looked for this often; what somebody waits for does not wait for this. */
const LOOK_EVERY_MS = 500
const TIDY_EVERY_MS = 1000
/** Mailboxes that one process sends from at once: one account's trouble must not keep others waiting. */
const MAILBOXES_AT_ONCE = 40

/** Starts the standing work of sending: due mail, scheduled mail, mail left behind by workers that died, unsure mail. */
export function startDelivering(context: Context): Loop[] {
  const drains = new Map<string, Drain>()
  const running = new Set<Promise<void>>()

  const begin = (userId: number, mailboxId: number) => {
    const key = `${userId}/${mailboxId}`
    const known = drains.get(key)
    if (known !== undefined && (known.nextAt === null || known.nextAt > context.clock.now())) return
    const drain: Drain = { userId, mailboxId, inHand: new Set(), nextAt: null }
    drains.set(key, drain)
    const run = runDrain(context, drain)
      .catch((error: unknown) =>
        context.log.warn({ err: error, userId }, 'sending stopped; it is taken up again'),
      )
      .finally(() => {
        running.delete(run)
        if (drain.nextAt === null) drains.delete(key)
      })
    running.add(run)
  }

  const deliver = startLoop(context, 'deliver', LOOK_EVERY_MS, async () => {
    await queueScheduled(context)
    if (running.size >= MAILBOXES_AT_ONCE) return
    const due = await mailboxesWithDueMail(context.db, context.clock.now(), MAILBOXES_AT_ONCE - running.size)
    for (const { userId, mailboxId } of due) begin(userId, mailboxId)
  })
  const tidy = startLoop(context, 'tidy deliveries', TIDY_EVERY_MS, async () => {
    await freeOrphans(context.db, new Date(context.clock.now().getTime() + LOOK_UP_AFTER_MS))
    await releaseStrays(context, drains)
    await resolveUnsure(context)
  })
  const ended = Promise.all([deliver.ended, tidy.ended]).then(
    async () => void (await Promise.allSettled(running)),
  )
  return [
    { wake: deliver.wake, ended },
    { wake: tidy.wake, ended },
  ]
}

async function runDrain(context: Context, drain: Drain): Promise<void> {
  const user = await findUser(context.db, drain.userId)
  if (user === undefined || !user.is_active) {
    drain.nextAt = new Date(context.clock.now().getTime() + 60_000)
    return
  }
  await deliverMailbox(context, drain, user.name)
}

const strays = new WeakMap<Context, Set<number>>()

/**
 * Gives back claims of this process that none of its drains knows: the answer to a claim was lost with the connection.
 * What is seen twice in a row is a stray; what is seen once may just be arriving.
 */
async function releaseStrays(context: Context, drains: ReadonlyMap<string, Drain>): Promise<void> {
  const known = new Set([...drains.values()].flatMap((drain) => [...drain.inHand]))
  const before = strays.get(context) ?? new Set<number>()
  const unknown = (await heldBy(context.db, context.workerId)).filter((claim) => !known.has(claim.emailId))
  await releaseClaims(
    context.db,
    context.workerId,
    unknown.filter((claim) => before.has(claim.emailId)),
  )
  strays.set(context, new Set(unknown.map((claim) => claim.emailId)))
}
