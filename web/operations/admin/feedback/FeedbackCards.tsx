import { FEEDBACK_SORTS, type FeedbackSort } from '#contract/operations/admin-feedback.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { fullDate } from '#web/platform/dates/mail-age.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { reasonName } from '../reason-name.ts'
import { tierName } from '../tier-name.ts'
import { type FeedbackRowsProps, Who } from './FeedbackTable.tsx'
import { FeedbackWords } from './FeedbackWords.tsx'
import { Rating } from './Rating.tsx'
import { ageText, contactText } from './feedback-text.ts'

const ORDERS: readonly { value: FeedbackSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'feedback_rating', label: 'Lowest rating first' },
  { value: '-feedback_rating', label: 'Highest rating first' },
  { value: 'full_name', label: 'Name' },
  { value: 'feedback_category', label: 'Category' },
  { value: '-deleted_at', label: 'Deleted last' },
  { value: '-account_age_days', label: 'Oldest accounts first' },
]

/** Feedback as cards, for phones. */
export function FeedbackCards({ rows, loading, sort, onSort }: FeedbackRowsProps) {
  const isListed = ORDERS.some(({ value }) => value === sort)
  return (
    <>
      <Field label="Sort by" className="border-t border-line p-3">
        <Select
          value={isListed ? sort : 'newest'}
          options={ORDERS}
          onChange={(event) => onSort(FEEDBACK_SORTS.find((each) => each === event.target.value) ?? 'newest')}
        />
      </Field>
      {loading ? (
        <Waiting />
      ) : (
        <ul aria-label="Feedback" className="divide-y divide-line border-t border-line">
          {rows.map((row) => (
            <li key={row.id} className="flex flex-col gap-2 px-4 py-3">
              <div>
                <Who row={row} />
              </div>
              <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <span className="min-w-0 wrap-anywhere">
                  {row.feedback_custom_category || reasonName(row.feedback_category)}
                </span>
                <Rating rating={row.feedback_rating} />
              </p>
              <FeedbackWords row={row} />
              <p className="text-sm text-ink-2">
                {tierName(row.pricing_tier)} · {ageText(row)} ·{' '}
                {row.deleted_at === null
                  ? 'not deleted'
                  : `deleted ${fullDate(new Date(row.deleted_at), currentTimeZone())}`}{' '}
                · contact: {contactText(row).toLowerCase()}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Waiting() {
  return (
    <ul aria-hidden className="border-t border-line">
      {Array.from({ length: 5 }, (_, row) => (
        <li key={row} className="flex flex-col gap-2.5 border-b border-line p-4">
          <Skeleton className="h-3 w-2/3" />
          <Skeleton className="h-3 w-1/2" />
        </li>
      ))}
    </ul>
  )
}
