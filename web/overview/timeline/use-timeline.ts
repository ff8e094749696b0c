import { useInfiniteQuery } from '@tanstack/react-query'
import { timeline } from '#contract/overview/timeline.ts'
import { call } from '#web/platform/api/call.ts'
import { queryKeyOf, retryOnce } from '#web/platform/api/queries.ts'

/** A contact's timeline, page by page; live events refetch the pages loaded so far. */
export function useTimeline(id: number) {
  const params = { id }
  return useInfiniteQuery({
    queryKey: [...queryKeyOf(timeline.ofContact, 'page', { params }), 'all'],
    queryFn: ({ pageParam, signal }) =>
      call(timeline.ofContact, { params, query: pageParam === null ? {} : { after: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    retry: retryOnce,
  })
}
