import type { Context } from '../../../platform/context.ts'
import { findUser } from '../../../accounts/auth/auth.ts'
import { type Loop, startDueLoop, startLoop } from '../../../platform/jobs/loop.ts'
import { deliverMailbox } from './deliver-mailbox.ts'
import { freeOrphanedClaims, mailboxesWithDueMail } from './claims-store.ts'
import { LOOK_UP_AFTER_MS } from './classify-outcome.ts'
import { makeJournalSettler } from './acceptance-journal.ts'
import { releaseLeakedClaims, suspectLeakedClaims, TIDYING } from './reclaim-leaked-claims.ts'
import type { MailboxRun } from './judge-claims.ts'
import { enqueueScheduled } from './enqueue-scheduled.ts'
import { makeUnsureResolver } from './resolve-unsure.ts'

/** How often due emails are looked for. An email that a person waits for is sent at once. */
const LOOK_EVERY_MS = 500
const TIDY_EVERY_MS = 1000
/** What holds a mailbox back (a pause, a limit, a missing account) may be resolved early: how often to check. */
const LOOK_AGAIN_MS = 15_000
/** Mailboxes that one process sends from at once: one account's trouble must not hold up the others. */
const MAILBOXES_AT_ONCE = 40

/** Starts the loops that send due and scheduled emails, and that settle unsure ones and those of workers that died. */
export function startDelivering(context: Context): Loop[] {
  const runs = new Map<string, MailboxRun>()
  const running = new Map<string, Promise<void>>()
  const settleJournals = makeJournalSettler(context)
  const resolver = makeUnsureResolver(context)

  const begin = (userId: number, mailboxId: number) => {
    const key = `${userId}/${mailboxId}`
    if (runs.has(key)) return
    const run: MailboxRun = { userId, mailboxId, inHand: new Set(), nextAt: null }
    runs.set(key, run)
    const ended = runMailbox(context, run)
      .catch((error: unknown) => {
        suspectLeakedClaims(context, userId, mailboxId)
        context.log.warn({ err: error, userId }, 'sending from a mailbox failed; it starts again')
      })
      .finally(() => {
        running.delete(key)
        if (run.nextAt === null) runs.delete(key)
        else run.nextAt = sooner(run.nextAt, new Date(context.clock.now().getTime() + LOOK_AGAIN_MS))
      })
    running.set(key, ended)
  }

  const deliver = startDueLoop(context, 'deliver', LOOK_EVERY_MS, async () => {
    await enqueueScheduled(context)
    if (running.size >= MAILBOXES_AT_ONCE) return
    const now = context.clock.now()
    for (const [key, { nextAt }] of runs)
      if (nextAt !== null && nextAt <= now && !running.has(key)) runs.delete(key)
    // Mailboxes that are sending or held back are found too, and must leave room for the others.
    const due = await mailboxesWithDueMail(context.db, now, MAILBOXES_AT_ONCE + runs.size)
    for (const { userId, mailboxId } of due) {
      if (running.size < MAILBOXES_AT_ONCE) begin(userId, mailboxId)
    }
  })
  const tidy = startDueLoop(context, TIDYING, TIDY_EVERY_MS, async () => {
    // First the emails that are known to have left. Whatever else those processes were sending is unsure.
    const hasJournals = await settleJournals().catch((error: unknown) => {
      context.log.warn({ err: error }, 'the journals of other processes cannot be settled')
      return true
    })
    await freeOrphanedClaims(context.db, new Date(context.clock.now().getTime() + LOOK_UP_AFTER_MS))
    await releaseLeakedClaims(context, runs)
    await resolver.resolveDue()
    return hasJournals || context.delivery.leakSuspects.size > 0
  })
  const ended = Promise.all([deliver.ended, tidy.ended]).then(
    async () => void (await Promise.allSettled(running.values())),
  )
  return [
    { ...deliver, ended },
    { ...tidy, ended },
  ]
}

/** For a process without the loops above: it sends, too, when a person waits for a mail to leave. */
export function startReleasingClaims(context: Context): Loop {
  return startLoop(context, TIDYING, TIDY_EVERY_MS, () => releaseLeakedClaims(context, new Map()))
}

const sooner = (one: Date, other: Date) => (one < other ? one : other)

async function runMailbox(context: Context, run: MailboxRun): Promise<void> {
  const user = await findUser(context.db, run.userId)
  if (user === undefined || !user.is_active) {
    run.nextAt = new Date(context.clock.now().getTime() + 60_000)
    return
  }
  await deliverMailbox(context, run, user.name)
}
