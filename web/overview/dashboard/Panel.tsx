import { RefreshCw } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Card } from '#web/platform/ui/Card.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { SearchInput } from '#web/platform/ui/SearchInput.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'

export type PanelProps<Filter extends string> = {
  title: string
  /** What the panel lists, such as "contacts"; used in its texts and accessible names. */
  noun: string
  search: string
  onSearch: (search: string) => void
  filter: Filter
  onFilter: (filter: Filter) => void
  filters: readonly { value: Filter; label: string }[]
  onRefresh: () => Promise<unknown>
  state: 'loading' | 'failed' | 'empty' | 'filled'
  /** The hint if there are no rows without a search or filter. */
  hint: string
  /** The next step if there are no rows without a search or filter. */
  action?: ReactNode
  /** Replaces "No contacts found". */
  empty?: string
  /** The message while the first rows load. */
  loading?: string
  /** The filter value that filters nothing. */
  unfiltered?: Filter
  /** The rows, as `li` elements. */
  children: ReactNode
}

/** A panel of the dashboard: the latest rows of one kind, searched and filtered by the server. */
export function Panel<Filter extends string>(props: PanelProps<Filter>) {
  const { title, noun, search, onSearch, filter, onFilter, filters, onRefresh } = props
  // The refresh icon turns only on the user's request: live updates would keep it turning all the time.
  const [refreshing, setRefreshing] = useState(false)
  const again = () => {
    setRefreshing(true)
    void onRefresh().finally(() => setRefreshing(false))
  }
  const refresh = (
    <IconButton
      size="s"
      label="Refresh"
      icon={<RefreshCw />}
      busy={refreshing}
      onClick={again}
      className="-mr-1.5"
    />
  )
  return (
    <Card title={title} actions={refresh} flush className="h-full">
      <div className="flex h-full flex-col">
        <div className="flex gap-2 px-4 pb-3">
          <Field label={`Search ${noun}`} hideLabel className="flex-1">
            <SearchInput
              value={search}
              placeholder={`Search ${noun}...`}
              onChange={(event) => onSearch(event.target.value)}
            />
          </Field>
          <Field label={`Filter ${noun}`} hideLabel className="w-40 max-sm:w-32">
            <Select
              value={filter}
              onChange={(event) => onFilter(event.target.value as Filter)}
              options={filters}
            />
          </Field>
        </div>
        <div
          className={cx(
            'border-t border-line lg:flex-1',
            (props.state !== 'empty' || isNarrowed(props)) && LIST,
          )}
        >
          <Body {...props} onAgain={again} refreshing={refreshing} />
        </div>
      </div>
    </Card>
  )
}

/**
 * Lists have a fixed height and scroll; a taller panel in the same row may stretch them. A panel with nothing at all is
 * as tall as its text. One that is searched keeps its height, so that nothing jumps while the user types.
 */
const LIST = 'relative h-80 overflow-y-auto lg:h-auto lg:min-h-80 lg:basis-0'

function isNarrowed<Filter extends string>({ search, filter, unfiltered }: PanelProps<Filter>): boolean {
  return search !== '' || filter !== (unfiltered ?? 'all')
}

function Body<Filter extends string>(
  props: PanelProps<Filter> & { onAgain: () => void; refreshing: boolean },
) {
  const { title, noun, state, hint, onAgain, refreshing, children } = props
  if (state === 'loading') return <LoadingRows label={props.loading} />
  if (state === 'failed') {
    return <ErrorState message={`Failed to load ${noun}.`} onRetry={onAgain} busy={refreshing} />
  }
  if (state === 'empty') {
    const narrowed = isNarrowed(props)
    return (
      <EmptyState
        title={props.empty ?? `No ${noun} found`}
        action={narrowed ? null : props.action}
        className="h-full"
      >
        {narrowed ? 'Nothing matches this search and filter.' : hint}
      </EmptyState>
    )
  }
  return (
    <ul aria-label={title} className="divide-y divide-line">
      {children}
    </ul>
  )
}

function LoadingRows({ label }: { label: string | undefined }) {
  return (
    <div aria-busy="true" className="divide-y divide-line">
      {label === undefined ? null : <output className="block px-4 py-2.5 text-ink-2">{label}</output>}
      {['w-1/2', 'w-2/5', 'w-3/5', 'w-1/3', 'w-3/4'].map((width) => (
        <div key={width} className="flex h-15 items-center gap-3 px-4">
          <Skeleton className="size-8 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className={`h-3 ${width}`} />
            <Skeleton className="h-3 w-1/4" />
          </div>
        </div>
      ))}
    </div>
  )
}
