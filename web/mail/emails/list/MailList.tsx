import { ArrowUp } from 'lucide-react'
import {
  type Ref,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Email } from '#contract/mail/emails.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { useWide } from '#web/platform/ui/use-wide.ts'
import { groupByDay } from '#web/platform/dates/day-groups.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { firstViewIsShown } from '#web/platform/ui/first-view.ts'
import { Pagination } from '#web/platform/ui/Pagination.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { folderName } from '../mail/folders.ts'
import { ListHeader, PageSize } from './ListHeader.tsx'
import type { MailLocation } from '../page/page-location.ts'
import type { ListHandle } from '../page/row-focus.ts'
import { MailRows } from './MailRows.tsx'
import { NotSearchableYet } from './NotSearchableYet.tsx'
import { usePageSize } from '../page/page-size.ts'
import type { MailActionsHandle } from '../actions/use-mail-actions.tsx'
import { useMailList } from './use-mail-list.ts'
import { useNewMail } from './use-new-mail.ts'
import { useRowContext } from './use-row-context.ts'
import type { Selection } from '../page/use-selection.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const EmptyFolder = lazyPart(() => import('./EmptyFolder.tsx'), 'EmptyFolder')
const SelectEverything = lazyPart(() => import('./SelectAllBanner.tsx'), 'SelectAllBanner')
const TrashBanner = lazyPart(() => import('./TrashBanner.tsx'), 'TrashBanner')

/** The first list waits this long, so that a user who only passes through loads nothing. */
const FIRST_LOAD_MS = 100

export type MailListProps = {
  location: MailLocation
  now: Date
  actions: MailActionsHandle
  selection: Selection
  /** True if a mailbox is connected; undefined while unknown. */
  configured: boolean | undefined
  /** How many mails are in the trash of all accounts; undefined while unknown. */
  inTrash: number | undefined
  onCompose: () => void
  handle: Ref<ListHandle>
  className?: string
}

/** A folder: search, its mails by day, page numbers. */
export function MailList(props: MailListProps) {
  const { location, actions, selection, handle, className } = props
  const { folder, page, go } = location
  const [pageSize] = usePageSize(location)
  const list = useMailList(location, pageSize, useAfter(FIRST_LOAD_MS))
  const rows = list.shown?.rows ?? NO_ROWS
  const total = list.shown?.total ?? 0
  const scroller = useRef<HTMLDivElement>(null)
  const revealer = useRef<(id: number) => void>(() => {})
  useImperativeHandle(handle, () => ({ rows, reveal: (id) => revealer.current(id) }), [rows])
  useFirstView(list.shown !== undefined || list.error !== null)
  useExistingPage(list.data?.total, pageSize, location)
  useTopOfPage(scroller, page, list.isPlaceholderData)
  const isWide = useWide()
  // On phones the list takes the whole height, and the page numbers follow the last mail.
  const pages =
    total === 0 ? null : (
      <Pagination
        page={page}
        pageSize={pageSize}
        total={total}
        noun="emails"
        onPage={(next) => go({ page: next })}
        {...(isWide ? {} : { aside: <PageSize location={location} /> })}
        className="px-3 py-2 max-md:px-4 max-md:py-3 md:border-t md:border-line"
      />
    )
  return (
    <section
      aria-label={folderName(folder)}
      className={cx('flex min-h-0 min-w-0 flex-col bg-surface', className)}
    >
      <ListHeader location={location} rows={rows} selection={selection} actions={actions} />
      {folder === 'trash' ? (
        <Suspense fallback={<div className="h-10 border-b border-line bg-sunken" />}>
          <TrashBanner count={props.inTrash} isOfOne={location.mailbox !== null} />
        </Suspense>
      ) : null}
      {selection.mails.length > 0 && rows.length < total ? (
        <Suspense fallback={null}>
          <SelectEverything
            key={JSON.stringify({ ...list.asked, page: 1 })}
            location={location}
            asked={list.asked}
            total={total}
            rows={rows}
            selection={selection}
          />
        </Suspense>
      ) : null}
      <NotSearchableYet count={list.data?.notSearchable} />
      {list.news ? <NewMail onShow={() => go({ page: 1 })} /> : null}
      <div
        ref={scroller}
        // The checkboxes of all rows show while a mail is selected. An attribute here avoids rerendering the rows.
        data-choosing={selection.mails.length > 0 || undefined}
        className="min-h-0 flex-1 overflow-y-auto"
        aria-busy={list.isPlaceholderData || undefined}
      >
        <Body {...props} list={list} scroller={scroller} revealer={revealer} />
        {isWide ? null : pages}
      </div>
      {isWide ? pages : null}
    </section>
  )
}

