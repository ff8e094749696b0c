import { Archive, Clock, FileText, Inbox, OctagonAlert, Send, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { emails, Folder } from '#contract/mail/emails.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { FOLDER_ROWS } from './mail/folders.ts'
import { type MailLocation, startOf } from './page/page-location.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'

const ICONS: Record<Folder, ReactNode> = {
  inbox: <Inbox aria-hidden />,
  sent: <Send aria-hidden />,
  drafts: <FileText aria-hidden />,
  scheduled: <Clock aria-hidden />,
  archived: <Archive aria-hidden />,
  spam: <OctagonAlert aria-hidden />,
  trash: <Trash2 aria-hidden />,
}

type FolderNavProps = {
  location: MailLocation
  counts: ReplyOf<typeof emails.counts> | undefined
  className?: string
}

/** The folders: a column on wide screens, a strip above the list on narrow ones. */
export function FolderNav({ location, counts, className }: FolderNavProps) {
  const open = location.folder
  const strip = useRef<HTMLElement>(null)
  useEffect(() => {
    strip.current
      ?.querySelector(`[data-folder=${open}]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [open])
  return (
    <nav
      ref={strip}
      aria-label="Folders"
      className={cx(
        'flex items-center gap-2 overflow-x-auto border-line px-3 py-0.5 max-xl:border-b md:py-2 lg:max-xl:col-span-2 xl:flex-col xl:items-stretch xl:overflow-y-auto xl:border-r xl:py-3',
        className,
      )}
    >
      <MailboxPicker location={location} />
      <ul className="flex gap-0.5 xl:flex-col">
        {FOLDER_ROWS.map(({ folder, name, count }) => {
          const figure = count === undefined ? 0 : (counts?.[count] ?? 0)
          return (
            <li key={folder}>
              <button
                type="button"
                data-folder={folder}
                aria-current={folder === open ? 'page' : undefined}
                onClick={() => location.go(startOf(folder))}
                className={rowClass}
              >
                {ICONS[folder]}
                <span className="xl:flex-1">{name}</span>
                {figure > 0 ? (
                  <span className={cx('text-sm tabular-nums', folder === 'inbox' && 'font-semibold')}>
                    {' '}
                    {figure.toLocaleString('en')}
                  </span>
                ) : null}
              </button>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

const rowClass =
  'flex h-8.5 w-full items-center gap-2.5 rounded-md px-2.5 text-left whitespace-nowrap text-ink-2 transition-colors hover:bg-sunken hover:text-ink ' +
  'aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-ink focus-visible:-outline-offset-2 pointer-coarse:h-11 [&_svg]:size-4'

/** Accounts seldom change. */
const FRESH_MS = 60_000

/** Selects one account or all; not shown with fewer than two. */
function MailboxPicker({ location }: { location: MailLocation }) {
  const accounts = useEndpoint(mailboxes.accounts, { staleTime: FRESH_MS })
  const known = accounts.data ?? []
  if (known.length < 2) return null
  return (
    <Field label="Mailbox" hideLabel className="max-xl:w-44 max-xl:shrink-0">
      <Select
        value={location.mailbox ?? ''}
        onChange={({ target }) =>
          location.go({ mailbox: target.value === '' ? null : Number(target.value), page: 1, emailId: null })
        }
        options={[
          { value: '', label: 'All mailboxes' },
          ...known.map(({ id, address, practice }) => ({
            value: String(id),
            label: practice ? `${address} (practice)` : address,
          })),
        ]}
      />
    </Field>
  )
}
