import { BULK_CONTACTS_MAX, type Selection } from '#contract/crm/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { conflict, invalidInput } from '../../platform/errors.ts'
import { addressesOfContacts, selectIds } from './bulk-actions-store.ts'
import { filterOf, type Reader } from './list-contacts.ts'
import type { Queryable } from '../../platform/database/handles.ts'

/**
 * The ids of the contacts that a bulk action is done to, in the transaction that does it.
 *
 * @throws Refusal 400 for no selection, two, or too many contacts; 409 where they are not as many as the user was told.
 */
export async function selectContacts(
  context: Context,
  tx: Queryable,
  user: Reader,
  { ids, filter, expected }: Selection,
): Promise<number[]> {
  if ((ids === undefined) === (filter === undefined))
    throw invalidInput('Please choose contacts by their ids or by a filter.')
  const which = ids ?? filterOf(filter ?? {}, user.timeZone)
  const found = await selectIds(tx, user.id, which, BULK_CONTACTS_MAX + 1, context.clock.now())
  if (found.length > BULK_CONTACTS_MAX) {
    const most = BULK_CONTACTS_MAX.toLocaleString('en')
    throw invalidInput(`You can change up to ${most} contacts at once. Please narrow the filter.`)
  }
  if (expected !== undefined && expected !== found.length) {
    const now = `${found.length.toLocaleString('en')} ${found.length === 1 ? 'contact matches' : 'contacts match'} now`
    throw conflict(`${now}, not ${expected.toLocaleString('en')}. Please look again.`)
  }
  return found
}

/** The addresses of the contacts that a bulk action is done to, as they are compared. @throws as `selectContacts`. */
export async function selectAddresses(context: Context, tx: Queryable, user: Reader, selection: Selection) {
  return addressesOfContacts(tx, user.id, await selectContacts(context, tx, user, selection))
}
