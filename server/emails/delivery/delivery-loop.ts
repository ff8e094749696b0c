import type { Context } from '../../context.ts'
import { findUser } from '../../auth/auth.ts'
import { type Loop, startLoop } from '../../jobs/loop.ts'
import { deliverMailbox } from './deliver-mailbox.ts'
import { freeOrphans, mailboxesWithDueMail } from './claims-store.ts'
import { LOOK_UP_AFTER_MS } from './classify-outcome.ts'
import { settleJournals } from './acceptance-journal.ts'
import { releaseLeakedClaims, suspectLeakedClaims } from './reclaim-leaked-claims.ts'
import type { MailboxRun } from './claim-buffer.ts'
import { enqueueScheduled } from './enqueue-scheduled.ts'
import { resolveUnsure } from './resolve-unsure.ts'

/** Mail that is due is looked for this often; what somebody waits for does not wait for this. */
const LOOK_EVERY_MS = 500
const TIDY_EVERY_MS = 1000
/** What holds a mailbox back (a pause, a limit, an account that is gone) may be mended meanwhile: it is looked at again this often. */
const LOOK_AGAIN_MS = 15_000
/** Mailboxes that one process sends from at once: one account's trouble must not keep others waiting. */
const MAILBOXES_AT_ONCE = 40

/** Starts the standing work of sending: due mail, scheduled mail, mail left behind by workers that died, unsure mail. */
export function startDelivering(context: Context): Loop[] {
  const drains = new Map<string, MailboxRun>()
  const running = new Map<string, Promise<void>>()

  const begin = (userId: number, mailboxId: number) => {
    const key = `${userId}/${mailboxId}`
    if (drains.has(key)) return
    const drain: MailboxRun = { userId, mailboxId, inHand: new Set(), nextAt: null }
    drains.set(key, drain)
    const run = runDrain(context, drain)
      .catch((error: unknown) => {
        suspectLeakedClaims(context, userId, mailboxId)
        context.log.warn({ err: error, userId }, 'sending stopped; it is taken up again')
      })
      .finally(() => {
        running.delete(key)
        if (drain.nextAt === null) drains.delete(key)
        else drain.nextAt = sooner(drain.nextAt, new Date(context.clock.now().getTime() + LOOK_AGAIN_MS))
      })
    running.set(key, run)
  }

  const deliver = startLoop(context, 'deliver', LOOK_EVERY_MS, async () => {
    await enqueueScheduled(context)
    if (running.size >= MAILBOXES_AT_ONCE) return
    const now = context.clock.now()
    for (const [key, { nextAt }] of drains)
      if (nextAt !== null && nextAt <= now && !running.has(key)) drains.delete(key)
    // Those that are at it or held back are among the answers, and must leave room for the others.
    const due = await mailboxesWithDueMail(context.db, now, MAILBOXES_AT_ONCE + drains.size)
    for (const { userId, mailboxId } of due) {
      if (running.size < MAILBOXES_AT_ONCE) begin(userId, mailboxId)
    }
  })
  const tidy = startLoop(context, 'tidy deliveries', TIDY_EVERY_MS, async () => {
    // First what is known to have left: the rest of what they had in hand is unsure.
    await settleJournals(context).catch((error: unknown) =>
      context.log.warn({ err: error }, 'what other processes had noted as taken cannot be looked at'),
    )
    await freeOrphans(context.db, new Date(context.clock.now().getTime() + LOOK_UP_AFTER_MS))
    await releaseLeakedClaims(context, drains)
    await resolveUnsure(context)
  })
  const ended = Promise.all([deliver.ended, tidy.ended]).then(
    async () => void (await Promise.allSettled(running.values())),
  )
  return [
    { ...deliver, ended },
    { ...tidy, ended },
  ]
}

const sooner = (one: Date, other: Date) => (one < other ? one : other)

async function runDrain(context: Context, drain: MailboxRun): Promise<void> {
  const user = await findUser(context.db, drain.userId)
  if (user === undefined || !user.is_active) {
    drain.nextAt = new Date(context.clock.now().getTime() + 60_000)
    return
  }
  await deliverMailbox(context, drain, user.name)
}
