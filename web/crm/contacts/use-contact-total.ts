import { contacts } from '#contract/crm/contacts.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { type Filters, queryOf } from './contact-filters.ts'

/** A filtered list counts at most this many pages, starting with the shown one. */
const COUNTED_PAGES = 5

export type ContactTotal = { count: number; isExact: boolean }

/**
 * How many contacts a list has. A very long filtered list arrives before it is counted; until then only a lower bound
 * is known.
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
