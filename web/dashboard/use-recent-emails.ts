import { type Email, emails } from '#contract/emails.ts'
import { usePage } from '#web/api/queries.ts'

export type EmailFilter = 'all' | 'sent' | 'received' | 'starred' | 'unread'

const SHOWN = 20

/** Which folders a filter looks into; "recent" are the two that mail arrives in and leaves by. */
const FOLDERS: Record<EmailFilter, { inbox: boolean; sent: boolean }> = {
  all: { inbox: true, sent: true },
  sent: { inbox: false, sent: true },
  received: { inbox: true, sent: false },
  starred: { inbox: true, sent: true },
  unread: { inbox: true, sent: false },
}

/** The newest mails in and out. A call gives one folder: two are asked for and put in order. */
export function useRecentEmails(search: string, filter: EmailFilter) {
  const wanted = FOLDERS[filter]
  const query = {
    search,
    page_size: SHOWN,
    ...(filter === 'starred' || filter === 'unread' ? { filter } : {}),
  }
  const inbox = usePage(emails.list, { query: { ...query, folder: 'inbox' }, enabled: wanted.inbox })
  const sent = usePage(emails.list, { query: { ...query, folder: 'sent' }, enabled: wanted.sent })
  const asked = [...(wanted.inbox ? [inbox] : []), ...(wanted.sent ? [sent] : [])]
  const rows: Email[] = asked.flatMap(({ data }) => data?.rows ?? [])
  return {
    rows: rows.toSorted((a, b) => b.timestamp.localeCompare(a.timestamp)).slice(0, SHOWN),
    failed: asked.some(({ error }) => error !== null),
    loading: asked.some(({ data }) => data === undefined),
    refetch: () => Promise.all(asked.map((page) => page.refetch())),
  }
}
