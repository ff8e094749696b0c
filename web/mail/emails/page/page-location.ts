import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { type Folder, FOLDERS } from '#contract/mail/email.ts'
import { useAddressChange } from '#web/platform/address.ts'
import { pageOf } from '#web/platform/list-query.ts'

export const SEARCH_MAX = 200
export const PAGE_SIZES = [5, 10, 20, 50] as const
export const FILTERS = ['all', 'unread', 'starred', 'attachments', 'reports'] as const
export type Filter = (typeof FILTERS)[number]

/** The state of the page that is in its address, so that Back, a reload and a shared link keep it. */
export type PageLocation = {
  folder: Folder
  search: string
  filter: Filter
  /** One account of several; null for all of them. */
  mailbox: number | null
  page: number
  /** Null if the address does not say; then the size last chosen in this browser is used. */
  pageSize: number | null
  emailId: number | null
}

/** The location that an address asks for. Anybody can write one, so invalid values are ignored. */
export function readPageLocation(query: URLSearchParams): PageLocation {
  return {
    folder: FOLDERS.find((each) => each === query.get('folder')) ?? 'inbox',
    search: (query.get('search') ?? '').trim().slice(0, SEARCH_MAX),
    filter: FILTERS.find((each) => each === query.get('filter')) ?? 'all',
    mailbox: readId(query.get('mailbox')),
    page: pageOf(query),
    pageSize: PAGE_SIZES.find((size) => String(size) === query.get('page_size')) ?? null,
    emailId: readId(query.get('email')),
  }
}

function readId(text: string | null): number | null {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** The query of an address, without default values. */
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
  /** The query of a changed location, for links. */
  to: (change: Partial<PageLocation>) => string
  /** Navigates there; `replace` adds no step to the history. */
  go: (change: Partial<PageLocation>, options?: { replace?: boolean }) => void
}

/** The current location within the mail page, and functions to navigate from it. */
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

/** The first page of a folder, without search, filter or open mail. */
export const startOf = (folder: Folder): Partial<PageLocation> => ({
  folder,
  search: '',
  filter: 'all',
  page: 1,
  emailId: null,
})
