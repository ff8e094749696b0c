import { contacts } from '#contract/contacts.ts'
import { useEndpoint } from '#web/api/queries.ts'
import { type Filters, queryOf } from './contact-filters.ts'

/** A list's own count goes so many pages further than the one that is shown. */
const COUNTED_PAGES = 5

export type ContactTotal = { count: number; isExact: boolean }

/**
 * How many contacts a list has. Lists of very many come before they are counted: until the count is there, what is known
 * is only that there are more.
 */
export function useContactTotal(
  filters: Filters,
  { page, pageSize }: { page: number; pageSize: number },
  listed: number | undefined,
): ContactTotal {
  const known = (page - 1 + COUNTED_PAGES) * pageSize
  const isFiltered = Object.keys(filters).length > 0
  const isRough = isFiltered && listed !== undefined && listed > known
  const { data } = useEndpoint(contacts.count, { query: queryOf(filters), enabled: isRough })
  if (!isRough) return { count: listed ?? 0, isExact: true }
  return data === undefined ? { count: known, isExact: false } : { count: data.total, isExact: true }
}
