import type { contacts } from '#contract/contacts.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import type { Context } from '../context.ts'
import { lastContactRange } from './last-contact-range.ts'
import { type ContactFilter, type ContactRow, listContacts } from './store.ts'
import { storableText } from './storable-text.ts'

type ListQuery = QueryOf<typeof contacts.list>
type FilterQuery = QueryOf<typeof contacts.export>

/** A list without a page size gives up to this many rows. */
const PAGE_SIZE = 1000

export type Reader = { id: number; timeZone: string }

export async function pageOfContacts(
  context: Context,
  user: Reader,
  query: ListQuery,
): Promise<{ rows: ContactRow[]; total: number; page: number; pageSize: number }> {
  const pageSize = query.page_size ?? query.limit ?? PAGE_SIZE
  const page = { sort: query.sort ?? 'newest', limit: pageSize, offset: (query.page - 1) * pageSize } as const
  const found = await listContacts(
    context.db,
    user.id,
    filterOf(query, user.timeZone),
    page,
    context.clock.now(),
  )
  return { ...found, page: query.page, pageSize }
}

/** A filter as typed, made into one for the store. */
export function filterOf(query: FilterQuery, timeZone: string): ContactFilter {
  return {
    search: storableText(query.search ?? ''),
    status: query.status === undefined || query.status === 'all' ? null : query.status,
    company: storableText(query.company ?? ''),
    position: storableText(query.position ?? ''),
    emailDomain: storableText(query.email_domain ?? ''),
    lastContact: lastContactRange(query.last_contact_from, query.last_contact_to, timeZone),
  }
}
