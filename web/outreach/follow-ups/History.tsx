import { useState } from 'react'
import { followUps } from '#contract/outreach/follow-ups.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { Pagination } from '#web/platform/ui/Pagination.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { contactsText, dayText, resultText } from './follow-up-text.ts'

const PAGE_SIZE = 10
const RENEWED_EVERY_MS = 15_000

/** The days on which follow-ups ran, and what became of them. */
export function History() {
  const [page, setPage] = useState(1)
  const { data, error } = usePage(followUps.days, {
    query: { page, page_size: PAGE_SIZE },
    refetchInterval: RENEWED_EVERY_MS,
  })
  return (
    <Card title="What has been sent" flush>
      {data === undefined ? (
        error === null ? (
          <Skeleton className="mx-4 mb-4 h-24" />
        ) : (
          <p role="alert" className="px-4 pb-4">
            Failed to load what has been sent
          </p>
        )
      ) : data.total === 0 ? (
        <p className="px-4 pb-4 text-ink-2">Nothing yet. Each day on which follow-ups run is listed here.</p>
      ) : (
        <>
          <ul aria-label="What has been sent" className="border-t border-line">
            {data.rows.map((day) => (
              <li key={day.day} className="border-b border-line px-4 py-2 last:border-0">
                <p className="flex flex-wrap justify-between gap-x-4">
                  <span>{dayText(day.day)}</span>
                  <span className="tabular-nums text-ink-2">{resultText(day)}</span>
                </p>
                {day.skipped.map(({ reason, contacts }) => (
                  <p key={reason} className="text-sm text-ink-2">
                    {reason}: {contactsText(contacts)}
                  </p>
                ))}
              </li>
            ))}
          </ul>
          {data.total > PAGE_SIZE ? (
            <Pagination
              page={page}
              pageSize={PAGE_SIZE}
              total={data.total}
              noun="days"
              onPage={setPage}
              className="px-4 py-2"
            />
          ) : null}
        </>
      )}
    </Card>
  )
}
