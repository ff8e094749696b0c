import { Link } from 'react-router'
import { abuse, type Pattern, PATTERN_LABELS, RISK_ACTS } from '#contract/operations/abuse.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { dateAndTime } from '#web/platform/dates/mail-age.ts'
import { useListQuery } from '#web/platform/list-query.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { List } from '#web/platform/ui/List.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import type { Column } from '#web/platform/ui/Table.tsx'
import { riskTone } from '../activities/risk-tone.ts'
import { useAdminEndpoint } from '../admin-calls.ts'
import { sectionLink } from './section-link.ts'
import { severityTone } from './severity-tone.ts'

const PERIODS = [
  { value: '1', label: 'Last day' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '365', label: 'Last year' },
]
const USUAL = '30'

/** What the rules against abuse have found, and with whom. */
export function AbusePatterns() {
  const [asked, change] = useListQuery()
  const given = asked.get('days') ?? USUAL
  const days = PERIODS.some(({ value }) => value === given) ? given : USUAL
  const query = useAdminEndpoint(abuse.patterns, {
    query: { days: Number(days) },
    staleTime: 0,
  })
  const { data } = query
  return (
    <Card flush>
      <div className="flex flex-wrap items-end justify-between gap-3 p-4">
        <p className="max-w-2xl text-ink-2">
          Rules look at what really happens: log-ins, mail and what came of it, accounts, invitations. A risk
          halves in a week. At {RISK_ACTS.warn} a user is warned, at {RISK_ACTS.high} you are told, at{' '}
          {RISK_ACTS.ban} the user is banned.
        </p>
        <Field label="Found in" className="w-44">
          <Select value={days} options={PERIODS} onChange={(event) => change({ days: event.target.value })} />
        </Field>
      </div>
      <List
        label="Abuse patterns"
        query={query}
        failed="Failed to load abuse patterns"
        rows={data?.patterns}
        keyOf={({ id }) => id}
        scrolls
        className="[&_td]:py-2.5 [&_td]:align-top"
        columns={COLUMNS}
        cardClass="flex-col gap-2 px-4 py-3.5"
        renderCard={(row, cells) => (
          <>
            <div className="flex items-center justify-between gap-3">
              {cells.severity}
              {cells.risk}
            </div>
            {cells.user}
            {cells.pattern}
            <p className="text-sm text-ink-2">
              {row.occurrences === 1 ? 'Found once' : `Found ${row.occurrences.toLocaleString('en')} times`},
              last {timeText(row.last_detected)}
            </p>
            <div>{cells.act}</div>
          </>
        )}
        empty={
          <EmptyState title="No abuse found">
            Nobody has done anything in this time that a rule is about.
          </EmptyState>
        }
      />
      {data?.has_more === true ? (
        <p className="border-t border-line px-4 py-2.5 text-sm text-ink-2">
          The {data.patterns.length.toLocaleString('en')} newest are shown. A shorter time shows fewer.
        </p>
      ) : null}
    </Card>
  )
}

const COLUMNS: Record<
  'severity' | 'user' | 'pattern' | 'times' | 'last' | 'risk' | 'act',
  Column<Pattern>
> = {
  severity: {
    title: 'Severity',
    className: 'w-24',
    render: ({ severity }) => (
      <Badge tone={severityTone(severity)}>
        <span className="md:sr-only">Severity&nbsp;</span>
        {severity} of 5
      </Badge>
    ),
  },
  user: {
    title: 'User',
    className: 'w-56',
    cellClass: 'max-w-56',
    render: (row) => <Who row={row} />,
  },
  pattern: { title: 'Pattern', render: (row) => <What row={row} /> },
  times: {
    title: 'Occurrences',
    className: 'w-28',
    align: 'right',
    render: (row) => row.occurrences.toLocaleString('en'),
  },
  last: { title: 'Last detected', className: 'w-44', render: (row) => <When row={row} /> },
  risk: {
    title: 'Risk',
    className: 'w-16',
    align: 'right',
    render: ({ risk }) => (
      <Badge tone={riskTone(risk)} className="tabular-nums">
        <span className="md:sr-only">Risk&nbsp;</span>
        {risk}
      </Badge>
    ),
  },
  act: {
    title: <span className="sr-only">Actions</span>,
    className: 'w-28',
    align: 'right',
    render: (row) => <Act row={row} />,
  },
}

type OfRow = { row: Pattern }

function Who({ row }: OfRow) {
  return (
    <span className="flex min-w-0 flex-col items-start gap-1">
      <Link
        to={sectionLink('activities', { search: row.user_email })}
        title={`Activities of ${row.user_email}`}
        className="max-w-full truncate text-accent hover:underline pointer-coarse:min-h-11"
      >
        {row.user_email}
      </Link>
      {row.is_banned ? <Badge tone="red">Banned</Badge> : null}
    </span>
  )
}

function What({ row }: OfRow) {
  const { name, meaning } = PATTERN_LABELS[row.pattern_type]
  return (
    <span className="flex max-w-xl min-w-60 flex-col gap-0.5 break-words max-sm:min-w-0">
      <span className="font-medium">{name}</span>
      <span>{row.description}</span>
      <span className="text-sm text-ink-2">{meaning}</span>
      {row.auto_ban_triggered ? (
        <span className="text-sm text-danger">Howl banned this user because of it.</span>
      ) : null}
    </span>
  )
}

function When({ row }: OfRow) {
  return (
    <span className="flex flex-col">
      <time dateTime={row.last_detected}>{timeText(row.last_detected)}</time>
      {row.occurrences > 1 ? (
        <span className="text-sm text-ink-2">
          first <time dateTime={row.first_detected}>{timeText(row.first_detected)}</time>
        </span>
      ) : null}
    </span>
  )
}

/** The way to the form that bans or unbans this user, filled with what was found. */
function Act({ row }: OfRow) {
  const query = {
    user_id: String(row.user_id),
    ...(row.is_banned ? {} : { reason: row.ban_reason, description: row.description }),
  }
  return (
    <Link
      to={sectionLink('actions', { act: row.is_banned ? 'unban' : 'ban', ...query })}
      aria-label={`${row.is_banned ? 'Unban' : 'Ban'} ${row.user_email}`}
      className={buttonClass('quiet', 's')}
    >
      {row.is_banned ? 'Unban…' : 'Ban…'}
    </Link>
  )
}

const timeText = (instant: string) => dateAndTime(new Date(instant), currentTimeZone())
