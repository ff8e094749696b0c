import { Link } from 'react-router'
import { abuse, type Pattern, PATTERN_LABELS, RISK_ACTS } from '#contract/operations/abuse.ts'
import { useAddressQuery } from '#web/platform/address.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { useWide } from '#web/crm/contacts/use-wide.ts'
import { dateAndTime } from '#web/platform/dates/mail-age.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { Cell, Table, TableRow } from '#web/platform/ui/Table.tsx'
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
  const [query, change] = useAddressQuery()
  const given = query.get('days') ?? USUAL
  const days = PERIODS.some(({ value }) => value === given) ? given : USUAL
  const { data, isError, isFetching, isPending, refetch } = useAdminEndpoint(abuse.patterns, {
    query: { days: Number(days) },
    staleTime: 0,
  })
  const isWide = useWide()
  const rows = data?.patterns ?? []
  const choose = (value: string) =>
    change((now) => {
      now.set('days', value)
      return now
    })
  return (
    <Card flush>
      <div className="flex flex-wrap items-end justify-between gap-3 p-4">
        <p className="max-w-2xl text-ink-2">
          Rules look at what really happens: log-ins, mail and what came of it, accounts, invitations. A risk
          halves in a week. At {RISK_ACTS.warn} a user is warned, at {RISK_ACTS.high} you are told, at{' '}
          {RISK_ACTS.ban} the user is banned.
        </p>
        <Field label="Found in" className="w-44">
          <Select value={days} options={PERIODS} onChange={(event) => choose(event.target.value)} />
        </Field>
      </div>
      {isError && data === undefined ? (
        <ErrorState
          message="Failed to load abuse patterns"
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : !isPending && rows.length === 0 ? (
        <EmptyState title="No abuse found">
          Nobody has done anything in this time that a rule is about.
        </EmptyState>
      ) : isWide ? (
        <PatternTable rows={rows} loading={isPending} />
      ) : (
        <PatternCards rows={rows} loading={isPending} />
      )}
      {data?.has_more === true ? (
        <p className="border-t border-line px-4 py-2.5 text-sm text-ink-2">
          The {rows.length.toLocaleString('en')} newest are shown. A shorter time shows fewer.
        </p>
      ) : null}
    </Card>
  )
}

const COLUMNS = [
  { key: 'severity', title: 'Severity', className: 'w-24' },
  { key: 'user', title: 'User', className: 'w-56' },
  { key: 'pattern', title: 'Pattern' },
  { key: 'times', title: 'Occurrences', className: 'w-28', align: 'right' },
  { key: 'last', title: 'Last detected', className: 'w-44' },
  { key: 'risk', title: 'Risk', className: 'w-16', align: 'right' },
  { key: 'act', title: <span className="sr-only">Actions</span>, className: 'w-28', align: 'right' },
] as const

function PatternTable({ rows, loading }: { rows: readonly Pattern[]; loading: boolean }) {
  return (
    <div className="overflow-x-auto border-t border-line">
      <Table label="Abuse patterns" columns={COLUMNS} loading={loading} skeletonRows={8}>
        {rows.map((row) => (
          <TableRow key={row.id}>
            <Cell className="py-2.5 align-top">
              <Severity row={row} />
            </Cell>
            <Cell className="max-w-56 py-2.5 align-top">
              <Who row={row} />
            </Cell>
            <Cell className="py-2.5 align-top">
              <What row={row} />
            </Cell>
            <Cell align="right" className="py-2.5 align-top">
              {row.occurrences.toLocaleString('en')}
            </Cell>
            <Cell className="py-2.5 align-top">
              <When row={row} />
            </Cell>
            <Cell align="right" className="py-2.5 align-top">
              <Risk row={row} />
            </Cell>
            <Cell align="right" className="py-2.5 align-top">
              <Act row={row} />
            </Cell>
          </TableRow>
        ))}
      </Table>
    </div>
  )
}

function PatternCards({ rows, loading }: { rows: readonly Pattern[]; loading: boolean }) {
  if (loading)
    return (
      <ul aria-hidden className="border-t border-line">
        {Array.from({ length: 4 }, (_, row) => (
          <li key={row} className="flex flex-col gap-2.5 border-b border-line p-4">
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-3 w-5/6" />
            <Skeleton className="h-3 w-2/3" />
          </li>
        ))}
      </ul>
    )
  return (
    <ul aria-label="Abuse patterns" className="border-t border-line">
      {rows.map((row) => (
        <li key={row.id} className="flex flex-col gap-2 border-b border-line px-4 py-3.5 last:border-0">
          <div className="flex items-center justify-between gap-3">
            <Severity row={row} withWord />
            <Risk row={row} withWord />
          </div>
          <Who row={row} />
          <What row={row} />
          <p className="text-sm text-ink-2">
            {row.occurrences === 1 ? 'Found once' : `Found ${row.occurrences.toLocaleString('en')} times`},
            last {timeText(row.last_detected)}
          </p>
          <div>
            <Act row={row} />
          </div>
        </li>
      ))}
    </ul>
  )
}

type OfRow = { row: Pattern }

function Severity({ row, withWord = false }: OfRow & { withWord?: boolean }) {
  return (
    <Badge tone={severityTone(row.severity)}>
      <span className={withWord ? '' : 'sr-only'}>Severity&nbsp;</span>
      {row.severity} of 5
    </Badge>
  )
}

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

function Risk({ row, withWord = false }: OfRow & { withWord?: boolean }) {
  return (
    <Badge tone={riskTone(row.risk)} className="tabular-nums">
      <span className={withWord ? '' : 'sr-only'}>Risk&nbsp;</span>
      {row.risk}
    </Badge>
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
