import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { followUps, type UpcomingFollowUp } from '#contract/outreach/follow-ups.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { comingTime } from '#web/platform/dates/coming-time.ts'
import { contactPath } from '#web/crm/contacts/contact-path.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Menu } from '#web/platform/ui/Menu.tsx'
import { Pagination } from '#web/platform/ui/Pagination.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { dateText } from './follow-up-text.ts'
import { useChoose } from './use-choose.ts'

const PAGE_SIZE = 25
const RENEWED_EVERY_MS = 15_000

/** The contacts who get a follow-up, the next first. */
export function Upcoming({ timeZone }: { timeZone: string }) {
  const [page, setPage] = useState(1)
  const query = usePage(followUps.upcoming, {
    query: { page, page_size: PAGE_SIZE },
    refetchInterval: RENEWED_EVERY_MS,
  })
  const { choose, busyWith } = useChoose()
  return (
    <Card title="Who is next" flush>
      <Loaded
        query={query}
        failed="Failed to load who is next"
        waiting={<Skeleton className="mx-4 mb-4 h-32" />}
      >
        {({ rows, total }) =>
          total === 0 ? (
            <EmptyState title="Nobody is waiting for a follow-up">
              Contacts come here once you have written to them, and leave when they answer.
            </EmptyState>
          ) : (
            <>
              <ul aria-label="Who is next" className="border-t border-line">
                {rows.map((row) => (
                  <Row
                    key={row.contact_id}
                    row={row}
                    timeZone={timeZone}
                    busy={busyWith === row.contact_id}
                    choose={choose}
                  />
                ))}
              </ul>
              <Pagination
                page={page}
                pageSize={PAGE_SIZE}
                total={total}
                noun="contacts"
                onPage={setPage}
                className="px-4 py-2"
              />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

type RowProps = {
  row: UpcomingFollowUp
  timeZone: string
  busy: boolean
  choose: ReturnType<typeof useChoose>['choose']
}

function Row({ row, timeZone, busy, choose }: RowProps) {
  const name = row.name || row.email
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-0">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link to={contactPath(row.contact_id)} className="truncate rounded-sm font-medium hover:underline">
            {name}
          </Link>
          <Badge tone="amber">Follow-up {row.number}</Badge>
        </p>
        <p className="truncate text-sm text-ink-2">
          {row.subject || '(no subject)'} · {dateText(row.last_mail_at, timeZone)}
        </p>
      </div>
      <div className="flex items-center gap-2 max-sm:w-full max-sm:justify-between">
        <p className="text-sm tabular-nums sm:w-40 sm:text-right">
          {row.skipped ? <span className="block text-ink-2">One is skipped</span> : null}
          {row.at === null ? row.waits : comingTime(row.at, timeZone)}
        </p>
        <div className="flex items-center gap-1">
          <Button
            size="s"
            busy={busy}
            aria-label={row.skipped ? `Undo skip of ${name}` : `Skip ${name}`}
            onClick={() => choose(row, row.skipped ? 'usual' : 'skip')}
            className="sm:w-22"
          >
            {row.skipped ? 'Undo skip' : 'Skip'}
          </Button>
          <Menu
            label={`More actions for ${name}`}
            trigger={<MoreHorizontal aria-hidden className="size-4" />}
            className={buttonClass('plain', 's')}
            entries={[{ kind: 'action', label: 'Never follow up', onSelect: () => choose(row, 'never') }]}
          />
        </div>
      </div>
    </li>
  )
}
