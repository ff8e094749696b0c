import type { FeedbackRow, FeedbackSort } from '#contract/operations/admin-feedback.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { fullDate } from '#web/platform/dates/mail-age.ts'
import { sortableColumn } from '#web/platform/ui/sortable-column.tsx'
import { Cell, type Column, Table, TableRow } from '#web/platform/ui/Table.tsx'
import { reasonName } from '../reason-name.ts'
import { tierName } from '../tier-name.ts'
import { FeedbackWords } from './FeedbackWords.tsx'
import { Rating } from './Rating.tsx'
import { ageText, contactText } from './feedback-text.ts'

export type FeedbackRowsProps = {
  rows: readonly FeedbackRow[]
  loading: boolean
  sort: FeedbackSort
  onSort: (sort: FeedbackSort) => void
}

const WIDTHS = {
  user: 'w-50',
  category: 'w-26',
  rating: 'w-39',
  plan: 'hidden w-26 xl:table-cell',
  contact: 'w-22',
  age: 'hidden w-28 lg:table-cell',
  left: 'w-28',
}

/** Feedback as a table, for wide screens; its columns sort over all pages. */
export function FeedbackTable({ rows, loading, sort, onSort }: FeedbackRowsProps) {
  const sorted = { sort, onSort }
  const column = (key: keyof typeof WIDTHS, title: string, sorts: readonly FeedbackSort[]) =>
    sortableColumn({ key, title, className: WIDTHS[key] }, sorts, sorted)
  const columns: Column[] = [
    column('user', 'User', ['full_name', '-full_name']),
    column('category', 'Category', ['feedback_category', '-feedback_category']),
    column('rating', 'Rating', ['feedback_rating', '-feedback_rating']),
    { key: 'details', title: 'Details' },
    column('plan', 'Plan', ['pricing_tier', '-pricing_tier']),
    column('contact', 'Contact', ['-contact_consent', 'contact_consent']),
    column('age', 'Account age', ['account_age_days', '-account_age_days']),
    column('left', 'Deleted', ['-deleted_at', 'deleted_at']),
  ]
  return (
    <div className="overflow-x-auto border-t border-line">
      <Table
        label="Feedback"
        columns={columns}
        loading={loading}
        className="min-w-200 table-fixed [&_:is(td,th)]:px-2 [&_td]:align-top [&_td]:py-2.5"
      >
        {rows.map((row) => (
          <TableRow key={row.id}>
            <Cell className={WIDTHS.user}>
              <Who row={row} />
            </Cell>
            <Cell className={`${WIDTHS.category} wrap-anywhere`}>
              {reasonName(row.feedback_category)}
              {row.feedback_custom_category === '' ? null : (
                <span className="block text-sm text-ink-2">{row.feedback_custom_category}</span>
              )}
            </Cell>
            <Cell className={WIDTHS.rating}>
              <Rating rating={row.feedback_rating} />
            </Cell>
            <Cell>
              <FeedbackWords row={row} />
            </Cell>
            <Cell className={WIDTHS.plan}>{tierName(row.pricing_tier)}</Cell>
            <Cell className={WIDTHS.contact}>{contactText(row)}</Cell>
            <Cell className={WIDTHS.age}>{ageText(row)}</Cell>
            <Cell className={`${WIDTHS.left} whitespace-nowrap`}>
              {row.deleted_at === null ? (
                <span className="text-ink-2">Not deleted</span>
              ) : (
                <time dateTime={row.deleted_at}>{fullDate(new Date(row.deleted_at), currentTimeZone())}</time>
              )}
            </Cell>
          </TableRow>
        ))}
      </Table>
    </div>
  )
}

/** Whose feedback it is, as long as the account can be restored. */
export function Who({ row }: { row: FeedbackRow }) {
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
