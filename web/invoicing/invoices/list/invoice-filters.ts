import { INVOICE_SORTS, type InvoiceFilter, type InvoiceSort } from '#contract/invoicing/saved-invoices.ts'
import { pageChanges, readPage, useListQuery } from '#web/platform/list-query.ts'

const SEARCH_MAX = 200

/** The tabs above the list. */
export const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'draft', label: 'Drafts' },
  { value: 'open', label: 'Open' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'paid', label: 'Paid' },
  { value: 'credit_notes', label: 'Credit notes' },
  { value: 'quotes', label: 'Quotes' },
] as const satisfies readonly { value: InvoiceFilter; label: string }[]
export type TabFilter = (typeof FILTERS)[number]['value']

/** Filter, search, sort and page, kept in the address so that Back and a reload restore them. */
export function useInvoiceFilters() {
  const [address, change] = useListQuery()
  return {
    ...readAddress(address),
    setFilter: (next: TabFilter) => change({ status: next === 'all' ? undefined : next }),
    setSearch: (next: string) => change({ search: next }),
    setSort: (next: InvoiceSort) => change({ sort: next === 'newest' ? undefined : next }),
    setPage: (next: number) => change(pageChanges.page(next)),
    setPageSize: (next: number) => change(pageChanges.pageSize(next)),
    clear: () => change({ status: undefined, search: undefined }),
  }
}

/** What an address asks for. Anybody can write one, so values that the server would refuse are ignored. */
export function readAddress(address: URLSearchParams) {
  const filter: TabFilter = FILTERS.find(({ value }) => value === address.get('status'))?.value ?? 'all'
  const sort = INVOICE_SORTS.find((each) => each === address.get('sort')) ?? 'newest'
  return {
    filter,
    search: (address.get('search') ?? '').trim().slice(0, SEARCH_MAX),
    sort,
    ...readPage(address),
  }
}
