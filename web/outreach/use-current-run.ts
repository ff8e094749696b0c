import { type QueryClient, type UseQueryResult } from '@tanstack/react-query'
import { type Batch, outreach } from '#contract/outreach.ts'
import type { ApiError } from '#web/api/errors.ts'
import { queryKeyOf, useEndpoint } from '#web/api/queries.ts'
import { isUnderWay } from './run-text.ts'

/** A run tells of itself by live events; this often it is asked for all the same, where none come through. */
const LOOK_AGAIN_MS = 3000

/** The newest run, or null; kept fresh while it is under way. */
export function useCurrentRun(): UseQueryResult<Batch | null, ApiError> {
  const current = useEndpoint(outreach.current)
  // A second look at the same answer, because only the answer tells whether to look again.
  useEndpoint(outreach.current, { refetchInterval: isUnderWay(current.data) ? LOOK_AGAIN_MS : false })
  return current
}

/** Takes over what a call has said of the newest run. */
export function keepRun(client: QueryClient, run: Batch): void {
  client.setQueryData(queryKeyOf(outreach.current, 'reply', {}), { ...run, results: [] })
}
