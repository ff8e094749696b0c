import type { BulkResult, Selection } from '#contract/crm/contacts.ts'
import { noteActivity } from '../../accounts/activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { noContact } from './save-contact.ts'
import { forgetAction, moveToDeleted, noteAction } from './bulk-actions-store.ts'
import type { Reader } from './list-contacts.ts'
import { selectContacts } from './select-contacts.ts'

/** Deletes contacts, all or none; for an hour this can be undone. @throws as `selectContacts` */
export async function removeContacts(
  context: Context,
  user: Reader,
  selection: Selection,
  origin: Origin,
): Promise<BulkResult> {
  return inTransaction(context.db, async (tx) => {
    const ids = await selectContacts(context, tx, user, selection)
    const note = { action: 'delete' as const, tag_id: null, contact_ids: [] }
    const actId = await noteAction(tx, user.id, note, context.clock.now())
    const changed = await moveToDeleted(tx, user.id, actId, ids)
    if (changed === 0) await forgetAction(tx, user.id, actId)
    else {
      const detail = changed === 1 ? '1 contact' : `${changed} contacts`
      await noteActivity(context, tx, { type: 'contacts_deleted', user: user.id, origin, detail })
      await context.live.publish(tx, user.id, { topic: 'contacts' })
    }
    return { changed, unchanged: ids.length - changed, undo_id: changed === 0 ? null : actId }
  })
}

/** Deletes one contact; returns what undoes it. @throws Refusal 404 */
export async function removeContact(context: Context, user: Reader, id: number, origin: Origin) {
  const { changed, undo_id } = await removeContacts(context, user, { ids: [id] }, origin)
  if (changed === 0) throw noContact()
  return undo_id
}
