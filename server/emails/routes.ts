import { emails } from '#contract/emails.ts'
import type { Context } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'
import { isConfigured, primaryMailbox } from '../mailboxes/mailboxes.ts'
import { readAttachment } from './read-attachment.ts'
import { frameHtml, FRAME_HEADERS } from './frame.ts'
import { checkInbox, ingestAll } from './check-mailbox.ts'
import { countReplies } from './correspondent-store.ts'
import { countUnsent } from './delivery-store.ts'
import { presentDetail, presentEmail } from './present.ts'
import { sendEmail } from './send-email.ts'
import { countListed, findBody, findListed, folderCounts, listEmails, markRead } from './store.ts'
import { showSubscription, unsubscribe } from './unsubscribe.ts'

const LIST_MAX = 1000
const NOT_FOUND = 'Email not found'

export function emailRoutes(app: Server): void {
  serve(app, emails.list, async ({ context, user, query }) => {
    const pageSize = query.page_size ?? query.limit ?? LIST_MAX
    const page = {
      folder: query.folder,
      filter: query.filter,
      search: query.search,
      limit: pageSize,
      offset: (query.page - 1) * pageSize,
    }
    const [rows, total] = await Promise.all([
      listEmails(context.db, user.id, page),
      countListed(context.db, user.id, page),
    ])
    return { rows: rows.map(presentEmail), total, page: query.page, pageSize }
  })
  serve(app, emails.counts, ({ context, user }) => counts(context, user.id))
  serve(app, emails.get, async ({ context, user, params }) => {
    const row = await findListed(context.db, user.id, params.id)
    if (row === undefined) throw notFound(NOT_FOUND)
    return presentDetail(context, row, await findBody(context.db, user.id, params.id))
  })
  serve(app, emails.send, async ({ context, user, body }) =>
    presentEmail(await sendEmail(context, user.id, body)),
  )
  serve(app, emails.frame, async ({ context, params, query, reply }) => {
    const html = await frameHtml(context, params.id, query.key, query.remote === '1')
    await reply
      .headers(FRAME_HEADERS(query.remote === '1'))
      .type('text/html; charset=utf-8')
      .serializer(String)
      .send(html)
    return undefined
  })
  serve(app, emails.attachment, async ({ context, user, params, reply }) => {
    const file = await readAttachment(context, user.id, params.id, params.n)
    await reply.headers(file.headers).send(file.content)
    return undefined
  })
  serve(app, emails.markRead, async ({ context, user, params }) => {
    if (!(await markRead(context.db, user.id, params.id))) throw notFound(NOT_FOUND)
    await context.live.publish(context.db, user.id, { topic: 'emails' })
    return { ok: true }
  })
  serve(app, emails.responseRate, async ({ context, user }) => {
    const { mailed, replied } = await countReplies(context.db, user.id)
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

async function counts(context: Context, userId: number) {
  const [folders, unsent] = await Promise.all([
    folderCounts(context.db, userId),
    countUnsent(context.db, userId),
  ])
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
    delivered: Math.max(0, total('sent') - unsent),
  }
}
