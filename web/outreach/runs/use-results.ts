import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Batch, outreach } from '#contract/outreach/runs.ts'
import { call } from '#web/platform/api/call.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'

export type Result = Batch['results'][number]
export type ResultStatus = Result['status'] | 'all'

export const PAGE_SIZE = 20
/**
 * The server returns at most this many results at once, and this many pages are searched for a status (20,000
 * contacts).
 */
const SEARCH_PAGE = 1000
const SEARCH_PAGES_MAX = 20

/**
 * One page of a run's results. The server pages through all of them; filtering by status happens here. `searched` says
 * how many results were searched, if not all.
 */
export function useResults(run: Batch, status: ResultStatus, page: number) {
  const id = run.batch_id
  const all = useEndpoint(outreach.get, {
    params: { id },
    query: { page, page_size: PAGE_SIZE },
    enabled: status === 'all',
  })
  const picked = useQuery({
    // Starts like the key of the page, so that both are refreshed together. The results depend on the run's progress.
    queryKey: [`${outreach.get.method} ${outreach.get.path}`, 'picked', id, status, run.done],
    queryFn: ({ signal }) => pick(run, status, signal),
    enabled: status !== 'all',
    placeholderData: keepPreviousData,
  })
  if (status === 'all') {
    return { ...stateOf(all), rows: all.data?.results, total: all.data?.summary.total ?? 0, searched: null }
  }
  const rows = picked.data?.rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  const searched = picked.data?.searched ?? null
  return { ...stateOf(picked), rows, total: picked.data?.rows.length ?? 0, searched }
}

function stateOf(query: { error: unknown; isFetching: boolean; refetch: () => Promise<unknown> }) {
  return { error: query.error, isFetching: query.isFetching, refetch: () => void query.refetch() }
}

async function pick(run: Batch, status: ResultStatus, signal: AbortSignal) {
  const rows: Result[] = []
  for (let page = 1; page <= SEARCH_PAGES_MAX; page++) {
    const query = { page, page_size: SEARCH_PAGE }
    const { results } = await call(outreach.get, { params: { id: run.batch_id }, query, signal })
    rows.push(...results.filter((result) => result.status === status))
    if (results.length < SEARCH_PAGE) return { rows, searched: null }
  }
  const looked = SEARCH_PAGE * SEARCH_PAGES_MAX
  return { rows, searched: run.summary.total > looked ? looked : null }
}
