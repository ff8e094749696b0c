import { useSearchParams } from 'react-router'
import { type Folder, FOLDERS } from '#contract/emails.ts'

/** The last page that an address may name; the server refuses much higher ones. */
const PAGE_MAX = 1_000_000
export const SEARCH_MAX = 200

/** What the page shows stands in its address, so that going back, reloading and sharing a link keep it. */
export type MailAddress = { folder: Folder; search: string; page: number; emailId: number | null }

/** What an address asks for. Anybody can write one: what makes no sense is left aside. */
export function readMailAddress(query: URLSearchParams): MailAddress {
  const emailId = Number(query.get('email'))
  return {
    folder: FOLDERS.find((each) => each === query.get('folder')) ?? 'inbox',
    search: (query.get('search') ?? '').trim().slice(0, SEARCH_MAX),
    page: Math.min(PAGE_MAX, Math.max(1, Math.trunc(Number(query.get('page'))) || 1)),
    emailId: Number.isSafeInteger(emailId) && emailId > 0 ? emailId : null,
  }
}

/** The query of an address, without what goes without saying. */
export function mailQuery({ folder, search, page, emailId }: MailAddress): string {
  const query = new URLSearchParams({ folder })
  if (search !== '') query.set('search', search)
  if (page !== 1) query.set('page', String(page))
  if (emailId !== null) query.set('email', String(emailId))
  return query.toString()
}

export type MailPlace = MailAddress & {
  /** The query of a neighbouring place, for links. */
  to: (change: Partial<MailAddress>) => string
  /** Goes there; `replace` leaves no step for the Back button. */
  go: (change: Partial<MailAddress>, options?: { replace?: boolean }) => void
}

/** Where in the mail we are, and how to get elsewhere. */
export function useMailPlace(): MailPlace {
  const [query, setQuery] = useSearchParams()
  const here = readMailAddress(query)
  return {
    ...here,
    to: (change) => `?${mailQuery({ ...here, ...change })}`,
    go: (change, options = {}) =>
      setQuery(
        (before) => new URLSearchParams(mailQuery({ ...readMailAddress(before), ...change })),
        options,
      ),
  }
}
