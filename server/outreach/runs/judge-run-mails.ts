import {
  type ClaimedMail,
  idsOfMails,
  type Judge,
  moveReservations,
  ONCE_A_DAY,
  refuseBeyond,
  type Standing,
  untilWhen,
} from '../automatic-mail/automatic-mail.ts'
import { contactsById } from '../../crm/contacts/contacts.ts'
import { putOffClaims, withdrawEmails } from '../../mail/emails/emails.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ADDRESS_CHANGED, DELETED, refusedMeanwhile } from './list-contacts.ts'
import { takeFromQueue } from './hold-batch.ts'
import { type BatchRow, findBatch, keepRunning, skipWithdrawn, writeAgain } from './store.ts'

/**
 * Judges mails of runs that are about to leave. Outside the user's hours, or while their account is stopped, they wait in the
 * queue. What waited over midnight counts on the day on which it leaves. Since they were queued days may have passed, so all that
 * was asked then is asked again: who would get none any more gets none, and to an address that has changed a run that goes on
 * writes again.
 */
export const judgeRunMails: Judge = async (context, { userId, standing }, mails) => {
  const gone: number[] = []
  for (const [batchId, ofRun] of Map.groupBy(mails, ({ groupId }) => groupId)) {
    const batch = await findBatch(context.db, userId, batchId)
    if (batch === undefined) continue
    if (batch.state === 'paused' || batch.state === 'cancelled') {
      // The far server has put it off since.
      await takeFromQueue(context, userId, batchId)
      gone.push(...idsOfMails(ofRun))
      continue
    }
    const waits = whoWaits(context, batch, standing, ofRun)
    const waiting = idsOfMails(waits.mails)
    await putOffClaims(context, context.db, userId, waiting, waits.until)
    const others = ofRun.filter((mail) => !waits.mails.includes(mail))
    gone.push(...waiting, ...(await takeBackOutdated(context, batch, others, standing.today)))
  }
  return gone
}

/** Which of these mails wait, and until when. Mails counted on an earlier day need room under today's ceiling, if the run has one. */
function whoWaits(
  context: Context,
  { spread }: BatchRow,
  standing: Standing,
  mails: readonly ClaimedMail[],
): { mails: readonly ClaimedMail[]; until: Date } {
  const { refused, ceiling, sentToday, today } = standing
  if (refused !== null && refused.kind !== 'warm_up') return { mails, until: untilWhen(context, refused) }
  const room = spread === true && ceiling !== null ? Math.max(0, ceiling - sentToday) : mails.length
  const old = mails.filter(({ day }) => day < today)
  return { mails: old.slice(room), until: untilWhen(context, refuseBeyond(context, standing)) }
}

/** Takes back mails that would not be queued any more. */
async function takeBackOutdated(
  context: Context,
  batch: BatchRow,
  mails: readonly ClaimedMail[],
  today: string,
): Promise<number[]> {
  const { user_id: userId, id } = batch
  const outdated = await outdatedAmong(context, batch, mails)
  const old = mails.filter(({ emailId, day }) => day < today && !outdated.has(emailId))
  if (old.length === 0 && outdated.size === 0) return []
  return inTransaction(context.db, async (tx) => {
    const isRunning = await keepRunning(tx, userId, id)
    // Another mail has their day.
    for (const emailId of await moveReservations(tx, userId, idsOfMails(old), today))
      outdated.set(emailId, ONCE_A_DAY)
    for (const [reason, entries] of Map.groupBy(outdated, ([, why]) => why)) {
      const ids = entries.map(([emailId]) => emailId)
      const withdrawn = await withdrawEmails(tx, userId, ids)
      if (reason === ADDRESS_CHANGED && isRunning) await writeAgain(tx, batch, withdrawn)
      else await skipWithdrawn(tx, userId, id, withdrawn, reason)
    }
    return [...outdated.keys()]
  })
}

/** Those of these mails that would not be queued any more, each with the reason. */
async function outdatedAmong(
  context: Context,
  batch: BatchRow,
  mails: readonly ClaimedMail[],
): Promise<Map<number, string>> {
  const { user_id: userId } = batch
  const contactIds = mails.map(({ contactId }) => contactId)
  const keys = mails.map(({ key }) => key)
  const [contacts, refused] = await Promise.all([
    contactsById(context.db, userId, contactIds),
    refusedMeanwhile(context, context.db, batch, keys, idsOfMails(mails)),
  ])
  const outdated = new Map<number, string>()
  for (const { emailId, contactId, key } of mails) {
    const to = contacts.get(contactId)
    const why = to === undefined ? DELETED : to.email_key === key ? refused.get(key) : ADDRESS_CHANGED
    if (why !== undefined) outdated.set(emailId, why)
  }
  return outdated
}
