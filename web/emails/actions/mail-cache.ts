import type { QueryClient } from '@tanstack/react-query'
import type { MailAction } from '#contract/email-actions.ts'
import type { Email, EmailDetail } from '#contract/email.ts'
import { emailReading } from '#contract/email-reading.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { queryKeyOf, refresh } from '#web/api/queries.ts'
import { countsAfter } from './predict-outcome.ts'
import { folderOf, moves } from '../mail/mail-actions.ts'

type Counts = ReplyOf<typeof emailReading.counts>
type Page = { rows: Email[]; total: number }

// All pages that were fetched of the list, whatever was asked.
const listKey = queryKeyOf(emailReading.list, 'page', {}).slice(0, 2)
// The figures of all accounts, and of one of them.
const countsKey = queryKeyOf(emailReading.counts, 'reply', {}).slice(0, 2)
const detailKey = (id: number) => queryKeyOf(emailReading.get, 'reply', { params: { id } })

/** The folders' figures as an act leaves them, before the server has counted; an older answer on its way is dropped. */
export function countAhead(client: QueryClient, act: MailAction, mails: readonly Email[]): void {
  void client.cancelQueries({ queryKey: countsKey })
  for (const [key, counts] of client.getQueriesData<Counts>({ queryKey: countsKey })) {
    if (counts === undefined) continue
    const { mailbox } = key[3] as { mailbox?: number }
    const meant = mailbox === undefined ? mails : mails.filter((mail) => mail.mailbox_id === mailbox)
    client.setQueryData<Counts>(key, countsAfter(counts, act, meant))
  }
}

/** Writes into every answer that was kept what the server has just confirmed. */
export function keepDone(client: QueryClient, act: MailAction, mails: readonly Email[]): void {
  const done = new Map(mails.map((mail) => [mail.id, mail]))
  client.setQueriesData<Page>({ queryKey: listKey }, (page) => {
    if (page === undefined || !page.rows.some(({ id }) => done.has(id))) return page
    if (!moves(act))
      return { ...page, rows: page.rows.map((row) => (done.has(row.id) ? marked(row, act) : row)) }
    const rows = page.rows.filter((row) => {
      const moved = done.get(row.id)
      return moved === undefined || folderOf(moved) !== folderOf(row)
    })
    return { rows, total: page.total - (page.rows.length - rows.length) }
  })
  if (moves(act)) return
  for (const id of done.keys()) {
    client.setQueryData<EmailDetail>(detailKey(id), (mail) => mail && marked(mail, act))
  }
}

function marked<Mail extends Email>(mail: Mail, act: MailAction): Mail {
  if (act === 'read' || act === 'unread') return { ...mail, isRead: act === 'read' }
  return { ...mail, isStarred: act === 'star' }
}

/** Asks for the lists and the figures anew; resolves when what is on the screen has come. */
export async function reloadMail(client: QueryClient): Promise<void> {
  await Promise.all([refresh(client, emailReading.list), refresh(client, emailReading.counts)])
}
