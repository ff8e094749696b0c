import type { ReactNode } from 'react'
import {
  type adminFeedback,
  FEEDBACK_PER_PAGE,
  FEEDBACK_SORTS,
  type FeedbackRow,
  type FeedbackSort,
} from '#contract/operations/admin-feedback.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { fullDate } from '#web/platform/dates/mail-age.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { List } from '#web/platform/ui/List.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import type { useAdminEndpoint } from '../admin-calls.ts'
import { reasonName } from '../reason-name.ts'
import { tierName } from '../tier-name.ts'
import { FeedbackWords } from './FeedbackWords.tsx'
import { Rating } from './Rating.tsx'
import type { useFeedbackFilters } from './use-feedback-filters.ts'
import { METHOD_LABELS } from '#web/operations/leaving/answer-labels.ts'

/** What phones offer in place of the table's header. */
const ORDERS: readonly { value: FeedbackSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'feedback_rating', label: 'Lowest rating first' },
  { value: '-feedback_rating', label: 'Highest rating first' },
  { value: 'full_name', label: 'Name' },
  { value: 'feedback_category', label: 'Category' },
  { value: '-deleted_at', label: 'Deleted last' },
  { value: '-account_age_days', label: 'Oldest accounts first' },
]

type FeedbackListProps = {
  asked: ReturnType<typeof useFeedbackFilters>
  result: ReturnType<typeof useAdminEndpoint<typeof adminFeedback.details>>
  failed: string
  empty: ReactNode
}

/** One page of feedback; it is sorted over all pages. */
export function FeedbackList({ asked, result, failed, empty }: FeedbackListProps) {
  const { data } = result
  const { page, setPage, sort, setSort } = asked
  return (
    <List
      label="Feedback"
      query={result}
      failed={failed}
      rows={data?.feedback_data}
      keyOf={({ id }) => id}
      sorted={{ sort, onSort: setSort }}
      scrolls
      className="min-w-200 table-fixed [&_:is(td,th)]:px-2 [&_td]:align-top [&_td]:py-2.5"
      columns={{
        user: {
          title: 'User',
          sorts: ['full_name', '-full_name'],
          className: 'w-50',
          render: (row) => <Who row={row} />,
        },
        category: {
          title: 'Category',
          sorts: ['feedback_category', '-feedback_category'],
          className: 'w-26',
          cellClass: 'wrap-anywhere',
          render: ({ feedback_category: category, feedback_custom_category: custom }) => (
            <>
              {reasonName(category)}
              {custom === '' ? null : <span className="block text-sm text-ink-2">{custom}</span>}
            </>
          ),
        },
        rating: {
          title: 'Rating',
          sorts: ['feedback_rating', '-feedback_rating'],
          className: 'w-39',
          render: (row) => <Rating rating={row.feedback_rating} />,
        },
        details: { title: 'Details', render: (row) => <FeedbackWords row={row} /> },
        plan: {
          title: 'Plan',
          sorts: ['pricing_tier', '-pricing_tier'],
          className: 'hidden w-26 xl:table-cell',
          render: (row) => tierName(row.pricing_tier),
        },
        contact: {
          title: 'Contact',
          sorts: ['-contact_consent', 'contact_consent'],
          className: 'w-22',
          render: contactText,
        },
        age: {
          title: 'Account age',
          sorts: ['account_age_days', '-account_age_days'],
          className: 'hidden w-28 lg:table-cell',
          render: ageText,
        },
        left: {
          title: 'Deleted',
          sorts: ['-deleted_at', 'deleted_at'],
          className: 'w-28',
          cellClass: 'whitespace-nowrap',
          render: ({ deleted_at: at }) =>
            at === null ? (
              <span className="text-ink-2">Not deleted</span>
            ) : (
              <time dateTime={at}>{dayText(at)}</time>
            ),
        },
      }}
      cardsHead={
        <Field label="Sort by" className="border-t border-line p-3">
          <Select
            value={ORDERS.some(({ value }) => value === sort) ? sort : 'newest'}
            options={ORDERS}
            onChange={({ target }) =>
              setSort(FEEDBACK_SORTS.find((each) => each === target.value) ?? 'newest')
            }
          />
        </Field>
      }
      cardClass="flex-col gap-2 px-4 py-3"
      renderCard={(row, cells) => (
        <>
          <div>{cells.user}</div>
          <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <span className="min-w-0 wrap-anywhere">
              {row.feedback_custom_category || reasonName(row.feedback_category)}
            </span>
            {cells.rating}
          </p>
          {cells.details}
          <p className="text-sm text-ink-2">
            {cells.plan} · {cells.age} ·{' '}
            {row.deleted_at === null ? 'not deleted' : `deleted ${dayText(row.deleted_at)}`} · contact:{' '}
            {contactText(row).toLowerCase()}
          </p>
        </>
      )}
      empty={data?.total === 0 ? empty : undefined}
      pages={{
        page,
        pageSize: FEEDBACK_PER_PAGE,
        total: data?.total ?? 0,
        noun: 'feedback entries',
        onPage: setPage,
      }}
    />
  )
}

const dayText = (at: string) => fullDate(new Date(at), currentTimeZone())

/** Whose feedback it is, as long as the account can be restored. */
function Who({ row }: { row: FeedbackRow }) {
  if (row.email === null) return <span className="text-ink-2">Removed account</span>
  return (
    <>
      <span className="block font-medium wrap-anywhere">{row.full_name}</span>
      <span className="block text-sm wrap-anywhere text-ink-2">{row.email}</span>
      {row.company_name ? (
        <span className="block text-sm wrap-anywhere text-ink-2">{row.company_name}</span>
      ) : null}
    </>
  )
}

/** Whether somebody may be contacted, and how: "By email", "Yes", "No". */
function contactText({ contact_consent: agreed, contact_method: method }: FeedbackRow): string {
  if (!agreed) return 'No'
  return method === null || method === 'other' ? 'Yes' : `By ${METHOD_LABELS[method].toLowerCase()}`
}

/** How old the account was: "1 day", "1,200 days". */
function ageText({ account_age_days: days }: FeedbackRow): string {
  return `${days.toLocaleString('en')} ${days === 1 ? 'day' : 'days'}`
}
