import type { QueryClient } from '@tanstack/react-query'
import { emailReading } from '#contract/email-reading.ts'
import { call } from '#web/api/call.ts'
import { queryKeyOf } from '#web/api/queries.ts'

/** A mail fetched ahead counts as fresh for so long; the link to its frame lives for minutes. */
const FRESH_MS = 60_000

/** Fetches a mail that is likely opened next, unless it is there already. Nothing is marked as read by it. */
export function prefetchMail(client: QueryClient, id: number): void {
  const params = { id }
  void client.prefetchQuery({
    queryKey: queryKeyOf(emailReading.get, 'reply', { params }),
    queryFn: ({ signal }) => call(emailReading.get, { params, signal }),
    staleTime: FRESH_MS,
  })
}
