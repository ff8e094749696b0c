import {
  type Judge,
  mailsOfEarlierDays,
  moveReservations,
  ONCE_A_DAY,
  type Standing,
  standingOf,
} from '../automatic-mail/automatic-mail.ts'
import { contactsById } from '../../crm/contacts/contacts.ts'
import { addressKey } from '../../formats/mail-text/addresses.ts'
import { putOffClaims, repliedSince, withdrawEmails } from '../../mail/emails/emails.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ADDRESS_CHANGED, DELETED, mailedBefore, REPLIED } from './list-contacts.ts'
import { LOOK_AGAIN_MS } from './run-batch.ts'
import {
  type BatchRow,
  findBatch,
  lockBatch,
  type RunMail,
  runMailsAmong,
  sendingOf,
  skipWithdrawn,
  writeAgain,
} from './store.ts'

/**
 * Judges mails of runs that are about to leave. Outside the user's hours, or while their account stands still, they wait in the
 * queue. What waited over midnight counts on the day on which it leaves. Since they were queued days may have passed, so all that
 * was asked then is asked again: who would get none any more gets none, and to an address that has changed a run that goes on
 * writes again.
 */
export const judgeRunMails: Judge = async (context, { userId }, emailIds) => {
  const gone: number[] = []
  const mails = await runMailsAmong(context.db, userId, emailIds)
  for (const [batchId, ofRun] of Map.groupBy(mails, (mail) => mail.batchId)) {
    const batch = await findBatch(context.db, userId, batchId)
    const standing = batch === undefined ? undefined : await standingOf(context, context.db, sendingOf(batch))
    if (batch === undefined || standing === undefined) continue
    const waiting = ofRun.filter((mail) => mustWait(standing, mail))
    if (waiting.length > 0) {
      const until = standing.refused?.until ?? new Date(context.clock.now().getTime() + LOOK_AGAIN_MS)
      await putOffClaims(context.db, userId, idsOf(waiting), until)
    }
    const others = ofRun.filter((mail) => !waiting.includes(mail))
    gone.push(...idsOf(waiting), ...(await takeBackOutdated(context, batch, others, standing.today)))
  }
  return gone
}

/** What counts on an earlier day needs room on this one; the share of a new address that is of today is queued already. */
const mustWait = ({ refused, today }: Standing, { day }: RunMail) =>
  refused !== null && (refused.kind !== 'warm_up' || day < today)

/** Takes back mails that would not be queued any more. */
async function takeBackOutdated(
  context: Context,
  batch: BatchRow,
  mails: readonly RunMail[],
  today: string,
): Promise<number[]> {
  const { user_id: userId, id } = batch
  const old = idsOf(mails.filter(({ day }) => day < today))
  const outdated = await outdatedAmong(context, batch, mails)
  if (old.length === 0 && outdated.size === 0) return []
  return inTransaction(context.db, async (tx) => {
    const isRunning = (await lockBatch(tx, userId, id))?.state === 'running'
    const leaving = old.filter((emailId) => !outdated.has(emailId))
    await moveReservations(tx, userId, { emailIds: leaving }, today)
    // Another mail has their day.
    for (const emailId of await mailsOfEarlierDays(tx, userId, { emailIds: leaving }, today))
      outdated.set(emailId, ONCE_A_DAY)
    for (const [reason, entries] of Map.groupBy(outdated, ([, why]) => why)) {
      const withdrawn = await withdrawEmails(
        tx,
        userId,
        entries.map(([emailId]) => emailId),
      )
      if (reason === ADDRESS_CHANGED && isRunning) await writeAgain(tx, batch, withdrawn)
      else await skipWithdrawn(tx, userId, id, withdrawn, reason)
    }
    for (const topic of ['outreach', 'emails'] as const) await context.live.publish(tx, userId, { topic })
    return [...outdated.keys()]
  })
}

/** Those of these mails that would not be queued any more, each with the reason. */
async function outdatedAmong(
  context: Context,
  batch: BatchRow,
  mails: readonly RunMail[],
): Promise<Map<number, string>> {
  const { user_id: userId } = batch
  const contacts = await contactsById(
    context.db,
    userId,
    mails.map(({ contactId }) => contactId),
  )
  const keys = [...contacts.values()].map((contact) => contact.email_key)
  const [mailed, replied] = await Promise.all([
    mailedBefore(context, context.db, userId, keys, batch, idsOf(mails)),
    batch.write_again ? repliedSince(context.db, userId, keys, batch.started_at) : new Set<string>(),
  ])
  const reasonFor = ({ contactId, address }: RunMail): string | undefined => {
    const to = contacts.get(contactId)
    if (to === undefined) return DELETED
    if (to.email_key !== addressKey(address)) return ADDRESS_CHANGED
    return mailed.get(to.email_key) ?? (replied.has(to.email_key) ? REPLIED : undefined)
  }
  return new Map(
    mails.flatMap((mail): [number, string][] => {
      const why = reasonFor(mail)
      return why === undefined ? [] : [[mail.emailId, why]]
    }),
  )
}

const idsOf = (mails: readonly RunMail[]) => mails.map(({ emailId }) => emailId)
