import type { QueryClient } from '@tanstack/react-query'
import { type Email, type EmailDetail, emails } from '#contract/emails.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { queryKeyOf } from '#web/api/queries.ts'

type Page = { rows: Email[]; total: number }

// All pages that were fetched of the list, whatever was asked.
const listKey = queryKeyOf(emails.list, 'page', {}).slice(0, 2)
const countsKey = queryKeyOf(emails.counts, 'reply', {})

/** A mail as some list has shown it: its head can stand there before its words come. */
export function findShown(client: QueryClient, id: number): Email | undefined {
  return client
    .getQueriesData<Page>({ queryKey: listKey })
    .flatMap(([, page]) => page?.rows ?? [])
    .find((row) => row.id === id)
}

/** Shows a mail as read wherever it stands, and the inbox with one unread less, before the server has said so. */
export function showAsRead(client: QueryClient, { id, status }: Email): void {
  const read = <Mail extends Email>(mail: Mail): Mail => (mail.id === id ? { ...mail, isRead: true } : mail)
  client.setQueriesData<Page>({ queryKey: listKey }, (page) => page && { ...page, rows: page.rows.map(read) })
  client.setQueryData<EmailDetail>(
    queryKeyOf(emails.get, 'reply', { params: { id } }),
    (mail) => mail && read(mail),
  )
  if (status !== 'received') return
  client.setQueryData<ReplyOf<typeof emails.counts>>(
    countsKey,
    (counts) => counts && { ...counts, unread_inbox: Math.max(0, counts.unread_inbox - 1) },
  )
}
