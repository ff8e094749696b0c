import { type QueryClient, type UseQueryResult } from '@tanstack/react-query'
import { type Batch, outreach } from '#contract/outreach/runs.ts'
import type { ApiError } from '#web/platform/api/errors.ts'
import { queryKeyOf, useEndpoint } from '#web/platform/api/queries.ts'
import { isUnderWay } from './run-text.ts'

/** Live events report a run's progress; it is also polled this often in case they do not arrive. */
const LOOK_AGAIN_MS = 3000

/** The newest run, or null; kept up to date while it is in progress. */
export function useCurrentRun(): UseQueryResult<Batch | null, ApiError> {
  const current = useEndpoint(outreach.current)
  // A second query on the same answer, because only the answer tells whether to poll.
  useEndpoint(outreach.current, { refetchInterval: isUnderWay(current.data) ? LOOK_AGAIN_MS : false })
  return current
}

/** Stores the newest run from the reply of a call. */
export function keepRun(client: QueryClient, run: Batch): void {
  client.setQueryData(queryKeyOf(outreach.current, 'reply', {}), { ...run, results: [] })
}
