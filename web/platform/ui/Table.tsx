import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Skeleton } from './Skeleton.tsx'

/** What a column is called, and how it shows a row. */
export type Column<Row, Sort extends string = never> = {
  title: ReactNode
  render: (row: Row) => ReactNode
  /** Its width, and when it disappears on small screens: "w-40 hidden lg:table-cell". */
  className?: string
  /** For its cells only. */
  cellClass?: string
  /** For figures. */
  align?: 'right'
  /** The whole text of a cell that may be cut, shown as a tooltip. */
  tooltip?: (row: Row) => string
  /** Its title sorts the table: each press moves on to the next of these, and finally back to newest first. */
  sorts?: readonly Sort[]
}

/** An order that a list can have; with "-" in front, the last first. "newest" is the usual one. */
type Sorted<Sort extends string> = { sort: Sort; onSort: (sort: NoInfer<Sort> | 'newest') => void }

export type TableProps<Row, Name extends string, Sort extends string> = {
  /** The table's name. */
  label: string
  columns: Readonly<Record<Name, Column<Row, NoInfer<Sort>>>>
  /** Without rows, placeholders are shown. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string | number
  /** Tints a row and is announced. */
  isSelected?: (row: Row) => boolean
  sorted?: Sorted<Sort>
  skeletonRows?: number
  className?: string
}

/** A semantic table with a sticky header inside its scrolling box, rows of 40 px and tabular figures. */
export function Table<Row, Name extends string, Sort extends string = never>({
  label,
  columns,
  rows,
  keyOf,
  isSelected,
  sorted,
  skeletonRows = 8,
  className,
}: TableProps<Row, Name, Sort>) {
  const named = Object.entries<Column<Row, Sort>>(columns)
  return (
    <table
      aria-label={label}
      aria-busy={rows === undefined || undefined}
      className={cx('w-full border-collapse tabular-nums', className)}
    >
      <thead className="sticky top-0 z-10 bg-surface">
        <tr>
          {named.map(([name, column]) => (
            <Head key={name} column={column} sorted={sorted} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows === undefined ? (
          <SkeletonRows columns={named.map(([, column]) => column)} count={skeletonRows} />
        ) : (
          rows.map((row) => (
            <tr
              key={keyOf(row)}
              aria-selected={isSelected?.(row)}
              className="group border-b border-line transition-colors last:border-0 hover:bg-sunken/60 aria-selected:bg-accent-soft"
            >
              {named.map(([name, { render, tooltip, align, className: shape, cellClass }]) => (
                <td
                  key={name}
                  title={tooltip?.(row)}
                  className={cx(
                    'h-10 px-3 py-1.5 align-middle first:pl-4 last:pr-4',
                    align === 'right' && 'text-right',
                    shape,
                    cellClass,
                  )}
                >
                  {render(row)}
                </td>
              ))}
            </tr>
          ))
        )}
      </tbody>
    </table>
  )
}

type HeadProps<Sort extends string> = {
  column: Pick<Column<never, Sort>, 'title' | 'className' | 'align' | 'sorts'>
  sorted: Sorted<Sort> | undefined
}

function Head<Sort extends string>({ column, sorted }: HeadProps<Sort>) {
  const { title, className, align, sorts } = column
  const isSortable = sorts !== undefined && sorted !== undefined
  const now = isSortable ? sorts.indexOf(sorted.sort) : -1
  const isDown = now >= 0 && sorts?.[now]?.startsWith('-') === true
  const Arrow = isDown ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={isSortable ? (now < 0 ? 'none' : isDown ? 'descending' : 'ascending') : undefined}
      className={cx(
        'h-9 border-b border-line px-3 first:pl-4 last:pr-4 text-sm font-medium whitespace-nowrap text-ink-2',
        align === 'right' ? 'text-right' : 'text-left',
        className,
      )}
    >
      {isSortable ? (
        <button
          type="button"
          onClick={() => sorted.onSort(sorts[now + 1] ?? 'newest')}
          className="-mx-1 inline-flex items-center gap-1 rounded-sm px-1 hover:text-ink"
        >
          {title}
          {now < 0 ? null : <Arrow aria-hidden className="size-3.5" />}
        </button>
      ) : (
        title
      )}
    </th>
  )
}

const WIDTHS = ['w-3/4', 'w-1/2', 'w-2/3', 'w-3/5']

type SkeletonRowsProps = { columns: readonly { className?: string }[]; count: number }

function SkeletonRows({ columns, count }: SkeletonRowsProps) {
  return Array.from({ length: count }, (_, row) => (
    <tr key={row} aria-hidden className="border-b border-line last:border-0">
      {columns.map(({ className }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- placeholders have no name but their place
        <td key={index} className={cx('h-10 px-3 first:pl-4 last:pr-4', className)}>
          <Skeleton className={cx('h-3', WIDTHS[(row + index) % WIDTHS.length])} />
        </td>
      ))}
    </tr>
  ))
}
