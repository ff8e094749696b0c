import { CalendarDays } from 'lucide-react'
import { useState } from 'react'
import { type Meeting, MEETING_FILTERS, type MeetingFilter, meetings } from '#contract/crm/meetings.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { SearchInput } from '#web/platform/ui/SearchInput.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { useSettled } from '#web/platform/ui/use-settled.ts'
import { FILTER_LABELS } from './meeting-text.ts'
import { MeetingItem } from './MeetingItem.tsx'

export const REFETCH_MS = 60_000
const SHOWN_AT_ONCE = 50
const FILTERS = MEETING_FILTERS.map((value) => ({ value, label: FILTER_LABELS[value] }))

type MeetingListProps = {
  timeZone: string
  now: Date
  onAdd: () => void
  onEdit: (meeting: Meeting) => void
  onDelete: (meeting: Meeting) => void
}

/** Meetings as a list: upcoming ones first, then past ones, the latest first. */
export function MeetingList(props: MeetingListProps) {
  const { timeZone, now } = props
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<MeetingFilter>('all')
  const settled = useSettled(search)
  const page = usePage(meetings.list, {
    query: { filter, search: settled, time_zone: timeZone },
    refetchInterval: REFETCH_MS,
  })
  const rows = page.data?.rows
  const isOver = (meeting: Meeting) => new Date(meeting.end_time) < now
  const toCome = rows?.filter((meeting) => !isOver(meeting)) ?? []
  const over = rows?.filter(isOver).toReversed() ?? []
  const hidden = (page.data?.total ?? 0) - (rows?.length ?? 0)
  return (
    <Card flush>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 border-b border-line p-3">
        <Field label="Search meetings" hideLabel>
          <SearchInput
            value={search}
            placeholder="Search meetings..."
            onChange={(event) => setSearch(event.target.value)}
          />
        </Field>
        <Field label="Filter meetings" hideLabel>
          <Select
            value={filter}
            onChange={(event) => setFilter(event.target.value as MeetingFilter)}
            options={FILTERS}
          />
        </Field>
      </div>
      {rows === undefined ? (
        page.error === null ? (
          <LoadingRows />
        ) : (
          <LoadFailed query={page} message={sentenceOf(page.error, 'Failed to load meetings')} />
        )
      ) : rows.length === 0 ? (
        settled !== '' || filter !== 'all' ? (
          <EmptyState title="No meetings found">Nothing matches this search and filter.</EmptyState>
        ) : (
          <EmptyState
            title="No meetings yet"
            art={<CalendarDays aria-hidden className="size-8" />}
            action={<Button onClick={props.onAdd}>Schedule your first meeting</Button>}
          >
            Meetings you schedule will show up here and in the calendar.
          </EmptyState>
        )
      ) : (
        <>
          <Part title="Upcoming" rows={toCome} {...props} />
          <Part title="Past" rows={over} {...props} />
          {hidden > 0 ? (
            <p className="border-t border-line px-4 py-2.5 text-sm text-ink-2">
              {hidden.toLocaleString('en')} more: search or filter to see them.
            </p>
          ) : null}
        </>
      )}
    </Card>
  )
}

function Part({ title, rows, ...item }: MeetingListProps & { title: string; rows: readonly Meeting[] }) {
  const [shown, setShown] = useState(SHOWN_AT_ONCE)
  if (rows.length === 0) return null
  return (
    <section aria-label={title} className="border-t border-line first-of-type:border-t-0">
      <h2 className="px-4 pt-3 pb-1 text-sm font-medium text-ink-2">{title}</h2>
      <ul aria-label={title} className="divide-y divide-line">
        {rows.slice(0, shown).map((meeting) => (
          <MeetingItem key={meeting.id} {...item} meeting={meeting} />
        ))}
      </ul>
      {rows.length > shown ? (
        <div className="px-4 pb-3">
          <Button size="s" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
            Show more
          </Button>
        </div>
      ) : null}
    </section>
  )
}

function LoadingRows() {
  return (
    <div aria-busy="true" className="divide-y divide-line">
      {['w-1/2', 'w-2/5', 'w-3/5', 'w-1/3'].map((width) => (
        <div key={width} className="flex h-19 flex-col justify-center gap-2 px-4">
          <Skeleton className={`h-3.5 ${width}`} />
          <Skeleton className="h-3 w-1/4" />
        </div>
      ))}
    </div>
  )
}
