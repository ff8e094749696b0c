import { Button } from './Button.tsx'

type PreviousNextProps = {
  label: string
  page: number
  /** How many pages there are, where that is known. */
  of?: number
  hasMore: boolean
  busy?: boolean
  onPage: (page: number) => void
  className?: string
}

/** Turns the pages of a list one by one. */
export function PreviousNext(props: PreviousNextProps) {
  const { label, page, of, hasMore, busy = false, onPage, className = 'px-3 py-2' } = props
  return (
    <nav
      aria-label={label}
      className={`flex items-center justify-between gap-4 border-t border-line ${className}`}
    >
      <Button disabled={page <= 1 || busy} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <span aria-live="polite" className="text-sm text-ink-2 tabular-nums">
        Page {page.toLocaleString('en')}
        {of === undefined ? null : ` of ${of.toLocaleString('en')}`}
      </span>
      <Button disabled={!hasMore || busy} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  )
}
