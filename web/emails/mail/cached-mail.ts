import type { QueryClient } from '@tanstack/react-query'
import type { Email } from '#contract/email.ts'
import { emailReading } from '#contract/email-reading.ts'
import { queryKeyOf } from '#web/api/queries.ts'

type Page = { rows: Email[]; total: number }

// All pages that were fetched of the list, whatever was asked.
const listKey = queryKeyOf(emailReading.list, 'page', {}).slice(0, 2)

/** A mail as some list has shown it: its head can stand there before its words come. */
export function findCachedMail(client: QueryClient, id: number): Email | undefined {
  // What is on the screen knows best.
  const pages = [...client.getQueriesData<Page>({ queryKey: listKey, type: 'active' })]
  pages.push(...client.getQueriesData<Page>({ queryKey: listKey }))
  return pages.flatMap(([, page]) => page?.rows ?? []).find((row) => row.id === id)
}
