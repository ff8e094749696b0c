import { lazy, Suspense, useEffect, useRef } from 'react'
import type { Email } from '#contract/emails.ts'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { type Filter, FILTERS, type MailPlace, PAGE_SIZES } from './mail-address.ts'
import { usePageSize } from './page-size.ts'
import { SearchBox } from './SearchBox.tsx'
import type { MailActs } from './use-mail-acts.tsx'
import type { Selection } from './use-selection.ts'

/** The bar is fetched before the first mail can be chosen, but after the list. */
export const loadSelectionBar = () => import('./SelectionBar.tsx')
const SelectionBar = lazy(() => loadSelectionBar().then((part) => ({ default: part.SelectionBar })))

const FILTER_NAMES: Record<Filter, string> = {
  all: 'All',
  unread: 'Unread',
  starred: 'Starred',
  attachments: 'With attachments',
}

type ListHeadProps = { place: MailPlace; rows: readonly Email[]; selection: Selection; acts: MailActs }

/** Above the list: search, and below it the filter and the page's size, or what can be done with the chosen mails. */
export function ListHead({ place, rows, selection, acts }: ListHeadProps) {
  const isChoosing = selection.mails.length > 0
  return (
    <div className="border-b border-line">
      <SearchBox place={place} />
      <div className="flex h-11 items-center gap-2 pr-3 pb-2 pl-4 pointer-coarse:h-14">
        <AllCheckbox rows={rows} selection={selection} />
        {isChoosing ? (
          <Suspense fallback={null}>
            <SelectionBar selection={selection} acts={acts} />
          </Suspense>
        ) : (
          <Narrowing place={place} />
        )}
      </div>
    </div>
  )
}

function Narrowing({ place }: { place: MailPlace }) {
  const [pageSize, setPageSize] = usePageSize(place)
  return (
    <>
      <Field label="Filter" hideLabel className="ml-1">
        <Select
          value={place.filter}
          onChange={(event) => place.go({ filter: event.target.value as Filter, page: 1 }, { replace: true })}
          options={FILTERS.map((filter) => ({ value: filter, label: FILTER_NAMES[filter] }))}
        />
      </Field>
      <Field label="Emails per page" hideLabel className="ml-auto">
        <Select
          value={pageSize}
          onChange={(event) => setPageSize(Number(event.target.value))}
          options={PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} per page` }))}
        />
      </Field>
    </>
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
    <label className="-ml-0.5 flex items-center pointer-coarse:min-h-11">
      <span className="sr-only">Select all on this page</span>
      <input
        ref={box}
        type="checkbox"
        checked={all}
        disabled={rows.length === 0}
        onChange={() => selection.set(rows, !all)}
        className="size-4 accent-moon pointer-coarse:size-5"
      />
    </label>
  )
}
