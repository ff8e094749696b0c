import { emails } from '#contract/emails.ts'
import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'
import { isConfigured, primaryMailbox } from '../mailboxes/mailboxes.ts'
import { actionRoutes } from './action-routes.ts'
import { suppressionRoutes } from './suppression-routes.ts'
import { contentRoutes } from './content-routes.ts'
import { isTrustedSender } from './content/trusted-senders-store.ts'
import { countMailed } from '../contacts/contacts.ts'
import { addressKey } from '../mail/addresses.ts'
import { checkInbox, ingestAll } from './sync/check-now.ts'
import { presentDetail, presentEmail } from './present.ts'
import { listEmails } from './list/list-emails.ts'
import { readContent } from './content/mail-content.ts'
import { listedByIds } from './list/list-store.ts'
import { namesForRows } from './messages/recipient-names.ts'
import { findListed, type ListedEmail, findComposition } from './messages/store.ts'
import { threadIds } from './list/thread-store.ts'
import { showSubscription, unsubscribe } from './suppressions/unsubscribe.ts'
import { filesOf } from './content/uploads-store.ts'
import { composeRoutes } from './compose-routes.ts'
import { folderCounts, mailboxCounts, countUnsent } from './list/counts-store.ts'

const LIST_MAX = 1000
const NOT_FOUND = 'Email not found'

export function emailRoutes(app: Server): void {
  actionRoutes(app)
  suppressionRoutes(app)
  contentRoutes(app)
  composeRoutes(app)
  serve(app, emails.list, async ({ context, user, query, reply }) => {
    const pageSize = query.page_size ?? query.limit ?? LIST_MAX
    const { rows, total, more, pending } = await listEmails(context, user.id, {
      folder: query.folder,
      filter: query.filter ?? 'all',
      mailboxId: query.mailbox ?? null,
      collapse: query.collapse === 'true',
      search: query.search ?? '',
      zone: query.timezone,
      page: query.page,
      pageSize,
      after: query.after ?? null,
    })
    if (more) void reply.header('X-More-Found', 'true')
    if (pending > 0) void reply.header('X-Not-Searchable-Yet', pending)
    const names = await namesForRows(context.db, user.id, rows)
    const after = rows.at(-1)?.id
    return {
      rows: rows.map((row) => presentEmail(row, names)),
      total,
      page: query.page,
      pageSize,
      ...(after === undefined ? {} : { next: { after } }),
    }
  })
  serve(app, emails.counts, ({ context, user, query }) => counts(context, user.id, query.mailbox))
  serve(app, emails.get, async ({ context, user, params }) => {
    const row = await findListed(context.db, user.id, params.id)
    if (row === undefined) throw notFound(NOT_FOUND)
    const written = row.direction === 'in' ? null : await writtenParts(context.db, user.id, row.id)
    const { body, content } = await readContent(context, row, written?.composition)
    const known = {
      ...content,
      ...written,
      remoteAllowed: await isTrustedSender(context.db, user.id, addressKey(row.from_address)),
    }
    return presentDetail(context, row, body, known, user)
  })
  serve(app, emails.thread, async ({ context, user, params }) => {
    const mail = await findListed(context.db, user.id, params.id)
    if (mail === undefined) throw notFound(NOT_FOUND)
    const rows = await listedByIds(context.db, user.id, await threadIds(context.db, user.id, mail))
    const names = await namesForRows(context.db, user.id, rows)
    return rows.toSorted(byTime).map((row) => presentEmail(row, names))
  })
  serve(app, emails.responseRate, async ({ context, user }) => {
    const { mailed, replied } = await countMailed(context.db, user.id)
    return { responseRate: mailed === 0 ? '0%' : `${Math.round((100 * replied) / mailed)}%`, replied, mailed }
  })
  serve(app, emails.health, async ({ context, user }) => {
    const mailbox = await primaryMailbox(context.db, user.id)
    return { status: 'ok' as const, configured: isConfigured(mailbox) }
  })
  serve(app, emails.check, ({ context, user }) => checkInbox(context, user.id))
  serve(app, emails.ingest, ({ context, user }) => ingestAll(context, user.id))
  serve(app, emails.unsubscribePage, ({ context, params }) => showSubscription(context, params.token))
  serve(app, emails.unsubscribe, ({ context, params }) => unsubscribe(context, params.token))
}

function byTime(one: ListedEmail, other: ListedEmail): number {
  return one.occurred_at.getTime() - other.occurred_at.getTime() || one.id - other.id
}

/** What a mail that was written here is made of. */
async function writtenParts(db: Context['db'], userId: number, emailId: number) {
  const [composition, files] = await Promise.all([
    findComposition(db, userId, emailId),
    filesOf(db, userId, emailId),
  ])
  return { composition, files }
}

async function counts({ db }: Context, userId: number, mailboxId?: number) {
  const [whole, unsent, own] = await Promise.all([
    folderCounts(db, userId),
    countUnsent(db, userId),
    mailboxId === undefined ? null : mailboxCounts(db, userId, mailboxId),
  ])
  const folders = own ?? whole
  const sent = whole.find(({ folder }) => folder === 'sent')?.total ?? 0
  const rows = new Map(folders.map((row) => [row.folder, row]))
  const total = (folder: string) => rows.get(folder)?.total ?? 0
  return {
    unread_inbox: rows.get('inbox')?.unread ?? 0,
    drafts: total('drafts'),
    archived: total('archived'),
    trash: total('trash'),
    spam: total('spam'),
    inbox: total('inbox'),
    sent: total('sent'),
    scheduled: total('scheduled'),
    delivered: Math.max(0, sent - unsent),
  }
}
