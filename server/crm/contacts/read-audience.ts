import type { Audience, KeptAudience } from '#contract/crm/contacts.ts'
import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { storableText } from '../../platform/database/storable-text.ts'
import { invalidInput } from '../../platform/errors.ts'
import { filterOf, type Reader } from './list-contacts.ts'
import { type AskedContacts, type ContactToMail, contactsToMailAmong, countAsked } from './store.ts'

/**
 * Reads an audience as a call names it, into text that the database stores.
 *
 * @throws Refusal 400 for no audience, two, or an invalid date in its filter
 */
export function keepAudience(user: Reader, { contact_ids: ids, filter }: Audience): KeptAudience {
  if (ids !== undefined && filter === undefined) return { contact_ids: [...new Set(ids)] }
  if (filter === undefined || ids !== undefined)
    throw invalidInput('Please choose contacts by their ids or by a filter.')
  const kept = Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) => {
      const text = value === undefined ? '' : storableText(value)
      return text === '' || name === 'sort' ? [] : [[name, text]]
    }),
  )
  filterOf(kept, user.timeZone)
  return { filter: kept }
}

/** How many contacts an audience has; ids that are not the user's do not count. */
export async function countAudience(context: Context, db: Queryable, user: Reader, audience: KeptAudience) {
  return countAsked(db, user.id, askedOf(user, audience), context.clock.now())
}

/** The next `limit` contacts of an audience after `afterId` (0 to begin), in the order of their ids. */
export async function contactsOfAudience(
  context: Context,
  user: Reader,
  audience: KeptAudience,
  afterId: number,
  limit: number,
): Promise<ContactToMail[]> {
  const asked = askedOf(user, audience)
  return contactsToMailAmong(context.db, user.id, asked, { id: afterId, limit }, context.clock.now())
}

function askedOf(user: Reader, audience: KeptAudience): AskedContacts {
  return 'contact_ids' in audience ? audience.contact_ids : filterOf(audience.filter, user.timeZone)
}
