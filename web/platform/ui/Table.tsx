import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Skeleton } from './Skeleton.tsx'

export type Column = {
  key: string
  title: ReactNode
  /**
   * The width of the column, and when it disappears on small screens: "w-40 hidden lg:table-cell". Its cells need the
   * same.
   */
  className?: string
  align?: 'left' | 'right'
  sort?: 'ascending' | 'descending' | 'none'
}

export type TableProps = {
  /** The table's name. */
  label: string
  columns: ReadonlyArray<Column>
  /** Rows: `TableRow` with `Cell`s. */
  children?: ReactNode
  /** Shows placeholder rows in place of the children. */
  loading?: boolean
  skeletonRows?: number
  className?: string
}

/** A semantic table with a sticky header inside its scrolling box, rows of 40 px and tabular figures. */
export function Table({
  label,
  columns,
  children,
  loading = false,
  skeletonRows = 8,
  className,
}: TableProps) {
  return (
    <table
      aria-label={label}
      aria-busy={loading || undefined}
      className={cx('w-full border-collapse tabular-nums', className)}
    >
      <thead className="sticky top-0 z-10 bg-surface">
        <tr>
          {columns.map((column) => (
            <th
              key={column.key}
              scope="col"
              aria-sort={column.sort}
              className={cx(
                'h-9 border-b border-line px-3 first:pl-4 last:pr-4 text-sm font-medium whitespace-nowrap text-ink-2',
                column.align === 'right' ? 'text-right' : 'text-left',
                column.className,
              )}
            >
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{loading ? <SkeletonRows columns={columns} count={skeletonRows} /> : children}</tbody>
    </table>
  )
}

const WIDTHS = ['w-3/4', 'w-1/2', 'w-2/3', 'w-3/5']

function SkeletonRows({ columns, count }: { columns: ReadonlyArray<Column>; count: number }) {
  return Array.from({ length: count }, (_, row) => (
    <tr key={row} aria-hidden className="border-b border-line last:border-0">
      {columns.map((column, index) => (
        <td key={column.key} className={cx('h-10 px-3 first:pl-4 last:pr-4', column.className)}>
          <Skeleton className={cx('h-3', WIDTHS[(row + index) % WIDTHS.length])} />
        </td>
      ))}
    </tr>
  ))
}

/** One row; `selected` tints it and is announced. */
export function TableRow({ selected, className, ...rest }: ComponentProps<'tr'> & { selected?: boolean }) {
  return (
    <tr
      {...rest}
      aria-selected={selected}
      className={cx(
        'border-b border-line last:border-0 transition-colors hover:bg-sunken/60 aria-selected:bg-accent-soft',
        className,
      )}
    />
  )
}

/** One cell. `align="right"` for figures. */
export function Cell({ align, className, ...rest }: ComponentProps<'td'> & { align?: 'right' }) {
  return (
    <td
      {...rest}
      className={cx(
        'h-10 px-3 py-1.5 align-middle first:pl-4 last:pr-4',
        align === 'right' && 'text-right',
        className,
      )}
    />
  )
}
