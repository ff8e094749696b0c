import { randomUUID } from 'node:crypto'
import type { Selection } from '#contract/crm/contacts.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { ENROL_MAX, type sequences } from '#contract/outreach/sequences.ts'
import { selectContacts } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, invalidInput } from '../../platform/errors.ts'
import { addMembers } from './members-store.ts'
import { noSequence } from './save-sequence.ts'
import { lockSequence } from './store.ts'
import { entryInto } from './take-work.ts'

/**
 * Puts contacts into a sequence, all in one statement.
 *
 * @throws Refusal 404; 400 for no selection or too many; 409 if it has ended, or as `selectContacts`
 */
export async function enrolContacts(
  context: Context,
  user: { id: number; timeZone: string },
  id: number,
  selection: Selection,
): Promise<ReplyOf<typeof sequences.enrol>> {
  return inTransaction(context.db, async (tx) => {
    const sequence = await lockSequence(tx, user.id, id, 'keep')
    if (sequence === undefined) throw noSequence()
    if (sequence.state === 'ended') throw conflict('This sequence has ended.')
    const contacts = await selectContacts(context, tx, user, selection)
    if (contacts.length > ENROL_MAX)
      throw invalidInput(`You can add up to ${ENROL_MAX.toLocaleString('en')} contacts at once.`)
    const entry = await entryInto(context, sequence, { startedBy: 'hand', depth: 0 })
    const enrolment = randomUUID()
    const { enrolled, skipped } = await addMembers(tx, user.id, contacts, entry, enrolment)
    await context.live.publish(tx, user.id, { topic: 'outreach' })
    return {
      enrolment: enrolled === 0 ? null : enrolment,
      enrolled,
      skipped: [...skipped.values()].reduce((sum, count) => sum + count, 0),
      reasons: [...skipped].map(([reason, count]) => ({ reason, contacts: count })),
    }
  })
}
