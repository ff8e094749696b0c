import { FEEDBACK_SORTS, type FeedbackSort, RATINGS_CROSSED } from '#contract/operations/admin-feedback.ts'
import { RATINGS, REASONS, type Reason } from '#contract/operations/leaving.ts'
import { pageChanges, pageOf, useListQuery } from '#web/platform/list-query.ts'

export type FeedbackFilters = { category: Reason | ''; min: string; max: string }

const NONE: FeedbackFilters = { category: '', min: '', max: '' }

/** The filters of the table, its order and page, kept in the page's address. What is none of them there is left out. */
export function useFeedbackFilters() {
  const [query, change] = useListQuery()
  const rating = (name: string) =>
    (RATINGS.some((each) => String(each) === query.get(name)) ? query.get(name) : null) ?? ''
  const filters: FeedbackFilters = {
    category: REASONS.find((each) => each === query.get('category')) ?? '',
    min: rating('min_rating'),
    max: rating('max_rating'),
  }
  const sort: FeedbackSort = FEEDBACK_SORTS.find((each) => each === query.get('sort')) ?? 'newest'
  const page = pageOf(query)
  return {
    filters,
    sort,
    page,
    isFiltered: Object.values(filters).some((value) => value !== ''),
    /** Why these filters can find nothing. */
    fault:
      filters.min !== '' && filters.max !== '' && filters.min > filters.max ? RATINGS_CROSSED : undefined,
    change: ({ category, min, max }: Partial<Record<keyof FeedbackFilters, string>>) =>
      change({
        ...(category === undefined ? {} : { category }),
        ...(min === undefined ? {} : { min_rating: min }),
        ...(max === undefined ? {} : { max_rating: max }),
      }),
    setSort: (next: FeedbackSort) => change({ sort: next === 'newest' ? undefined : next }),
    setPage: (next: number) => change(pageChanges.page(next)),
    clear: () => change({ category: NONE.category, min_rating: NONE.min, max_rating: NONE.max }),
  }
}

/** The filters as the call wants them. */
export function queryOf({ category, min, max }: FeedbackFilters) {
  return {
    ...(category === '' ? {} : { category }),
    ...(min === '' ? {} : { min_rating: Number(min) }),
    ...(max === '' ? {} : { max_rating: Number(max) }),
  }
}
