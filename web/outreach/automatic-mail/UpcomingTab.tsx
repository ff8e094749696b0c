import { useState } from 'react'
import { Link } from 'react-router'
import {
  automaticMail,
  UPCOMING_MAX,
  type UpcomingMail,
  type UpcomingSource,
} from '#contract/outreach/automatic-mail.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { contactPath } from '#web/crm/contacts/contact-path.ts'
import { invoicePath } from '#web/invoicing/invoices/list/invoice-text.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { comingTime } from '#web/platform/dates/coming-time.ts'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { sequencePath } from '../sequences/sequence-path.ts'

const SHOWN = 25
const RENEWED_EVERY_MS = 60_000

const SOURCES: Record<UpcomingSource, { label: string; tone: BadgeTone }> = {
  run: { label: 'First email', tone: 'blue' },
  follow_up: { label: 'Follow-up', tone: 'amber' },
  sequence: { label: 'Sequence', tone: 'purple' },
  payment_reminder: { label: 'Payment reminder', tone: 'green' },
}

/** What Howl does next automatically, from all sources, the next first. */
export function UpcomingTab() {
  const [shown, setShown] = useState(SHOWN)
  const query = useEndpoint(automaticMail.upcoming, { refetchInterval: RENEWED_EVERY_MS })
  return (
    <Card title="What Howl does next" flush>
      <Loaded
        query={query}
        failed="Failed to load what’s coming up"
        waiting={<Skeleton className="mx-4 mb-4 h-32" />}
      >
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="Nothing coming up">
              First emails, follow-ups, sequence steps and payment reminders appear here before they happen.
            </EmptyState>
          ) : (
            <>
              <ul aria-label="Upcoming" className="border-t border-line">
                {rows.slice(0, shown).map((row) => (
                  <Row key={row.id} row={row} />
                ))}
              </ul>
              {shown < rows.length ? (
                <div className="px-4 py-2">
                  <Button size="s" onClick={() => setShown(shown * 2)}>
                    Show more
                  </Button>
                </div>
              ) : rows.length === UPCOMING_MAX ? (
                <p className="px-4 py-2 text-sm text-ink-2">Only the next {UPCOMING_MAX} are shown.</p>
              ) : null}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function Row({ row }: { row: UpcomingMail }) {
  const timeZone = useTimeZone()
  const { label, tone } = SOURCES[row.source]
  const name = row.name || row.email
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-0">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {row.contact_id === null ? (
            <span className="truncate font-medium">{name}</span>
          ) : (
            <Link
              to={contactPath(row.contact_id)}
              className="truncate rounded-sm font-medium hover:underline"
            >
              {name}
            </Link>
          )}
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="text-sm wrap-anywhere text-ink-2">
          {row.sentence} <Source row={row} />
        </p>
      </div>
      <p className="text-sm tabular-nums max-sm:w-full sm:w-44 sm:text-right">
        {row.at === null ? (row.waits ?? 'As soon as possible') : comingTime(row.at, timeZone)}
      </p>
    </li>
  )
}

/** Leads to what the email belongs to, where it can be changed or stopped. */
function Source({ row: { source, of } }: { row: UpcomingMail }) {
  if (of === null) return null
  const [to, words] =
    source === 'payment_reminder' ? [invoicePath(of), 'Open invoice'] : [sequencePath(of), 'Open sequence']
  return (
    <Link to={to} className="text-link">
      {words}
    </Link>
  )
}
