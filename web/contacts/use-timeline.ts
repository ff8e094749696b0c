import { useInfiniteQuery } from '@tanstack/react-query'
import { timeline } from '#contract/timeline.ts'
import { call } from '#web/api/call.ts'
import { queryKeyOf, retryOnce } from '#web/api/queries.ts'

/** A contact's timeline, page after page; live events fetch anew what has been read of it. */
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
