import { Download } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { adminFeedback, FEEDBACK_PER_PAGE } from '#contract/operations/admin-feedback.ts'
import { REASONS, RATINGS } from '#contract/operations/leaving.ts'
import { RATING_LABELS } from '#web/operations/leaving/answer-labels.ts'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { ProgressBar } from '#web/platform/ui/ProgressBar.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useAdminEndpoint } from '../admin-calls.ts'
import { reasonName } from '../reason-name.ts'
import { FeedbackFigures } from './FeedbackFigures.tsx'
import { FeedbackList } from './FeedbackList.tsx'
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
          {fault === undefined || (data === undefined && error !== null) ? (
            <FeedbackList
              asked={asked}
              result={result}
              failed={FAILED}
              empty={<NothingFound asked={asked} />}
            />
          ) : (
            // What was found for other ratings would be taken for the answer.
            <EmptyState title="No feedback found">Choose ratings that leave some between them.</EmptyState>
          )}
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

/** Why there is no feedback, and the way to some. */
function NothingFound({ asked: { isFiltered, clear } }: { asked: Asked }) {
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
}
