import { ShieldCheck } from 'lucide-react'
import {
  activities,
  type Activity,
  ACTIVITY_LABELS,
  ACTIVITY_SEARCH_MAX,
  ACTIVITY_TYPES,
  RISK_STEPS,
} from '#contract/accounts/activities.ts'
import { dateFormat } from '#web/platform/dates/date-formats.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { DelayedInput } from '#web/platform/ui/DelayedInput.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { List } from '#web/platform/ui/List.tsx'
import { PreviousNext } from '#web/platform/ui/PreviousNext.tsx'
import { SearchInput } from '#web/platform/ui/SearchInput.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { useAdminCommand, useAdminEndpoint } from '../admin-calls.ts'
import { riskTone } from './risk-tone.ts'
import { type ActivityFilters, queryOf, useActivityFilters } from './use-activity-filters.ts'

/** What happened on this Howl: who did what, when, from where, and how risky it was. */
export function UserActivities() {
  const asked = useActivityFilters()
  return (
    <Card flush>
      <Filters asked={asked} />
      <Integrity />
      <Rows asked={asked} />
    </Card>
  )
}

type Asked = ReturnType<typeof useActivityFilters>

const KINDS = [
  { value: '', label: 'All activities' },
  ...ACTIVITY_TYPES.map((value) => ({ value, label: ACTIVITY_LABELS[value] })).toSorted((one, other) =>
    one.label.localeCompare(other.label, 'en'),
  ),
]
const RISKS = [
  { value: '', label: 'Any risk' },
  { value: String(RISK_STEPS.orange), label: `${RISK_STEPS.orange} and more` },
  { value: String(RISK_STEPS.yellow), label: `${RISK_STEPS.yellow} and more` },
  { value: String(RISK_STEPS.red), label: `${RISK_STEPS.red} and more` },
]

function Filters({ asked: { filters, change, clear, isFiltered } }: { asked: Asked }) {
  const set = (name: keyof ActivityFilters) => (event: { target: { value: string } }) =>
    change({ [name]: event.target.value })
  return (
    <search aria-label="Activities" className="grid grid-cols-2 items-end gap-3 p-3 lg:grid-cols-12">
      <Field label="Search" className="col-span-2 lg:col-span-3">
        <DelayedInput value={filters.search} onRest={(search) => change({ search })}>
          {(control) => (
            <SearchInput
              {...control}
              maxLength={ACTIVITY_SEARCH_MAX}
              placeholder="Words, IP address or email"
            />
          )}
        </DelayedInput>
      </Field>
      <Field label="Activity" className="max-sm:col-span-2 lg:col-span-3">
        <Select options={KINDS} value={filters.type} onChange={set('type')} />
      </Field>
      <Field label="Risk" className="max-sm:col-span-2 lg:col-span-2">
        <Select options={RISKS} value={filters.risk} onChange={set('risk')} />
      </Field>
      <Field label="From" className="lg:col-span-2">
        <TextInput type="date" value={filters.from} max={filters.to} onChange={set('from')} />
      </Field>
      <Field label="To" className="lg:col-span-2">
        <TextInput type="date" value={filters.to} min={filters.from} onChange={set('to')} />
      </Field>
      {isFiltered ? (
        <p className="col-span-2 lg:col-span-12">
          <Button variant="quiet" onClick={clear}>
            Clear filters
          </Button>
        </p>
      ) : null}
    </search>
  )
}

/** A check reads every row: about a minute for a million. */
const CHECK_MS = 300_000

