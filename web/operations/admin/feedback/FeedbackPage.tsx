import { Download } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { adminFeedback, FEEDBACK_PER_PAGE } from '#contract/operations/admin-feedback.ts'
import { REASONS, RATINGS } from '#contract/operations/leaving.ts'
import { useWide } from '#web/crm/contacts/use-wide.ts'
import { RATING_LABELS } from '#web/operations/leaving/answer-labels.ts'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { Pagination } from '#web/platform/ui/Pagination.tsx'
import { ProgressBar } from '#web/platform/ui/ProgressBar.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useAdminEndpoint } from '../admin-calls.ts'
import { reasonName } from '../reason-name.ts'
import { FeedbackCards } from './FeedbackCards.tsx'
import { FeedbackFigures } from './FeedbackFigures.tsx'
import { FeedbackTable } from './FeedbackTable.tsx'
import { type FeedbackFilters, queryOf, useFeedbackFilters } from './use-feedback-filters.ts'
import { useFeedbackExport } from './use-feedback-export.ts'

const FAILED = 'Failed to load feedback data'

/** All departure feedback: in figures, as a table that can be filtered and sorted, and as a file. */
export function FeedbackPage() {
  const asked = useFeedbackFilters()
  const { filters, sort, page, fault } = asked
  const result = useAdminEndpoint(adminFeedback.details, {
    query: { ...queryOf(filters), page, limit: FEEDBACK_PER_PAGE, sort },
    enabled: fault === undefined,
    staleTime: 0,
  })
  const { data, error } = result
  useEffect(() => {
    if (error !== null) toast.error(FAILED)
  }, [error])
  const { progress, start, cancel } = useFeedbackExport()
  return (
    <>
      <PageHeader
        title="Feedback"
        note="Why people left, and what they wish for."
        actions={
          <>
            <Link to={`${paths.admin}?tab=feedback`} className={buttonClass()}>
              Admin Dashboard
            </Link>
            <Button
              icon={<Download aria-hidden className="size-4" />}
              busy={progress !== null}
              disabled={data === undefined || data.total === 0 || fault !== undefined}
              onClick={() => void start(filters)}
            >
              Export CSV
            </Button>
          </>
        }
      />
      <div className="flex flex-col gap-4">
        {progress === null ? null : <Exporting {...progress} onStop={cancel} />}
        <FeedbackFigures />
        <Card flush>
          <Filters asked={asked} />
          <Rows asked={asked} result={result} />
        </Card>
      </div>
    </>
  )
}

function Exporting({ done, total, onStop }: { done: number; total: number; onStop: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3">
      <span className="text-sm tabular-nums">
        {total === 0
          ? 'Preparing the file…'
          : `${done.toLocaleString('en')} of ${total.toLocaleString('en')} in the file`}
      </span>
      <ProgressBar
        label="Exporting feedback"
        value={total === 0 ? undefined : done}
        max={Math.max(total, 1)}
        className="min-w-40 flex-1"
      />
      <Button size="s" onClick={onStop}>
        Stop
      </Button>
    </div>
  )
}

type Asked = ReturnType<typeof useFeedbackFilters>

const CATEGORIES = [
  { value: '', label: 'All categories' },
  ...REASONS.map((value) => ({ value, label: reasonName(value) })),
]
const ANY_RATING = [
  { value: '', label: 'Any' },
  ...RATINGS.map((value) => ({ value: String(value), label: `${value} ${RATING_LABELS[value]}` })),
]

function Filters({ asked: { filters, fault, isFiltered, change, clear } }: { asked: Asked }) {
  const set = (name: keyof FeedbackFilters) => (event: { target: { value: string } }) =>
    change({ [name]: event.target.value })
  return (
    <search aria-label="Feedback" className="grid grid-cols-2 items-start gap-3 p-3 md:grid-cols-4">
      <Field label="Category" className="max-md:col-span-2">
        <Select options={CATEGORIES} value={filters.category} onChange={set('category')} />
      </Field>
      <Field label="Min rating" error={fault}>
        <Select options={ANY_RATING} value={filters.min} onChange={set('min')} />
      </Field>
      <Field label="Max rating">
        <Select options={ANY_RATING} value={filters.max} onChange={set('max')} />
      </Field>
      {isFiltered ? (
        <Button className="w-fit max-md:col-span-2 md:mt-6" onClick={clear}>
          Clear filters
        </Button>
      ) : null}
    </search>
  )
}

type Result = ReturnType<typeof useAdminEndpoint<typeof adminFeedback.details>>

function Rows({ asked, result }: { asked: Asked; result: Result }) {
  const isWide = useWide()
  const { data, isError, isFetching, refetch } = result
  const { page, setPage, isFiltered, clear, sort, setSort, fault } = asked
  if (data === undefined && isError)
    return <ErrorState message={FAILED} busy={isFetching} onRetry={() => void refetch()} />
  // What was found for other ratings would be taken for the answer.
  if (fault !== undefined)
    return <EmptyState title="No feedback found">Choose ratings that leave some between them.</EmptyState>
  if (data?.total === 0)
    return (
      <EmptyState
        title={isFiltered ? 'No feedback found' : 'No feedback yet'}
        action={isFiltered ? <Button onClick={clear}>Clear filters</Button> : undefined}
      >
        {isFiltered
          ? 'Nobody answered so.'
          : 'Whoever deletes their account is asked why. Their answers appear here.'}
      </EmptyState>
    )
  const Shown = isWide ? FeedbackTable : FeedbackCards
  return (
    <>
      <Shown rows={data?.feedback_data ?? []} loading={data === undefined} sort={sort} onSort={setSort} />
      {data !== undefined && data.feedback_data.length === 0 ? (
        <EmptyState
          title="This page is empty"
          action={<Button onClick={() => setPage(1)}>First page</Button>}
        />
      ) : null}
      {data === undefined ? null : (
        <Pagination
          page={page}
          pageSize={FEEDBACK_PER_PAGE}
          total={data.total}
          noun="feedback entries"
          onPage={setPage}
          className="border-t border-line px-4 py-2.5"
        />
      )}
    </>
  )
}
