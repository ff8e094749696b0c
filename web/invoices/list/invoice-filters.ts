import { INVOICE_SORTS, type InvoiceFilter, type InvoiceSort } from '#contract/saved-invoices.ts'
import { useAddressQuery } from '#web/address.ts'

export const PAGE_SIZES = [25, 50, 100, 200] as const
const PAGE_SIZE = 50
const PAGE_MAX = 1_000_000
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
  const [address, setAddress] = useAddressQuery()
  const change = (changes: Record<string, string | undefined>) =>
    setAddress(
      (query) => {
        // A new query starts at its first page.
        query.delete('page')
        for (const [name, value] of Object.entries(changes)) {
          if (value === undefined || value === '') query.delete(name)
          else query.set(name, value)
        }
        return query
      },
      { replace: true },
    )
  return {
    ...readAddress(address),
    setFilter: (next: TabFilter) => change({ status: next === 'all' ? undefined : next }),
    setSearch: (next: string) => change({ search: next }),
    setSort: (next: InvoiceSort) => change({ sort: next === 'newest' ? undefined : next }),
    setPage: (next: number) => change({ page: next === 1 ? undefined : String(next) }),
    setPageSize: (next: number) => change({ page_size: next === PAGE_SIZE ? undefined : String(next) }),
    clear: () => change({ status: undefined, search: undefined }),
  }
}

/** What an address asks for. Anybody can write one, so values that the server would refuse are ignored. */
export function readAddress(address: URLSearchParams) {
  const filter: TabFilter = FILTERS.find(({ value }) => value === address.get('status'))?.value ?? 'all'
  const sort = INVOICE_SORTS.find((each) => each === address.get('sort')) ?? 'newest'
  const page = Math.min(PAGE_MAX, Math.max(1, Math.trunc(Number(address.get('page'))) || 1))
  const pageSize = PAGE_SIZES.find((each) => String(each) === address.get('page_size')) ?? PAGE_SIZE
  return { filter, search: (address.get('search') ?? '').trim().slice(0, SEARCH_MAX), sort, page, pageSize }
}
