import { type Email, emails } from '#contract/mail/emails.ts'
import { usePage } from '#web/platform/api/queries.ts'

export type EmailFilter = 'all' | 'sent' | 'received' | 'starred' | 'unread'

const SHOWN = 20

/** The folders of each filter; "recent" means both inbox and sent. */
const FOLDERS: Record<EmailFilter, { inbox: boolean; sent: boolean }> = {
  all: { inbox: true, sent: true },
  sent: { inbox: false, sent: true },
  received: { inbox: true, sent: false },
  starred: { inbox: true, sent: true },
  unread: { inbox: true, sent: false },
}

/** The newest mails, received and sent. A call lists one folder, so two are made and merged. */
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
