import { counted } from '#contract/platform/counted.ts'
import { contactsById } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { countGroup } from '../../mail/emails/emails.ts'
import { type PlanSource, standingOf, waitsWithoutEnd } from '../automatic-mail/automatic-mail.ts'
import { refusedMeanwhile } from './list-contacts.ts'
import { activeBatch, type BatchRow, countItems, hasPendingItem, sendingOf } from './store.ts'

/** What the run under way does next: one entry for all of its contacts, or what it does for one of them. */
export const plannedByRun: PlanSource = async (context, { userId, contactId }) => {
  const batch = await activeBatch(context.db, userId)
  if (batch === undefined) return []
  const whom =
    contactId === null ? await allLeft(context, batch) : await contactLeft(context, batch, contactId)
  if (whom === null) return []
  const waits =
    batch.state === 'paused'
      ? 'Waits until you resume the run'
      : await waitsWithoutEnd(context, userId, batch.mailbox_id)
  const standing = await standingOf(context, context.db, sendingOf(batch))
  const until = standing?.refused?.until ?? (batch.waits_for === 'model' ? batch.look_again_at : null)
  // On which of the days that a run is spread over a contact's turn comes is not known.
  const due = contactId !== null && batch.spread === true ? null : (until ?? context.clock.now())
  return [{ id: `run ${batch.id}`, source: 'run', of: null, ...whom, due, waits }]
}

/** All contacts that a run has still to reach; null: there are none. */
async function allLeft(context: Context, { user_id: userId, id }: BatchRow) {
  const groups = await countGroup(context.db, userId, id, context.clock.now())
  const queued = groups.filter(({ state }) => state !== 'sent' && state !== 'failed')
  const { pending } = await countItems(context.db, userId, id)
  const left = queued.reduce((sum, { count }) => sum + count, pending)
  if (left === 0) return null
  const name = counted(left, 'contact', 'contacts')
  return { contact_id: null, name, email: '', sentence: 'The rest of your current run.' }
}

/** A contact that a run has still to write to: it leaves out, at their turn, who had a mail or answered meanwhile. */
async function contactLeft(context: Context, batch: BatchRow, contactId: number) {
  const { user_id: userId, id } = batch
  if (!(await hasPendingItem(context.db, userId, id, contactId))) return null
  const contact = (await contactsById(context.db, userId, [contactId])).get(contactId)
  if (contact === undefined) return null
  const { email_key: key, name, email } = contact
  if ((await refusedMeanwhile(context, context.db, batch, [key])).has(key)) return null
  return { contact_id: contactId, name, email, sentence: 'Your current run emails them.' }
}
