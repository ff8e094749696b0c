import type { Audience } from '#contract/crm/contacts.ts'
import {
  contactsOfAudience,
  contactsToMail,
  type ContactToMail,
  countAudience,
  keepAudience,
} from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { conflict, invalidInput } from '../../platform/errors.ts'
import { audienceName } from './audience-name.ts'
import { type AboutMailed, ALL_CONTACTS } from './list-contacts.ts'
import type { BatchRow } from './store.ts'

/** The user as a filter needs him: its days are those of his zone. */
export type Reader = { id: number; timeZone: string }

/** The audience that a call names, and what it says about it. */
export type AskedAudience = {
  user: Reader
  audience: Audience
  write_again?: boolean | undefined
  /** How many contacts the user was told of. */
  expected?: number | undefined
}

/**
 * How many contacts an audience has now, and the columns of the run that keep it.
 *
 * @throws Refusal 400 for a wrong audience or one without contacts; 409 where it is not what the user was told
 */
export async function readAudience(
  context: Context,
  { user, audience, write_again: again, expected }: AskedAudience,
): Promise<{ total: number; columns: Pick<BatchRow, 'audience' | 'audience_name' | 'write_again'> }> {
  const kept = keepAudience(user, audience)
  const total = await countAudience(context, context.db, user, kept)
  if (expected !== undefined && expected !== total) {
    const now = `${total.toLocaleString('en')} ${total === 1 ? 'contact is' : 'contacts are'} meant now`
    throw conflict(`${now}, not ${expected.toLocaleString('en')}. Please look again.`)
  }
  if (total === 0) throw invalidInput('None of these contacts is there any more.')
  const columns = { audience: kept, audience_name: audienceName(kept, total), write_again: again === true }
  return { total, columns }
}

/** Contacts of a run that are looked at together. */
export const CONTACTS_PAGE = 5000

/** The contacts of a run that has not begun: page by page, after one of them; and what it says about those mailed before. */
export type ContactsOfRun = { page: (after: number) => Promise<ContactToMail[]>; about: AboutMailed }

/** Whom a run would look at: an audience, or all contacts. */
export function contactsOfRun(
  context: Context,
  userId: number,
  toThese: AskedAudience | null,
): ContactsOfRun {
  if (toThese === null)
    return { page: (after) => contactsToMail(context.db, userId, after, CONTACTS_PAGE), about: ALL_CONTACTS }
  const { user } = toThese
  const audience = keepAudience(user, toThese.audience)
  return {
    page: (after) => contactsOfAudience(context, user, audience, after, CONTACTS_PAGE),
    about: { audience, write_again: toThese.write_again === true },
  }
}
