import { useAddressQuery } from './address.ts'

/** The highest page that an address may name; the server refuses much higher ones. */
const PAGE_MAX = 1_000_000

/** The rows of a page that a list offers, and what it shows by default. */
export const PAGE_SIZES = [25, 50, 100, 200] as const
export const PAGE_SIZE = 50

/**
 * The query of a list's address, and a function that changes some of it: what is undefined or empty goes. A list that is asked
 * for something else starts at its first page.
 */
export function useListQuery(): [
  query: URLSearchParams,
  change: (changes: Record<string, string | undefined>) => void,
] {
  const [query, setQuery] = useAddressQuery()
  const change = (changes: Record<string, string | undefined>) =>
    setQuery(
      (now) => {
        now.delete('page')
        for (const [name, value] of Object.entries(changes)) {
          if (value === undefined || value === '') now.delete(name)
          else now.set(name, value)
        }
        return now
      },
      { replace: true },
    )
  return [query, change]
}

/** What the page and its size are changed to. */
export const pageChanges = {
  page: (next: number) => ({ page: next === 1 ? undefined : String(next) }),
  pageSize: (next: number) => ({ page_size: next === PAGE_SIZE ? undefined : String(next) }),
}

/** The page that an address names. Anybody can write an address. */
export function pageOf(query: URLSearchParams, max = PAGE_MAX): number {
  return Math.min(max, Math.max(1, Math.trunc(Number(query.get('page'))) || 1))
}

/** The page that an address names, and its size. */
export function readPage(query: URLSearchParams) {
  const pageSize = PAGE_SIZES.find((each) => String(each) === query.get('page_size')) ?? PAGE_SIZE
  return { page: pageOf(query), pageSize }
}
