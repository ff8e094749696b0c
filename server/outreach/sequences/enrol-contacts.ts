import { randomUUID } from 'node:crypto'
import type { Selection } from '#contract/crm/contacts.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { ENROL_MAX, type OnWarning, type sequences } from '#contract/outreach/sequences.ts'
import { selectContacts } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { withdrawEmails } from '../../mail/emails/emails.ts'
import { invalidInput } from '../../platform/errors.ts'
import { countMailsOfEnrolled, lockEnrolled, takeBackMembers } from './enrolments-store.ts'
import { addMembers, unsentMailsOf } from './members-store.ts'
import { lockLive } from './save-sequence.ts'
import { entryInto } from './take-work.ts'

/**
 * Puts contacts into a sequence, all in one statement; or nobody, if there are warnings to confirm first.
 *
 * @throws Refusal 404; 400 for no selection or too many; 409 if it has ended, or as `selectContacts`
 */
export async function enrolContacts(
  context: Context,
  user: { id: number; timeZone: string },
  id: number,
  { on_warning: onWarning = 'add', ...selection }: Selection & { on_warning?: OnWarning | undefined },
): Promise<ReplyOf<typeof sequences.enrol>> {
  return inTransaction(context.db, async (tx) => {
    const sequence = await lockLive(tx, user.id, id, 'keep')
    const contacts = await selectContacts(context, tx, user, selection)
    if (contacts.length > ENROL_MAX)
      throw invalidInput(`You can add up to ${ENROL_MAX.toLocaleString('en')} contacts at once.`)
    const entry = await entryInto(context, sequence, { startedBy: 'hand', depth: 0 })
    const enrolment = randomUUID()
    const options = { enrolment, onWarning }
    const { enrolled, skipped, warnings, others } = await addMembers(tx, user.id, contacts, entry, options)
    if (warnings.length === 0) await context.live.publish(tx, user.id, { topic: 'outreach' })
    return {
      warnings,
      others,
      enrolment: enrolled === 0 ? null : enrolment,
      enrolled,
      skipped: [...skipped.values()].reduce((sum, count) => sum + count, 0),
      reasons: [...skipped].map(([reason, count]) => ({ reason, contacts: count })),
    }
  })
}

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
    await lockLive(tx, userId, id, 'change')
    const members = await lockEnrolled(tx, userId, id, enrolment)
    await withdrawEmails(tx, userId, await unsentMailsOf(tx, userId, members))
    await takeBackMembers(tx, userId, members, context.clock.now())
    for (const topic of ['outreach', 'emails'] as const) await context.live.publish(tx, userId, { topic })
    const mailsLeft = await countMailsOfEnrolled(tx, userId, id, enrolment)
    return { taken_out: members.length, mails_left: mailsLeft }
  })
}
