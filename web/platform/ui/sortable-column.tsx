import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Column } from './Table.tsx'

/** An order that a list can have; with "-" in front, the last first. "newest" is the usual one. */
export type Sorted<Sort extends string> = { sort: Sort; onSort: (sort: NoInfer<Sort> | 'newest') => void }

/**
 * A column whose title sorts the table. Each press moves on to the next of `sorts`, and finally back to newest first.
 */
export function sortableColumn<Sort extends string>(
  { title, ...column }: Omit<Column, 'title' | 'sort'> & { title: string },
  sorts: readonly NoInfer<Sort>[],
  { sort, onSort }: Sorted<Sort>,
): Column {
  const now = sorts.indexOf(sort)
  const isDown = sort.startsWith('-')
  return {
    ...column,
    sort: now < 0 ? 'none' : isDown ? 'descending' : 'ascending',
    title: (
      <button
        type="button"
        onClick={() => onSort(sorts[now + 1] ?? 'newest')}
        className="-mx-1 inline-flex items-center gap-1 rounded-sm px-1 hover:text-ink"
      >
        {title}
        {now < 0 ? null : isDown ? (
          <ArrowDown aria-hidden className="size-3.5" />
        ) : (
          <ArrowUp aria-hidden className="size-3.5" />
        )}
      </button>
    ),
  }
}
