import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { sequences } from '#contract/outreach/sequences.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { withdrawEmails } from '../../mail/emails/emails.ts'
import { conflict } from '../../platform/errors.ts'
import { countMailsOfEnrolled, lockEnrolled, takeBackMembers } from './enrolments-store.ts'
import { unsentMailsOf } from './members-store.ts'
import { noSequence } from './save-sequence.ts'
import { lockSequence } from './store.ts'

/**
 * Takes exactly those out again whom one call has put in, as far as they are still in it. Their mail that has not left is taken
 * back; what has left is counted.
 *
 * @throws Refusal 404; 409 if the sequence has ended
 */
export async function undoEnrolment(
  context: Context,
  userId: number,
  id: number,
  enrolment: string,
): Promise<ReplyOf<typeof sequences.undoEnrol>> {
  return inTransaction(context.db, async (tx) => {
    // A round of the engine may be writing to some of them: what it has written is seen here.
    const sequence = await lockSequence(tx, userId, id, 'change')
    if (sequence === undefined) throw noSequence()
    if (sequence.state === 'ended') throw conflict('This sequence has ended.')
    const members = await lockEnrolled(tx, userId, id, enrolment)
    await withdrawEmails(tx, userId, await unsentMailsOf(tx, userId, members))
    await takeBackMembers(tx, userId, members, context.clock.now())
    for (const topic of ['outreach', 'emails'] as const) await context.live.publish(tx, userId, { topic })
    const mailsLeft = await countMailsOfEnrolled(tx, userId, id, enrolment)
    return { taken_out: members.length, mails_left: mailsLeft }
  })
}
