import {
  ACTIVITIES_PAGES_MAX,
  ACTIVITY_SEARCH_MAX,
  ACTIVITY_TYPES,
  type ActivityType,
} from '#contract/accounts/activities.ts'
import { isDay } from '#contract/platform/typed-instant.ts'
import { pageChanges, pageOf, useListQuery } from '#web/platform/list-query.ts'

export type ActivityFilters = {
  search: string
  type: ActivityType | ''
  risk: string
  from: string
  to: string
}

const NONE: ActivityFilters = { search: '', type: '', risk: '', from: '', to: '' }

/** The filters of the list, kept in the page's address. Anybody can write an address: what is not a filter is left out. */
export function useActivityFilters() {
  const [query, change] = useListQuery()
  const day = (name: string) => (isDay(query.get(name) ?? '') ? (query.get(name) ?? '') : '')
  const filters: ActivityFilters = {
    search: (query.get('search') ?? '').slice(0, ACTIVITY_SEARCH_MAX),
    type: ACTIVITY_TYPES.find((type) => type === query.get('type')) ?? '',
    risk: /^(?:100|\d{1,2})$/.test(query.get('risk') ?? '') ? (query.get('risk') ?? '') : '',
    from: day('from'),
    to: day('to'),
  }
  const page = pageOf(query, ACTIVITIES_PAGES_MAX)
  return {
    filters,
    isFiltered: Object.values(filters).some((value) => value !== ''),
    page,
    change: (changes: Partial<Record<keyof ActivityFilters, string>>) => change(changes),
    setPage: (next: number) => change(pageChanges.page(next)),
    clear: () => change(NONE),
  }
}

/** The filters as the call wants them: days of this browser's time zone become instants. */
export function queryOf({ search, type, risk, from, to }: ActivityFilters, page: number) {
  return {
    page,
    limit: 50,
    search,
    ...(type === '' ? {} : { type }),
    ...(risk === '' ? {} : { min_risk: Number(risk) }),
    ...(from === '' ? {} : { from: midnight(from, 0) }),
    ...(to === '' ? {} : { to: midnight(to, 1) }),
  }
}

function midnight(day: string, daysLater: number): string {
  const at = new Date(`${day}T00:00:00`)
  at.setDate(at.getDate() + daysLater)
  return at.toISOString()
}
