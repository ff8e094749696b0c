import { Suspense, useEffect, useRef } from 'react'
import type { Email } from '#contract/mail/emails.ts'
import { useWide } from '#web/platform/ui/use-wide.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { Select } from '#web/platform/ui/Select.tsx'
import { type Filter, FILTERS, type MailLocation, PAGE_SIZES } from '../page/page-location.ts'
import { usePageSize } from '../page/page-size.ts'
import { SearchBox } from './SearchBox.tsx'
import type { MailActionsHandle } from '../actions/use-mail-actions.tsx'
import type { Selection } from '../page/use-selection.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

/** The bar loads after the list, but before the first mail can be selected. */
export const loadSelectionBar = () => import('./SelectionBar.tsx')
const SelectionBar = lazyPart(loadSelectionBar, 'SelectionBar')

const FILTER_NAMES: Record<Filter, string> = {
  all: 'All',
  unread: 'Unread',
  starred: 'Starred',
  attachments: 'With attachments',
  reports: 'Delivery reports',
}

type ListHeadProps = {
  location: MailLocation
  rows: readonly Email[]
  selection: Selection
  actions: MailActionsHandle
}

/**
 * The header of the list: search, and below it filter and page size, or the actions for the selected mails. On phones
 * it is one line, and the page size is below the list.
 */
export function ListHeader({ location, rows, selection, actions }: ListHeadProps) {
  const isChoosing = selection.mails.length > 0
  return (
    <div className="border-b border-line max-md:relative max-md:flex max-md:min-h-13 max-md:items-center max-md:gap-2 max-md:px-4 max-md:py-1">
      <SearchBox location={location} className={cx('max-md:flex-1', isChoosing && 'max-md:hidden')} />
      <div className="h-11 items-center gap-2 pr-3 pb-2 pl-4 max-md:contents md:flex md:pointer-coarse:h-14">
        <AllCheckbox rows={rows} selection={selection} />
        {isChoosing ? (
          <Suspense fallback={null}>
            <SelectionBar selection={selection} actions={actions} />
          </Suspense>
        ) : (
          <Narrowing location={location} />
        )}
      </div>
    </div>
  )
}

function Narrowing({ location }: { location: MailLocation }) {
  const isWide = useWide()
  return (
    <>
      <Field label="Filter" hideLabel className="max-md:w-26 max-md:shrink-0 md:ml-1">
        <Select
          value={location.filter}
          onChange={(event) =>
            location.go({ filter: event.target.value as Filter, page: 1 }, { replace: true })
          }
          options={FILTERS.map((filter) => ({ value: filter, label: FILTER_NAMES[filter] }))}
        />
      </Field>
      {isWide ? <PageSize location={location} className="ml-auto" /> : null}
    </>
  )
}

/** Selects how many mails a page shows. */
export function PageSize({ location, className }: { location: MailLocation; className?: string }) {
  const [pageSize, setPageSize] = usePageSize(location)
  return (
    <Field label="Emails per page" hideLabel {...(className === undefined ? {} : { className })}>
      <Select
        value={pageSize}
        onChange={(event) => setPageSize(Number(event.target.value))}
        options={PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} per page` }))}
      />
    </Field>
  )
}

function AllCheckbox({ rows, selection }: { rows: readonly Email[]; selection: Selection }) {
  const box = useRef<HTMLInputElement>(null)
  const chosen = rows.filter(({ id }) => selection.has(id)).length
  const all = rows.length > 0 && chosen === rows.length
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = chosen > 0 && !all
  })
  return (
    <label className="-ml-0.5 flex items-center max-md:order-first pointer-coarse:min-h-11">
      <span className="sr-only">Select all on this page</span>
      <input
        ref={box}
        type="checkbox"
        checked={all}
        disabled={rows.length === 0}
        onChange={() => selection.set(rows, !all)}
        className="size-4 accent-accent pointer-coarse:size-5"
      />
    </label>
  )
}
