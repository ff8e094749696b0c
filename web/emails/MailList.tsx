import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { emails } from '#contract/emails.ts'
import { usePage } from '#web/api/queries.ts'
import { useTimeZone } from '#web/auth/use-time-zone.ts'
import { DelayedInput } from '#web/ui/DelayedInput.tsx'
import { useSlash } from '#web/ui/use-slash.ts'
import { groupByDay } from '#web/email-text/day-groups.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/Button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { SearchInput } from '#web/ui/SearchInput.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { EMPTY_HINTS, folderName } from './folders.ts'
import { type MailPlace, SEARCH_MAX } from './mail-address.ts'
import { MailRow } from './MailRow.tsx'
import { PAGE_SIZES, usePageSize } from './page-size.ts'

/** The first list waits so long, for whoever only passes by. */
const FIRST_LOAD_MS = 100

export type MailListProps = {
  place: MailPlace
  now: Date
  /** Whether there is a mailbox; undefined while that is not known. */
  configured: boolean | undefined
  onCompose: () => void
  className?: string
}

/** One folder: search, its mails by day, pages. */
export function MailList(props: MailListProps) {
  const { place, className } = props
  const { folder, search, page, go } = place
  const timeZone = useTimeZone()
  const [pageSize, setPageSize] = usePageSize()
  const result = usePage(emails.list, {
    query: { folder, search, page, page_size: pageSize, timezone: timeZone },
    headers: { 'X-User-Timezone': timeZone },
    enabled: useAfter(FIRST_LOAD_MS),
  })
  const box = useRef<HTMLInputElement>(null)
  useSlash(box)
  useExistingPage(result.data?.total, pageSize, place)
  const total = result.data?.total ?? 0
  return (
    <section
      aria-label={folderName(folder)}
      className={cx('flex min-h-0 min-w-0 flex-col bg-surface', className)}
    >
      <div className="flex gap-2 border-b border-line p-3">
        <Field label="Search emails" hideLabel className="flex-1">
          <DelayedInput
            value={search}
            onRest={(text) => go({ search: text.trim(), page: 1 }, { replace: true })}
          >
            {(control) => (
              <SearchInput ref={box} maxLength={SEARCH_MAX} placeholder="Search emails..." {...control} />
            )}
          </DelayedInput>
        </Field>
        <Field label="Emails per page" hideLabel className="w-30">
          <Select
            value={pageSize}
            onChange={(event) => {
              setPageSize(Number(event.target.value))
              go({ page: 1 }, { replace: true })
            }}
            options={PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} per page` }))}
          />
        </Field>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto" aria-busy={result.isPlaceholderData || undefined}>
        <Body {...props} result={result} />
      </div>
      {total === 0 ? null : (
        <Pagination
          page={page}
          pageSize={pageSize}
          total={total}
          noun="emails"
          onPage={(next) => go({ page: next })}
          className="border-t border-line px-3 py-2"
        />
      )}
    </section>
  )
}

function Body(props: MailListProps & { result: ReturnType<typeof usePage<typeof emails.list>> }) {
  const { place, now, result } = props
  const timeZone = useTimeZone()
  const { data, error, isFetching, refetch } = result
  if (data === undefined && error !== null) {
    return <ErrorState message="Email list not available" onRetry={() => void refetch()} busy={isFetching} />
  }
  if (data === undefined) return <LoadingRows />
  if (data.rows.length === 0) return <Nothing {...props} />
  return groupByDay(data.rows, now, timeZone).map(({ label, rows }) => (
    <section key={label} aria-label={label}>
      <h2 className="sticky top-0 z-10 flex items-baseline justify-between border-b border-line bg-paper px-4 py-1 text-sm font-medium text-ink-2">
        {label}
        <span className="font-normal tabular-nums">
          {rows.length} <span className="sr-only">{rows.length === 1 ? 'email' : 'emails'}</span>
        </span>
      </h2>
      <ul aria-label={label}>
        {rows.map((mail) => (
          <MailRow key={mail.id} mail={mail} place={place} now={now} />
        ))}
      </ul>
    </section>
  ))
}

function Nothing({ place, configured, onCompose }: MailListProps) {
  const { folder, search, go } = place
  if (search !== '') {
    return (
      <EmptyState
        title="No emails found"
        className="h-full"
        action={<Button onClick={() => go({ search: '', page: 1 })}>Clear search</Button>}
      >
        Nothing in {folderName(folder)} has “{search}” in it.
      </EmptyState>
    )
  }
  if (configured === false) {
    return (
      <EmptyState
        title={`${folderName(folder)} is empty`}
        className="h-full"
        action={
          <Link to={paths.profile} className={buttonClass()}>
            Connect a mailbox
          </Link>
        }
      >
        Howl sends from your own account and reads its answers. The practice mailbox will do for a first look.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={`${folderName(folder)} is empty`}
      className="h-full"
      action={
        folder === 'inbox' || folder === 'sent' ? <Button onClick={onCompose}>Write an email</Button> : null
      }
    >
      {EMPTY_HINTS[folder]}
    </EmptyState>
  )
}

function LoadingRows() {
  return (
    <div aria-busy="true" className="divide-y divide-line">
      {['w-1/2', 'w-2/5', 'w-3/5', 'w-1/3', 'w-1/2', 'w-2/5'].map((width, index) => (
        <div key={`${width}-${index < 4}`} className="flex h-20 flex-col justify-center gap-2 px-4">
          <Skeleton className={`h-3 ${width}`} />
          <Skeleton className="h-3 w-3/4" />
          <Skeleton className="h-3 w-full" />
        </div>
      ))}
    </div>
  )
}

/** True from `ms` after the first showing. */
function useAfter(ms: number): boolean {
  const [passed, setPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return passed
}

/** A page behind the last, left over from a longer list or an old link, becomes the last. */
function useExistingPage(total: number | undefined, pageSize: number, place: MailPlace): void {
  const last = Math.max(1, Math.ceil((total ?? 0) / pageSize))
  const isBeyond = total !== undefined && place.page > last
  const turnBack = useEffectEvent(() => place.go({ page: last }, { replace: true }))
  useEffect(() => {
    if (isBeyond) turnBack()
  }, [isBeyond])
}
