import type { QueryClient } from '@tanstack/react-query'
import { emailReading } from '#contract/mail/email-reading.ts'
import { call } from '#web/platform/api/call.ts'
import { queryKeyOf } from '#web/platform/api/queries.ts'

/** A prefetched mail counts as fresh for this long; the link to its frame is valid for minutes. */
const FRESH_MS = 60_000

/** Prefetches a mail that is likely to be opened next, unless it is cached. Does not mark it as read. */
export function prefetchMail(client: QueryClient, id: number): void {
  const params = { id }
  void client.prefetchQuery({
    queryKey: queryKeyOf(emailReading.get, 'reply', { params }),
    queryFn: ({ signal }) => call(emailReading.get, { params, signal }),
    staleTime: FRESH_MS,
  })
}
