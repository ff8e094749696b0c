import { ArrowRight, PenLine, RefreshCw } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { emails } from '#contract/emails.ts'
import { mailboxes } from '#contract/mailboxes.ts'
import { useEndpoint } from '#web/api/queries.ts'
import { useTimeZone } from '#web/auth/use-time-zone.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { useDocumentTitle } from '#web/ui/document-title.ts'
import { FolderNav } from './FolderNav.tsx'
import { useMailPlace } from './mail-address.ts'
import { MailList } from './MailList.tsx'
import { NothingOpen } from './NothingOpen.tsx'
import { ReadingPane } from './ReadingPane.tsx'
import { troubleOf } from './trouble.ts'
import { useInboxWatch } from './use-inbox-watch.ts'
import { useFocusBack, useMailKeys } from './use-mail-keys.ts'
import { useNow } from '#web/ui/use-now.ts'

const ComposeDialog = lazy(() =>
  import('./ComposeDialog.tsx').then((part) => ({ default: part.ComposeDialog })),
)

/** Ages of mails are told to the minute. */
const TICK_MS = 30_000

/** The mail: folders, the list of one, and the mail that is open. On phones one after the other. */
export function EmailsPage() {
  const place = useMailPlace()
  const now = useNow(TICK_MS)
  const counts = useEndpoint(emails.counts)
  const settings = useEndpoint(mailboxes.get)
  const configured = settings.data?.configured
  const [composing, setComposing] = useState({ open: false, turn: 0 })
  const compose = () => setComposing({ open: true, turn: composing.turn + 1 })
  const lookForMail = useInboxWatch(configured === true && place.folder === 'inbox')
  useMailKeys(place)
  useFocusBack(place.emailId)
  const isReading = place.emailId !== null
  const beside = cx(isReading && 'max-lg:hidden')

  return (
    <div className="flex h-full flex-col">
      <Header className={beside} onRefresh={lookForMail} onCompose={compose} />
      <Trouble text={troubleOf(settings.data)} />
      <div className="grid min-h-0 flex-1 grid-rows-[auto_minmax(0,1fr)] border-t border-line lg:grid-cols-[23.75rem_minmax(0,1fr)] xl:grid-cols-[12.5rem_23.75rem_minmax(0,1fr)] xl:grid-rows-[minmax(0,1fr)]">
        <FolderNav
          folder={place.folder}
          counts={counts.data}
          onFolder={(folder) => place.go({ folder, search: '', page: 1, emailId: null })}
          className={beside}
        />
        {/* Another folder is another list: it does not begin with the rows of the last. */}
        <MailList
          key={place.folder}
          place={place}
          now={now}
          configured={configured}
          onCompose={compose}
          className={beside}
        />
        {place.emailId === null ? (
          <NothingOpen />
        ) : (
          <ReadingPane key={place.emailId} id={place.emailId} place={place} now={now} />
        )}
      </div>
      <Suspense fallback={null}>
        {composing.turn === 0 ? null : (
          <ComposeDialog
            key={composing.turn}
            open={composing.open}
            onClose={() => setComposing({ ...composing, open: false })}
            onScheduled={() => place.go({ folder: 'scheduled', search: '', page: 1, emailId: null })}
          />
        )}
      </Suspense>
    </div>
  )
}

type HeaderProps = { className: string; onRefresh: () => Promise<void>; onCompose: () => void }

function Header({ className, onRefresh, onCompose }: HeaderProps) {
  useDocumentTitle('Email Management')
  const timeZone = useTimeZone()
  // Only what the user has asked for turns the ring: the mailbox is looked into all the time.
  const [refreshing, setRefreshing] = useState(false)
  const again = () => {
    setRefreshing(true)
    void onRefresh().finally(() => setRefreshing(false))
  }
  return (
    <header className={cx('flex items-center justify-between gap-3 px-4 py-3 md:px-6 md:py-4', className)}>
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        <h1 className="font-display text-xl font-medium tracking-tight">Email Management</h1>
        <p className="text-ink-2">Times are in {timeZone.replaceAll('_', ' ')}</p>
      </div>
      <div className="flex gap-2">
        <Button
          icon={<RefreshCw aria-hidden className="size-4" />}
          aria-label="Refresh"
          busy={refreshing}
          onClick={again}
        >
          <span className="max-sm:hidden">Refresh</span>
        </Button>
        <Button
          variant="primary"
          icon={<PenLine aria-hidden className="size-4" />}
          aria-label="Compose"
          onClick={onCompose}
        >
          <span className="max-sm:hidden">Compose</span>
        </Button>
      </div>
    </header>
  )
}

function Trouble({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 border-t border-line bg-amber-soft px-4 py-1.5 text-sm md:px-6">
      <span className="min-w-0 wrap-anywhere">{text}</span>
      <Link to={paths.profile} className="inline-flex items-center gap-1 text-link">
        Check your email settings
        <ArrowRight aria-hidden className="size-3.5" />
      </Link>
    </p>
  )
}
