import type { QueryClient } from '@tanstack/react-query'
import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Email, EmailDetail } from '#contract/mail/email.ts'
import { emailReading } from '#contract/mail/email-reading.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { queryKeyOf, refresh } from '#web/platform/api/queries.ts'
import { countsAfter } from './predict-outcome.ts'
import { folderOf, moves } from '../mail/mail-actions.ts'

type Counts = ReplyOf<typeof emailReading.counts>
type Page = { rows: Email[]; total: number }

// Matches every cached page of the list, whatever its query.
const listKey = queryKeyOf(emailReading.list, 'page', {}).slice(0, 2)
// Matches the counts of all accounts and of single ones.
const countsKey = queryKeyOf(emailReading.counts, 'reply', {}).slice(0, 2)
const detailKey = (id: number) => queryKeyOf(emailReading.get, 'reply', { params: { id } })

/** Updates the folder counts before the server's new counts arrive; drops older answers still in flight. */
export function countAhead(client: QueryClient, action: MailAction, mails: readonly Email[]): void {
  void client.cancelQueries({ queryKey: countsKey })
  for (const [key, counts] of client.getQueriesData<Counts>({ queryKey: countsKey })) {
    if (counts === undefined) continue
    const { mailbox } = key[3] as { mailbox?: number }
    const meant = mailbox === undefined ? mails : mails.filter((mail) => mail.mailbox_id === mailbox)
    client.setQueryData<Counts>(key, countsAfter(counts, action, meant))
  }
}

/** Applies an action that the server has confirmed to every cached answer. */
export function keepDone(client: QueryClient, action: MailAction, mails: readonly Email[]): void {
  const done = new Map(mails.map((mail) => [mail.id, mail]))
  client.setQueriesData<Page>({ queryKey: listKey }, (page) => {
    if (page === undefined || !page.rows.some(({ id }) => done.has(id))) return page
    if (!moves(action))
      return { ...page, rows: page.rows.map((row) => (done.has(row.id) ? marked(row, action) : row)) }
    const rows = page.rows.filter((row) => {
      const moved = done.get(row.id)
      return moved === undefined || folderOf(moved) !== folderOf(row)
    })
    return { rows, total: page.total - (page.rows.length - rows.length) }
  })
  if (moves(action)) return
  for (const id of done.keys()) {
    client.setQueryData<EmailDetail>(detailKey(id), (mail) => mail && marked(mail, action))
  }
}

function marked<Mail extends Email>(mail: Mail, action: MailAction): Mail {
  if (action === 'read' || action === 'unread') return { ...mail, isRead: action === 'read' }
  return { ...mail, isStarred: action === 'star' }
}

/** Refetches the lists and counts; resolves when those on the screen have arrived. */
export async function reloadMail(client: QueryClient): Promise<void> {
  await Promise.all([refresh(client, emailReading.list), refresh(client, emailReading.counts)])
}
