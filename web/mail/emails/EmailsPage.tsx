import { useQueryClient } from '@tanstack/react-query'
import { PenLine, RefreshCw } from 'lucide-react'
import {
  lazy,
  memo,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Email } from '#contract/mail/email.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { fetchAhead } from '#web/platform/ui/first-view.ts'
import { useNow } from '#web/platform/ui/use-now.ts'
import { FolderNav } from './FolderNav.tsx'
import { type MailLocation, usePageLocation } from './page/page-location.ts'
import { findCachedMail } from './mail/cached-mail.ts'
import { focusedMail, focusRow, type ListHandle, neighbourOf } from './page/row-focus.ts'
import { loadSelectionBar } from './list/ListHeader.tsx'
import { LoadingMail } from './reading/LoadingMail.tsx'
import { MailList } from './list/MailList.tsx'
import { NothingOpen } from './reading/NothingOpen.tsx'
import { prefetchMail } from './mail/prefetch-mail.ts'
import { useCounts } from './use-counts.ts'
import { useInboxWatch } from './use-inbox-watch.ts'
import { loadActions, useMailActions } from './actions/use-mail-actions.tsx'
import { useFocusBack, useMailKeys } from './keyboard/use-mail-keys.ts'
import { type Selection, useSelection } from './page/use-selection.ts'
import { loadWriting, useWriting } from '#web/mail/compose/use-writing.tsx'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

// The list loads first; the code for reading follows while the user looks at it.
const loadReadingPane = () => import('./reading/ReadingPane.tsx')
const ReadingPane = lazy(() => loadReadingPane().then((part) => ({ default: memo(part.ReadingPane) })))
const loadMailActions = () => import('./actions/MailActions.tsx')
const MailActions = lazyPart(loadMailActions, 'MailActions')

// Hardly ever shown.
const ProblemLine = lazyPart(() => import('./ProblemLine.tsx'), 'ProblemLine')

const FOR_READING = [loadReadingPane, loadMailActions, loadActions]

/** Loads the code that is likely to be needed soon; code needed at once is requested again. */
const loadTheRest = () =>
  void fetchAhead([
    ...FOR_READING,
    loadSelectionBar,
    () => import('./actions/ConfirmAction.tsx'),
    loadWriting,
  ])

/** A user who points at the mails or reaches them by keyboard is about to open one. */
const loadForReading = () => load(FOR_READING)
const loadForWriting = () => load([loadWriting])

function load(parts: readonly (() => Promise<unknown>)[]): void {
  // Failures are ignored here: the component that needs the code reports them.
  for (const part of parts) part().catch(() => undefined)
}

/** Ages of mails are exact to the minute. */
const TICK_MS = 30_000

/** The mail page: folders, the list of one folder, and the open mail. On phones they take turns. */
export function EmailsPage() {
  const client = useQueryClient()
  const location = usePageLocation()
  const now = useNow(TICK_MS)
  const counts = useCounts(location.mailbox)
  const settings = useEndpoint(mailboxes.get)
  const accounts = useEndpoint(mailboxes.accounts)
  const isTroubled = [settings.data, ...(accounts.data ?? [])].some(
    (each) => (each?.last_error ?? null) !== null,
  )
  const configured = settings.data?.configured
  const lookForMail = useInboxWatch(configured === true && location.folder === 'inbox')
  const list = useRef<ListHandle>(null)
  const refreshButton = useRef<HTMLButtonElement>(null)
  const { folder, search, filter, mailbox } = location
  const selection = useSelection([folder, search, filter, mailbox].join('\n'))
  const actions = useMailActions((action, mails) => leave({ action, mails, location, list, selection }))
  const writing = useWriting(() => location.go({ folder: 'scheduled', search: '', page: 1, emailId: null }))
  const { start } = writing
  const compose = () => start({ kind: 'new' })
  const { perform } = actions
  const renderActions = useCallback(
    (mail: Email) => <MailActions mail={mail} actions={{ perform }} startWriting={start} />,
    [perform, start],
  )
  const opened = location.emailId === null ? undefined : findCachedMail(client, location.emailId)
  useMailKeys({ location, list, opened, actions, selection, startWriting: start })
  useFocusBack(location.emailId, list)
  usePrefetchNext(location.emailId, list)
  useEffect(loadTheRest, [])
  const beside = cx(location.emailId !== null && 'max-lg:hidden')

  return (
    <div className="flex h-full flex-col">
      <Header className={beside} refreshButton={refreshButton} onRefresh={lookForMail} onCompose={compose} />
      {isTroubled ? (
        <Suspense fallback={null}>
          <ProblemLine
            settings={settings.data}
            accounts={accounts.data ?? []}
            now={now}
            next={refreshButton}
          />
        </Suspense>
      ) : null}
      <div
        onPointerEnter={loadForReading}
        onFocus={loadForReading}
        className="grid min-h-0 flex-1 grid-rows-[auto_minmax(0,1fr)] border-t border-line lg:grid-cols-[23.75rem_minmax(0,1fr)] xl:grid-cols-[12.5rem_23.75rem_minmax(0,1fr)] xl:grid-rows-[minmax(0,1fr)]"
      >
        <FolderNav location={location} counts={counts.shown} className={beside} />
        {/* Another folder is another list and must not start with the rows of the last one. */}
        <MailList
          key={location.folder}
          handle={list}
          location={location}
          now={now}
          actions={actions}
          selection={selection}
          configured={configured}
          inTrash={counts.all?.trash}
          onCompose={compose}
          className={beside}
        />
        {location.emailId === null ? (
          <NothingOpen />
        ) : (
          <Suspense fallback={<PaneComing />}>
            <ReadingPane
              key={location.emailId}
              id={location.emailId}
              location={location}
              now={now}
              startWriting={start}
              renderActions={renderActions}
            />
          </Suspense>
        )}
      </div>
      {writing.dialog}
      {actions.dialog}
    </div>
  )
}

