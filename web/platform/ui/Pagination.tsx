import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { IconButton } from './IconButton.tsx'
import { pageWindow, showing } from './page-window.ts'

export type PaginationProps = {
  /** Counts from 1. */
  page: number
  pageSize: number
  total: number
  /** "emails" in "Showing 1 to 10 of 35 emails". */
  noun: string
  /** There are more than `total`: they are still being counted. */
  atLeast?: boolean
  onPage: (page: number) => void
  /** Shown at the end of the line "Showing 1 to 10 …". */
  aside?: ReactNode
  className?: string
}

/** The shown range and, if there are several pages, buttons: first, previous, at most five page numbers, next, last. */
export function Pagination({
  page,
  pageSize,
  total,
  noun,
  atLeast = false,
  onPage,
  aside,
  className,
}: PaginationProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const step = (label: string, icon: ReactNode, to: number, disabled: boolean) => (
    <IconButton
      label={label}
      icon={icon}
      disabled={disabled}
      onClick={() => onPage(to)}
      className="max-sm:min-w-0! max-sm:flex-1"
    />
  )
  return (
    <div className={cx('flex flex-wrap items-center justify-between gap-x-4 gap-y-2', className)}>
      <p aria-live="polite" className="min-w-0 text-sm max-sm:flex-1 max-sm:basis-32 text-ink-2 tabular-nums">
        {showing(page, pageSize, total, noun, atLeast)}
      </p>
      {aside}
      {pages === 1 && !atLeast ? null : (
        <nav
          aria-label="Pagination"
          className="flex items-center gap-0.5 max-sm:order-last max-sm:w-full max-sm:justify-between"
        >
          {step('First page', <ChevronFirst />, 1, page <= 1)}
          {step('Previous page', <ChevronLeft />, page - 1, page <= 1)}
          {pageWindow(page, pages).map((number) => (
            <button
              key={number}
              type="button"
              aria-label={`Page ${number}`}
              aria-current={number === page ? 'page' : undefined}
              onClick={() => onPage(number)}
              className="grid h-8.5 min-w-8.5 max-sm:min-w-0! max-sm:flex-1 place-items-center rounded-md px-1.5 text-sm text-ink-2 tabular-nums transition-colors hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-ink pointer-coarse:h-11 pointer-coarse:min-w-9"
            >
              {number}
            </button>
          ))}
          {step('Next page', <ChevronRight />, page + 1, page >= pages)}
          {step('Last page', <ChevronLast />, pages, page >= pages)}
        </nav>
      )}
    </div>
  )
}
