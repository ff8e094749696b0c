import type { QueryClient } from '@tanstack/react-query'
import type { Email } from '#contract/mail/email.ts'
import { emailReading } from '#contract/mail/email-reading.ts'
import { queryKeyOf } from '#web/platform/api/queries.ts'

type Page = { rows: Email[]; total: number }

// Matches every cached page of the list, whatever its query.
const listKey = queryKeyOf(emailReading.list, 'page', {}).slice(0, 2)

/** A mail from any cached list, to show its header before its text arrives. */
export function findCachedMail(client: QueryClient, id: number): Email | undefined {
  // Queries that are on the screen have the latest state.
  const pages = [...client.getQueriesData<Page>({ queryKey: listKey, type: 'active' })]
  pages.push(...client.getQueriesData<Page>({ queryKey: listKey }))
  return pages.flatMap(([, page]) => page?.rows ?? []).find((row) => row.id === id)
}
