import type { Audience, KeptAudience } from '#contract/crm/contacts.ts'
import {
  contactsOfAudience,
  contactsToMail,
  type ContactToMail,
  countAudience,
  keepAudience,
} from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { conflict, invalidInput } from '../../platform/errors.ts'
import { type AboutMailed, ALL_CONTACTS } from './list-contacts.ts'
import type { BatchRow } from './store.ts'
import { cutText } from '../../platform/text.ts'

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

/** Longer names are cut: a filter may hold several long texts. */
const NAME_MAX = 200

type Filter = Extract<KeptAudience, { filter: unknown }>['filter']

/** What a run to an audience is called: "To 42 contacts tagged fair, never mailed". */
export function audienceName(audience: KeptAudience, count: number): string {
  const many = `${count.toLocaleString('en')} ${count === 1 ? 'contact' : 'contacts'}`
  if ('contact_ids' in audience) return `To ${many} of your choice`
  const said = wordsOf(audience.filter)
  const name = said.length === 0 ? `To all ${many}` : `To ${many} ${said.join(', ')}`
  return name.length <= NAME_MAX ? name : `${cutText(name, NAME_MAX - 1)}…`
}

function wordsOf(filter: Filter): string[] {
  const { tag, status, company, position, email_domain: domain, search } = filter
  const dates = datesOf(filter)
  return [
    ...(tag === undefined ? [] : [`tagged ${tag}`]),
    ...(status === undefined || status === 'all' ? [] : [`with status ${statusWord(status)}`]),
    ...(company === undefined ? [] : [`at ${company}`]),
    ...(position === undefined ? [] : [`with position ${position}`]),
    ...(domain === undefined ? [] : [`with addresses at ${domain}`]),
    ...(dates === null ? [] : [dates]),
    ...(filter.never_mailed === undefined ? [] : ['never mailed']),
    ...(filter.opened_invoice === undefined ? [] : ['who opened an invoice']),
    ...(search === undefined ? [] : [`found by “${search}”`]),
    ...(filter.ids === undefined ? [] : ['of your choice']),
  ]
}

function datesOf({ last_contact_from: from, last_contact_to: to }: Filter): string | null {
  if (from !== undefined && to !== undefined) return `last contacted from ${from} to ${to}`
  if (from !== undefined) return `last contacted since ${from}`
  return to === undefined ? null : `last contacted until ${to}`
}

const statusWord = (status: string) => status.replaceAll('_', ' ')
