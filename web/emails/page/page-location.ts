import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { type Folder, FOLDERS } from '#contract/email.ts'
import { useAddressChange } from '#web/address.ts'

/** The last page that an address may name; the server refuses much higher ones. */
const PAGE_MAX = 1_000_000
export const SEARCH_MAX = 200
export const PAGE_SIZES = [5, 10, 20, 50] as const
export const FILTERS = ['all', 'unread', 'starred', 'attachments'] as const
export type Filter = (typeof FILTERS)[number]

/** What the page shows stands in its address, so that going back, reloading and sharing a link keep it. */
export type PageLocation = {
  folder: Folder
  search: string
  filter: Filter
  /** One account of several; null for all of them. */
  mailbox: number | null
  page: number
  /** Null where the address does not say: then this browser's habit counts. */
  pageSize: number | null
  emailId: number | null
}

/** What an address asks for. Anybody can write one: what makes no sense is left aside. */
export function readPageLocation(query: URLSearchParams): PageLocation {
  return {
    folder: FOLDERS.find((each) => each === query.get('folder')) ?? 'inbox',
    search: (query.get('search') ?? '').trim().slice(0, SEARCH_MAX),
    filter: FILTERS.find((each) => each === query.get('filter')) ?? 'all',
    mailbox: readId(query.get('mailbox')),
    page: Math.min(PAGE_MAX, Math.max(1, Math.trunc(Number(query.get('page'))) || 1)),
    pageSize: PAGE_SIZES.find((size) => String(size) === query.get('page_size')) ?? null,
    emailId: readId(query.get('email')),
  }
}

function readId(text: string | null): number | null {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** The query of an address, without what goes without saying. */
export function mailQuery(address: PageLocation): string {
  const { folder, search, filter, mailbox, page, pageSize, emailId } = address
  const query = new URLSearchParams({ folder })
  if (search !== '') query.set('search', search)
  if (filter !== 'all') query.set('filter', filter)
  if (mailbox !== null) query.set('mailbox', String(mailbox))
  if (page !== 1) query.set('page', String(page))
  if (pageSize !== null) query.set('page_size', String(pageSize))
  if (emailId !== null) query.set('email', String(emailId))
  return query.toString()
}

export type MailLocation = PageLocation & {
  /** The query of another location, for links. */
  to: (change: Partial<PageLocation>) => string
  /** Goes there; `replace` leaves no step for the Back button. */
  go: (change: Partial<PageLocation>, options?: { replace?: boolean }) => void
}

/** Where in the mail we are, and how to get elsewhere. */
export function usePageLocation(): MailLocation {
  const [query] = useSearchParams()
  const change = useAddressChange()
  return useMemo(() => {
    const here = readPageLocation(query)
    return {
      ...here,
      to: (part) => `?${mailQuery({ ...here, ...part })}`,
      go: (part, options = {}) =>
        change((now) => new URLSearchParams(mailQuery({ ...readPageLocation(now), ...part })), options),
    }
  }, [query, change])
}

/** A folder from its beginning. */
export const startOf = (folder: Folder): Partial<PageLocation> => ({
  folder,
  search: '',
  filter: 'all',
  page: 1,
  emailId: null,
})