/** Compares the log with its seals, and says what was found. */
function Integrity() {
  const check = useAdminCommand(activities.check)
  const { data: report, error, isPending } = check
  return (
    <div className="flex flex-col gap-2 border-t border-line px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-sm text-ink-2">
          Every activity is sealed and linked to the one before. Nobody can change, remove or insert one
          unseen.
        </p>
        <Button
          icon={<ShieldCheck aria-hidden className="size-4" />}
          busy={isPending}
          onClick={() => check.mutate({ timeoutMs: CHECK_MS })}
        >
          Check the log
        </Button>
      </div>
      <div aria-live="polite">
        <Alert>{error?.detail}</Alert>
        {report === undefined || !report.ok ? null : (
          <p className="rounded-md bg-green-soft px-3 py-2 text-green">
            {report.checked.toLocaleString('en')} activities checked: nothing was changed, removed or
            inserted.
          </p>
        )}
        {report === undefined || report.ok ? null : (
          <div className="rounded-md bg-danger-soft px-3 py-2 text-danger">
            <p className="font-medium">Somebody has changed the activity log.</p>
            <ul className="mt-1 list-disc pl-5">
              {report.faults.map((fault) => (
                <li key={`${fault.kind} ${fault.id} ${fault.position}`}>{fault.what}</li>
              ))}
              {report.more ? <li>There is more. Run “npm run activities -- check” on the server.</li> : null}
            </ul>
          </div>
        )}
      </div>
    </div>
  )
}

function Rows({ asked }: { asked: Asked }) {
  const { filters, page, setPage, isFiltered, clear, change } = asked
  const query = useAdminEndpoint(activities.list, { query: queryOf(filters, page) })
  return (
    <List
      label="Activities"
      query={query}
      failed="Failed to load activities"
      rows={query.data?.activities}
      keyOf={({ id }) => id}
      scrolls
      skeletonRows={12}
      columns={{
        when: {
          title: 'When',
          className: 'w-44',
          cellClass: 'whitespace-nowrap text-ink-2',
          render: (row) => timeText(row.created_at),
        },
        user: {
          title: 'User',
          className: 'w-64',
          cellClass: 'max-w-64',
          render: (row) => <Who row={row} onUser={(email) => change({ search: email })} />,
        },
        activity: { title: 'Activity', cellClass: 'break-words', render: (row) => row.description },
        from: {
          title: 'IP address',
          className: 'w-44',
          cellClass: 'text-ink-2',
          render: (row) => row.ip_address ?? '—',
        },
        risk: {
          title: 'Risk',
          className: 'w-20',
          align: 'right',
          render: (row) => <Risk score={row.risk_score} />,
        },
      }}
      cardClass="flex-col gap-1 px-4 py-3"
      renderCard={(row, cells) => (
        <>
          <div className="flex items-start justify-between gap-3">
            <span className="min-w-0 font-medium break-words">{row.description}</span>
            {cells.risk}
          </div>
          {cells.user}
          <p className="text-sm text-ink-2">
            {cells.when}
            {row.ip_address === null ? '' : ` · ${row.ip_address}`}
          </p>
        </>
      )}
      empty={
        page > 1 ? undefined : (
          <EmptyState
            title={isFiltered ? 'No activities found' : 'No activities yet'}
            action={isFiltered ? <Button onClick={clear}>Clear filters</Button> : undefined}
          >
            {isFiltered
              ? 'Nothing matches these filters. Words are matched whole, or by the beginning of a kind of activity.'
              : 'Log-ins, changes of settings, bulk runs, imports and denied tries appear here.'}
          </EmptyState>
        )
      }
    >
      <PreviousNext
        label="Pages of activities"
        page={page}
        hasMore={query.data?.has_more === true}
        onPage={setPage}
      />
    </List>
  )
}

/** Whose account it was; a press shows only that user's activities. */
function Who({ row, onUser }: { row: Activity; onUser: (email: string) => void }) {
  const { user_email: email, user_id: id } = row
  if (email !== null)
    return (
      <button
        type="button"
        title={`Show only activities of ${email}`}
        onClick={() => onUser(email)}
        className="block max-w-full truncate text-left text-accent hover:underline pointer-coarse:min-h-11"
      >
        {email}
      </button>
    )
  return <span className="text-ink-2">{id === null ? '—' : `User ${id}`}</span>
}

function Risk({ score }: { score: number }) {
  return (
    <Badge tone={riskTone(score)} className="tabular-nums">
      <span className="sr-only">Risk </span>
      {score}
    </Badge>
  )
}

function timeText(instant: string): string {
  return dateFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(instant))
}