const NO_ROWS: readonly Email[] = []

type BodyProps = MailListProps & {
  list: ReturnType<typeof useMailList>
  scroller: RefObject<HTMLDivElement | null>
  revealer: RefObject<(id: number) => void>
}

function Body(props: BodyProps) {
  const { location, now, selection, list, scroller, revealer } = props
  const timeZone = useTimeZone()
  const { shown, error } = list
  const rows = shown?.rows ?? NO_ROWS
  const isNew = useNewMail(rows, list.isPlaceholderData ? null : listOf(location))
  const groups = useMemo(() => groupByDay(rows, now, timeZone), [rows, now, timeZone])
  const context = useRowContext({ ...props, rows })
  if (shown === undefined && error !== null) {
    const why = error.status === 401 ? 'Please log in to view emails' : 'Email list not available'
    return <LoadFailed query={list} message={why} />
  }
  if (shown === undefined) return <LoadingRows />
  if (shown.total === 0) {
    return (
      <Suspense fallback={null}>
        <EmptyFolder {...props} isSearched={!list.data?.notSearchable} />
      </Suspense>
    )
  }
  return (
    <MailRows
      groups={groups}
      context={context}
      count={rows.length}
      openId={location.emailId}
      selection={selection}
      isNew={isNew}
      scroller={scroller}
      revealer={revealer}
    />
  )
}

const listOf = ({ folder, search, filter, mailbox, page }: MailLocation) =>
  [folder, search, filter, mailbox, page].join('\n')

function NewMail({ onShow }: { onShow: () => void }) {
  return (
    <button
      type="button"
      onClick={onShow}
      className="flex items-center justify-center gap-1.5 border-b border-line bg-accent-soft py-1.5 text-sm font-medium text-accent hover:text-accent-strong pointer-coarse:min-h-11"
    >
      <ArrowUp aria-hidden className="size-3.5" />
      New mail
    </button>
  )
}

function LoadingRows() {
  return (
    <div aria-busy="true" className="divide-y divide-line">
      {['w-1/2', 'w-2/5', 'w-3/5', 'w-1/3', 'w-1/2', 'w-2/5'].map((width, index) => (
        <div key={`${width}-${index < 4}`} className="flex h-20 flex-col justify-center gap-2 pr-4 pl-10">
          <Skeleton className={`h-3 ${width}`} />
          <Skeleton className="h-3 w-3/4" />
          <Skeleton className="h-3 w-full" />
        </div>
      ))}
    </div>
  )
}

/** True once `ms` have passed since the first render. */
function useAfter(ms: number): boolean {
  const [passed, setPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return passed
}

/** Reports the first view once the rows, or the reason for none, are shown. */
function useFirstView(isThere: boolean): void {
  useEffect(() => {
    if (isThere) firstViewIsShown()
  }, [isThere])
}

/** A new page starts at its top. */
function useTopOfPage(scroller: RefObject<HTMLElement | null>, page: number, isLoading: boolean): void {
  const read = useRef(page)
  useEffect(() => {
    if (isLoading || read.current === page) return
    read.current = page
    scroller.current?.scrollTo({ top: 0 })
  }, [scroller, page, isLoading])
}

/** A page number beyond the last, from a longer list or an old link, becomes the last page. */
function useExistingPage(total: number | undefined, pageSize: number, location: MailLocation): void {
  const last = Math.max(1, Math.ceil((total ?? 0) / pageSize))
  const isBeyond = total !== undefined && location.page > last
  const turnBack = useEffectEvent(() => location.go({ page: last }, { replace: true }))
  useEffect(() => {
    if (isBeyond) turnBack()
  }, [isBeyond])
}
