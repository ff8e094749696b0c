import { CalendarDays, FileText, ListTodo, Mail, RotateCw, Search, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { contacts } from '#contract/crm/contacts.ts'
import { type Email, emails } from '#contract/mail/emails.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { money } from '#contract/invoicing/money.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { todos } from '#contract/crm/todos.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { contactPath } from '#web/crm/contacts/contact-path.ts'
import { fullDate, mailAge } from '#web/platform/dates/mail-age.ts'
import { documentName, invoicePath, statusText } from '#web/invoicing/invoices/list/invoice-text.ts'
import { paths } from '#web/platform/paths.ts'
import { useNow } from '#web/platform/ui/use-now.ts'
import { dayText } from '#web/crm/todos/todo-text.ts'
import { byNearness, type Group, type Item, newestOf } from './findings.ts'

const MINUTE_MS = 60_000
/** How many rows of each kind are shown. */
const SHOWN = 5
const MAIL_FOLDERS = ['inbox', 'sent', 'archived'] as const

type Asked = { error: unknown; isFetching: boolean; isPlaceholderData: boolean; refetch: () => unknown }

type Found = { groups: Group[]; fresh: boolean; notSearchable: number | undefined }

/** Searches the user's contacts, mails, meetings, invoices and tasks; `fresh` once all results belong to this text. */
export function useFound(text: string): Found {
  const timeZone = useTimeZone()
  const navigate = useNavigate()
  const now = useNow(MINUTE_MS)
  const enabled = text !== ''
  const query = { search: text, page_size: SHOWN }
  const people = usePage(contacts.list, { query: { ...query, sort: 'newest', total: 'rough' }, enabled })
  const inbox = usePage(emails.list, { query: { ...query, folder: 'inbox' }, enabled })
  const sent = usePage(emails.list, { query: { ...query, folder: 'sent' }, enabled })
  const archived = usePage(emails.list, { query: { ...query, folder: 'archived' }, enabled })
  const met = usePage(meetings.list, { query: { search: text, limit: SHOWN, time_zone: timeZone }, enabled })
  const tasks = usePage(todos.list, { query, enabled })
  const billed = usePage(invoices.list, { query, enabled })
  if (!enabled) return { groups: [], fresh: true, notSearchable: undefined }

  const found: { name: string; asked: Asked[]; items: Item[] }[] = [
    {
      name: 'Contacts',
      asked: [people],
      items: (people.data?.rows ?? []).map((row) => ({
        id: `contact-${row.id}`,
        icon: <UserRound aria-hidden />,
        title: row.name,
        note: [row.email, row.company].filter(Boolean).join(' · '),
        run: () => void navigate(contactPath(row.id)),
      })),
    },
    {
      name: 'Emails',
      asked: [inbox, sent, archived],
      items: newestOf(
        [inbox, sent, archived].map(({ data }, at) =>
          (data?.rows ?? []).map((row) => ({ ...row, folder: MAIL_FOLDERS[at] ?? 'inbox' })),
        ),
        ({ timestamp }) => timestamp,
        SHOWN,
      ).map((row) => ({
        id: `email-${row.id}`,
        icon: <Mail aria-hidden />,
        title: row.subject || 'No subject',
        note: correspondentOf(row),
        when: mailAge(new Date(row.timestamp), now, timeZone),
        run: () => void navigate(`${paths.emails}?folder=${row.folder}&email=${row.id}`),
      })),
    },
    {
      name: 'Meetings',
      asked: [met],
      items: byNearness(met.data?.rows ?? [], now)
        .slice(0, SHOWN)
        .map((row) => ({
          id: `meeting-${row.id}`,
          icon: <CalendarDays aria-hidden />,
          title: row.title,
          note: row.location,
          when: fullDate(new Date(row.start_time), timeZone),
          run: () => void navigate(`${paths.meetings}?open=${row.id}`),
        })),
    },
    {
      name: 'Invoices',
      asked: [billed],
      items: (billed.data?.rows ?? []).map((row) => ({
        id: `invoice-${row.id}`,
        icon: <FileText aria-hidden />,
        title: documentName(row),
        note: [row.customer, money(row.sums.total, row.currency)].filter(Boolean).join(' · '),
        when: statusText(row),
        run: () => void navigate(invoicePath(row.id)),
      })),
    },
    {
      name: 'Tasks',
      asked: [tasks],
      items: (tasks.data?.rows ?? []).map((row) => ({
        id: `task-${row.id}`,
        icon: <ListTodo aria-hidden />,
        title: row.title,
        note: row.completed ? 'Completed' : (row.contact?.name ?? row.email?.subject ?? ''),
        when: row.due_date === null ? '' : dayText(row.due_date),
        run: () => void navigate(paths.dashboard, { state: { task: row } }),
      })),
    },
  ]
  const fresh = found.every(({ asked }) => asked.every((each) => !each.isFetching && !each.isPlaceholderData))
  const groups = found.map(({ name, asked, items }) => ({
    name,
    items: [
      ...items,
      ...asked
        .filter(failed)
        .slice(0, 1)
        .map(() => askAgain(name, asked)),
    ],
  }))
  const everywhere: Item = {
    id: 'all-emails',
    icon: <Search aria-hidden />,
    title: `Search all emails for “${text}”`,
    run: () =>
      void navigate(`${paths.emails}?${new URLSearchParams({ folder: 'inbox', search: text }).toString()}`),
  }
  const { notSearchable } = inbox.data ?? {}
  return { groups: [...groups, { name: 'More', items: [everywhere] }], fresh, notSearchable }
}

const failed = ({ error }: Asked) => error !== null

/** Shown in place of a group that failed to load; choosing it retries. */
function askAgain(name: string, asked: readonly Asked[]): Item {
  const icon: ReactNode = <RotateCw aria-hidden />
  return {
    id: `${STAYS_OPEN}${name}`,
    icon,
    title: `${name} could not be searched. Try again`,
    run: () => {
      for (const each of asked) if (failed(each)) void each.refetch()
    },
  }
}

/** The prefix of ids whose lines do not close the palette. */
export const STAYS_OPEN = 'again-'

function correspondentOf(mail: Email): string {
  return mail.status === 'received' ? mail.sender : `To ${mail.to_names || mail.to}`
}
