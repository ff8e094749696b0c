import { CONTACT_SORTS, type ContactSort, contacts } from '#contract/crm/contacts.ts'
import type { QueryInput } from '#contract/platform/endpoint.ts'
import { pageChanges, readPage, useListQuery } from '#web/platform/list-query.ts'

/** The filters under "More Filters". */
export const MORE_FILTERS = [
  'company',
  'position',
  'email_domain',
  'last_contact_from',
  'last_contact_to',
  'never_mailed',
  'opened_invoice',
] as const
const FILTERS = ['search', 'status', 'tag', ...MORE_FILTERS] as const

export type FilterName = (typeof FILTERS)[number]
export type Sort = ContactSort
export type Filters = Partial<Record<FilterName | 'ids', string>>

/** Filters, sort, page and page size, kept in the address so that Back and a reload restore them. */
export function useContactFilters() {
  const [address, change] = useListQuery()
  return {
    ...readAddress(address),
    setFilter: (name: FilterName, value: string) => change({ [name]: value }),
    setSort: (next: Sort) => change({ sort: next === 'newest' ? undefined : next }),
    setPage: (next: number) => change(pageChanges.page(next)),
    setPageSize: (next: number) => change(pageChanges.pageSize(next)),
    clear: () => change(Object.fromEntries(FILTERS.map((name) => [name, undefined]))),
  }
}

/** The query that an address asks for. Anybody can write one, so values that the server would refuse are ignored. */
export function readAddress(address: URLSearchParams) {
  const filters: Filters = {}
  for (const name of FILTERS) {
    const value = address.get(name)?.trim() ?? ''
    const isAll = name === 'status' && value === 'all'
    const isShown = !isDayFilter(name) || isUsualDay(value)
    if (value !== '' && !isAll && isShown && SHAPES?.[name].safeParse(value).success === true)
      filters[name] = value
  }
  const sort = CONTACT_SORTS.find((each) => each === address.get('sort')) ?? 'newest'
  return { filters, sort, ...readPage(address) }
}

const SHAPES = contacts.export.query?.shape

const isDayFilter = (name: FilterName) => name === 'last_contact_from' || name === 'last_contact_to'

/** The range of dates that a filter accepts; others are typos or still being typed. */
export const FIRST_DAY = '1970-01-01'
export const LAST_DAY = '2199-12-31'

/** True for a valid date within that range: while a user types 2026, the field first says 0002. */
export function isUsualDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && text >= FIRST_DAY && text <= LAST_DAY && isCalendarDay(text)
}

// JavaScript reads 30 February as 2 March.
function isCalendarDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** The filters as a query for the API. */
export function queryOf(filters: Filters): NonNullable<QueryInput<typeof contacts.export>> {
  return filters as NonNullable<QueryInput<typeof contacts.export>>
}