/** Shown while the reading pane's code is loading. */
function PaneComing() {
  return (
    <section
      aria-label="Email"
      aria-busy="true"
      className="bg-surface pt-12 max-lg:row-span-2 lg:border-l lg:border-line"
    >
      <LoadingMail />
    </section>
  )
}

type Leaving = {
  action: MailAction
  mails: readonly Email[]
  location: MailLocation
  list: RefObject<ListHandle | null>
  selection: Selection
}

/** Called before mails disappear: opens or focuses the next one and deselects them. */
function leave({ action, mails, location, list, selection }: Leaving): void {
  const gone = new Set(mails.map(({ id }) => id))
  const isOpen = location.emailId !== null && gone.has(location.emailId)
  if (action === 'unread') {
    if (isOpen) location.go({ emailId: null }, { replace: true })
    return
  }
  if (mails.some(({ id }) => selection.has(id))) selection.clear()
  const from = isOpen
    ? location.emailId
    : (focusedMail() ?? (mails.length === 1 ? (mails[0]?.id ?? null) : null))
  if (from === null || !gone.has(from)) return
  const next = neighbourOf(list.current?.rows ?? [], from, gone)
  if (isOpen) location.go({ emailId: next?.id ?? null }, { replace: true })
  if (next !== undefined) focusRow(list.current, next.id)
}

/** Prefetches the next mail while one is read. */
function usePrefetchNext(emailId: number | null, list: RefObject<ListHandle | null>): void {
  const client = useQueryClient()
  const fetchNext = useEffectEvent(() => {
    const rows = list.current?.rows ?? []
    const at = rows.findIndex(({ id }) => id === emailId)
    const next = at === -1 ? undefined : rows[at + 1]
    if (next !== undefined) prefetchMail(client, next.id)
  })
  useEffect(() => {
    if (emailId === null) return undefined
    const timer = setTimeout(() => fetchNext(), PREFETCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [emailId])
}
/** The opened mail loads first. */
const PREFETCH_AFTER_MS = 250

type HeaderProps = {
  className: string
  refreshButton: RefObject<HTMLButtonElement | null>
  onRefresh: () => Promise<void>
  onCompose: () => void
}

function Header({ className, refreshButton, onRefresh, onCompose }: HeaderProps) {
  useDocumentTitle('Email Management')
  const timeZone = useTimeZone()
  // The refresh icon turns only on the user's request: the mailbox is checked all the time.
  const [refreshing, setRefreshing] = useState(false)
  const again = () => {
    setRefreshing(true)
    void onRefresh().finally(() => setRefreshing(false))
  }
  return (
    <header className={cx('flex items-center justify-between gap-3 px-4 py-1 md:px-6 md:py-4', className)}>
      <div className="min-w-0 items-baseline gap-x-3 max-md:leading-tight md:flex md:flex-wrap">
        <h1 className="font-display text-xl font-medium tracking-tight max-md:text-lg max-md:leading-tight">
          Email Management
        </h1>
        <p className="text-ink-2 max-md:truncate max-md:text-xs">
          Times are in {timeZone.replaceAll('_', ' ')}
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          ref={refreshButton}
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
          onPointerEnter={loadForWriting}
          onFocus={loadForWriting}
        >
          <span className="max-sm:hidden">Compose</span>
        </Button>
      </div>
    </header>
  )
}
