import type { contacts } from '#contract/crm/contacts.ts'
import type { QueryOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { lastContactRange } from './last-contact-range.ts'
import type { ContactFilter } from './matching-store.ts'
import { type ContactRow, countFiltered, listContacts } from './store.ts'
import { storableText } from '../../platform/database/storable-text.ts'
import { tagKey } from './tags-store.ts'

type ListQuery = QueryOf<typeof contacts.list>
type FilterQuery = QueryOf<typeof contacts.export>

/** A list without a page size returns up to this many rows. */
const PAGE_SIZE = 1000

export type Reader = { id: number; timeZone: string }

export async function pageOfContacts(
  context: Context,
  user: Reader,
  query: ListQuery,
): Promise<{ rows: ContactRow[]; total: number; page: number; pageSize: number }> {
  const pageSize = query.page_size ?? query.limit ?? PAGE_SIZE
  const page = {
    sort: query.sort ?? 'newest',
    limit: pageSize,
    offset: (query.page - 1) * pageSize,
    total: query.total ?? 'exact',
  } as const
  const found = await listContacts(
    context.db,
    user.id,
    filterOf(query, user.timeZone),
    page,
    context.clock.now(),
  )
  return { ...found, page: query.page, pageSize }
}

/** The number of contacts that match a filter. @throws Refusal 400 for an invalid date */
export async function countOfContacts(context: Context, user: Reader, query: FilterQuery): Promise<number> {
  return countFiltered(context.db, user.id, filterOf(query, user.timeZone), context.clock.now())
}

/** Converts a filter as typed into one for the store. */
export function filterOf(query: FilterQuery, timeZone: string): ContactFilter {
  return {
    search: storableText(query.search ?? ''),
    status: query.status === undefined || query.status === 'all' ? null : query.status,
    tag: tagKey(storableText(query.tag ?? '')),
    company: storableText(query.company ?? ''),
    position: storableText(query.position ?? ''),
    emailDomain: storableText(query.email_domain ?? ''),
    lastContact: lastContactRange(query.last_contact_from, query.last_contact_to, timeZone),
    neverMailed: query.never_mailed === 'true',
    openedInvoice: query.opened_invoice === 'true',
    ids: query.ids === undefined ? null : query.ids.split(',').map(Number),
  }
}
