import type { UseQueryResult } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { type FollowUpCounts, followUps, type LeftOutReason } from '#contract/outreach/follow-ups.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { contactPath } from '#web/crm/contacts/contact-path.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Pagination } from '#web/platform/ui/Pagination.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { REASONS, timeText } from './follow-up-text.ts'
import { useChoose } from './use-choose.ts'

const PAGE_SIZE = 25

/** Counts older than this say when they were made. */
const FRESH_MS = 5000

type LeftOutProps = { counts: UseQueryResult<FollowUpCounts>; timeZone: string }

/** Why the other contacts get no follow-up; the names are behind each reason. */
export function LeftOut({ counts, timeZone }: LeftOutProps) {
  const { data, dataUpdatedAt } = counts
  return (
    <Card
      title="Why not the others"
      actions={
        data !== undefined && dataUpdatedAt - Date.parse(data.counted_at) > FRESH_MS ? (
          <span className="text-sm text-ink-2 tabular-nums">As of {timeText(data.counted_at, timeZone)}</span>
        ) : undefined
      }
      flush
    >
      <Loaded
        query={counts}
        failed="Failed to count the others"
        waiting={<Skeleton className="mx-4 mb-4 h-24" />}
      >
        {({ left_out: groups }) =>
          groups.length === 0 ? (
            <p className="px-4 pb-4 text-ink-2">Nobody is left out.</p>
          ) : (
            <ul aria-label="Why not the others" className="border-t border-line">
              {groups.map(({ reason, contacts }) => (
                <Group key={reason} reason={reason} contacts={contacts} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Group({ reason, contacts }: { reason: LeftOutReason; contacts: number }) {
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  return (
    <li className="border-b border-line last:border-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-11 w-full items-center gap-3 px-4 py-2 text-left hover:bg-sunken"
      >
        <span className="flex-1">{REASONS[reason]}</span>
        <span className="text-ink-2 tabular-nums">{contacts.toLocaleString('en')}</span>
        <ChevronDown
          aria-hidden
          className={cx('size-4 shrink-0 text-ink-2 transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      <div id={listId}>{isOpen ? <Names reason={reason} /> : null}</div>
    </li>
  )
}

function Names({ reason }: { reason: LeftOutReason }) {
  const [page, setPage] = useState(1)
  const { data, error } = usePage(followUps.leftOut, { query: { reason, page, page_size: PAGE_SIZE } })
  const { choose, busyWith } = useChoose()
  if (data === undefined)
    return error === null ? (
      <Skeleton className="mx-4 mb-3 h-8" />
    ) : (
      <p role="alert" className="px-4 pb-3">
        Failed to load the names
      </p>
    )
  return (
    <div className="px-4 pb-3">
      <ul aria-label={REASONS[reason]}>
        {data.rows.map((row) => (
          <li key={row.contact_id} className="flex min-h-9 items-center justify-between gap-3">
            <Link to={contactPath(row.contact_id)} className="min-w-0 truncate rounded-sm hover:underline">
              {row.name || row.email}
              {row.name === '' ? null : <span className="text-ink-2"> · {row.email}</span>}
            </Link>
            {reason === 'never' ? (
              <Button
                size="s"
                busy={busyWith === row.contact_id}
                aria-label={`Follow up again: ${row.name || row.email}`}
                onClick={() => choose(row, 'usual')}
              >
                Follow up again
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {data.total > PAGE_SIZE ? (
        <Pagination page={page} pageSize={PAGE_SIZE} total={data.total} noun="contacts" onPage={setPage} />
      ) : null}
    </div>
  )
}
