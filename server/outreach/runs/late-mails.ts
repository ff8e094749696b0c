import {
  mailsOfEarlierDays,
  nextSendingTime,
  type Standing,
  standingOf,
} from '../automatic-mail/automatic-mail.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { workThrough } from '../../platform/work-through.ts'
import { holdEmails, type WaitingEmail, waitingOfGroup } from '../../mail/emails/emails.ts'
import { type RunKey, runsWithLateMails, settleRuns, takeRun } from './late-store.ts'
import { releaseMails } from './release-mails.ts'
import { type BatchRow, noteWaiting, sendingOf } from './store.ts'
import { LOOK_AGAIN_MS } from './run-batch.ts'
import { groupOf } from './write-some.ts'

/** How often late mails are looked at. */
export const LOOK_AT_LATE_MS = 5000
/** Mails are looked at before they are due: once they are, they leave within half a second. */
const AHEAD_MS = 2 * LOOK_AT_LATE_MS

/**
 * Looks at mails of runs that nobody drives: a run is done while a far server has put off some of its mails, and a mail that was
 * being sent when its run began to wait may have been put off since. They are held when they would leave outside the user's
 * hours, from an account that stands still or of a paused run. Those of a run that is done are let go here once they may leave;
 * a run that waits or is paused lets go of them itself.
 */
export async function lookAtLateMails(context: Context): Promise<void> {
  const now = context.clock.now()
  const by = new Date(now.getTime() + AHEAD_MS)
  await workThrough(
    context,
    (after: RunKey | undefined, limit) => runsWithLateMails(context.db, { after, now, by, limit }),
    (run) =>
      inTransaction(context.db, async (tx) => {
        const batch = await takeRun(tx, run)
        if (batch !== undefined) await lookAtRun(context, tx, batch, by)
      }),
    'late mails of a run could not be looked at',
  )
  await settleRuns(context.db, now)
}

async function lookAtRun(context: Context, tx: Tx, batch: BatchRow, by: Date): Promise<void> {
  const { user_id: userId, id } = batch
  const now = context.clock.now()
  const standing = await standingOf(context, tx, sendingOf(batch))
  // While all mail of the user is paused nothing leaves.
  if (standing === undefined || standing.refused?.kind === 'paused') return
  const isLate = (mail: WaitingEmail) => batch.state === 'paused' || !mayLeave(standing, mail, now)
  const due = await waitingOfGroup(tx, groupOf(batch), 'due', by)
  const late = due.filter(isLate)
  await holdEmails(tx, userId, idsOf(late))
  if (batch.state !== 'done') return
  const held = await waitingOfGroup(tx, groupOf(batch), 'held', by)
  const ready = idsOf(held.filter((mail) => !isLate(mail)))
  const beyond = await beyondCeiling(tx, batch, standing, ready)
  const go = ready.filter((emailId) => !beyond.has(emailId))
  if (go.length > 0) await releaseMails(context, tx, batch, standing.today, go)
  if (standing.refused !== null && go.length < held.length)
    await noteWaiting(tx, userId, id, null, standing.refused.until ?? new Date(now.getTime() + LOOK_AGAIN_MS))
  if (late.length > 0 || go.length > 0) await context.live.publish(tx, userId, { topic: 'outreach' })
}

/** Whether a mail may leave when it is due. */
function mayLeave({ rules, zone, stop }: Standing, { nextTryAt }: WaitingEmail, now: Date): boolean {
  const at = nextTryAt > now ? nextTryAt : now
  return stop === null && nextSendingTime(rules, zone, at) <= at
}

/** Those of these mails for which a new address has no room today: today's own are counted already. */
async function beyondCeiling(
  tx: Tx,
  batch: BatchRow,
  { refused, today }: Standing,
  emailIds: readonly number[],
): Promise<Set<number>> {
  if (refused?.kind !== 'warm_up') return new Set()
  return new Set(await mailsOfEarlierDays(tx, batch.user_id, { emailIds }, today))
}

const idsOf = (mails: readonly WaitingEmail[]) => mails.map(({ emailId }) => emailId)
