import { type ReactNode, useEffect } from 'react'
import { cx } from './cx.ts'
import { LoadFailed, type Query } from './Loaded.tsx'
import { Skeleton } from './Skeleton.tsx'
import { Table, type TableProps } from './Table.tsx'
import { useWide } from './use-wide.ts'
import { Pagination, type PaginationProps } from './Pagination.tsx'
import { Select } from './Select.tsx'

type ListProps<Row, Name extends string, Sort extends string> = TableProps<Row, Name, Sort> & {
  query: Query<unknown> & { isPlaceholderData: boolean }
  /** Shown with "Try again" if nothing could be loaded. */
  failed: string
  /** Shown in place of no rows. */
  empty?: ReactNode
  /** A row on a phone, arranged from the same cells; without it, phones get the table, too. */
  renderCard?: (row: Row, cells: Readonly<Record<Name, ReactNode>>) => ReactNode
  cardClass?: string
  /** The table scrolls sideways in a box of its own, so its header does not stick to the page. */
  scrolls?: boolean
  /** Above the cards: what the table's header offers. */
  cardsHead?: ReactNode
  pages?: ListFooterProps
  /** Below the rows. */
  children?: ReactNode
}

/** Rows of one kind: a table on wide screens, cards on phones; or why there are none. */
export function List<Row, Name extends string, Sort extends string = never>(
  props: ListProps<Row, Name, Sort>,
) {
  const {
    query,
    failed,
    empty,
    renderCard,
    cardClass,
    scrolls = false,
    cardsHead,
    pages,
    children,
    ...table
  } = props
  const isWide = useWide()
  useExistingPage(pages, query.data !== undefined && !query.isPlaceholderData)
  if (table.rows === undefined && query.error !== null) return <LoadFailed query={query} message={failed} />
  if (table.rows?.length === 0 && empty !== undefined) return empty
  return (
    <>
      {renderCard !== undefined && !isWide ? (
        <>
          {cardsHead}
          <Cards {...table} renderCard={renderCard} className={cardClass} />
        </>
      ) : scrolls ? (
        <div className="overflow-x-auto border-t border-line">
          <Table {...table} />
        </div>
      ) : (
        <Table {...table} />
      )}
      {pages === undefined || table.rows === undefined ? null : <ListFooter {...pages} />}
      {children}
    </>
  )
}

/** Moves to the last page if the address names a later one, or the last row of the last page was deleted. */
function useExistingPage(pages: ListFooterProps | undefined, isKnown: boolean) {
  useEffect(() => {
    if (pages === undefined || !isKnown) return
    const last = Math.max(1, Math.ceil(pages.total / pages.pageSize))
    if (pages.page > last) pages.onPage(last)
  })
}

type CardsProps<Row, Name extends string, Sort extends string> = Pick<
  TableProps<Row, Name, Sort>,
  'label' | 'columns' | 'rows' | 'keyOf' | 'isSelected'
> &
  Required<Pick<ListProps<Row, Name, Sort>, 'renderCard'>> & { className: string | undefined }

function Cards<Row, Name extends string, Sort extends string>(props: CardsProps<Row, Name, Sort>) {
  const { label, columns, rows, keyOf, isSelected, renderCard, className } = props
  const cellsOf = (row: Row) => {
    const cells = Object.entries<{ render: (row: Row) => ReactNode }>(columns)
    return Object.fromEntries(cells.map(([name, { render }]) => [name, render(row)])) as Record<
      Name,
      ReactNode
    >
  }
  return (
    <ul
      aria-label={label}
      aria-busy={rows === undefined || undefined}
      className="border-t border-line first:border-t-0"
    >
      {rows === undefined
        ? [1, 2, 3, 4, 5, 6].map((each) => <SkeletonCard key={each} />)
        : rows.map((row) => (
            <li
              key={keyOf(row)}
              className={cx(
                'flex border-b border-line last:border-0',
                isSelected?.(row) === true && 'bg-accent-soft',
                className,
              )}
            >
              {renderCard(row, cellsOf(row))}
            </li>
          ))}
    </ul>
  )
}

function SkeletonCard() {
  return (
    <li aria-hidden className="flex flex-col gap-2 border-b border-line p-4 last:border-0">
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-3 w-2/3" />
      <Skeleton className="h-5 w-24" />
    </li>
  )
}

type ListFooterProps = Omit<PaginationProps, 'className'> & {
  /** How many rows a page may have, where the user chooses. */
  sizes?: readonly number[]
  onPageSize?: (size: number) => void
}

/** Below a list: which rows are shown, the other pages, and how many rows a page has. */
function ListFooter({ sizes, onPageSize, ...pages }: ListFooterProps) {
  const { noun, pageSize } = pages
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-3 py-2">
      {/* On phones the page size is beside the count, and the page numbers are below both. */}
      <Pagination {...pages} className="grow max-sm:contents" />
      {sizes === undefined ? null : (
        <Select
          aria-label={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} per page`}
          className="w-32 pointer-coarse:w-38"
          options={sizes.map((size) => ({ value: String(size), label: `${size} per page` }))}
          value={String(pageSize)}
          onChange={(event) => onPageSize?.(Number(event.target.value))}
        />
      )}
    </div>
  )
}
