import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { hangUp } from '../../platform/http/hang-up.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { isConfigured, primaryMailbox } from '../mailboxes/mailboxes.ts'
import { actionRoutes } from './action-routes.ts'
import { composeRoutes } from './compose-routes.ts'
import { contentRoutes } from './content-routes.ts'
import { openEmail } from './content/open-email.ts'
import { countEmails } from './list/count-emails.ts'
import { listEmails } from './list/list-emails.ts'
import { listThread } from './list/list-thread.ts'
import { presentDetail, presentEmail } from './present.ts'
import { responseRate } from './replies/response-rate.ts'
import { liftSuppressions, suppressContacts } from './suppressions/suppress-contacts.ts'
import { showSubscription, unsubscribe } from './suppressions/unsubscribe.ts'
import { checkInbox, ingestAll } from './sync/check-now.ts'

/** How many mails a page of a list has if the call does not say. */
const PAGE_SIZE_DEFAULT = 1000

/** All calls about mails. */
export function emailRoutes(app: Server): void {
  actionRoutes(app)
  contentRoutes(app)
  composeRoutes(app)
  serve(app, emails.list, async ({ context, user, query, reply }) => {
    const pageSize = query.page_size ?? query.limit ?? PAGE_SIZE_DEFAULT
    const { rows, names, total, more, pending } = await listEmails(context, user.id, {
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
    const after = rows.at(-1)?.id
    return {
      rows: rows.map((row) => presentEmail(row, names)),
      total,
      page: query.page,
      pageSize,
      ...(after === undefined ? {} : { next: { after } }),
    }
  })
  serve(app, emails.counts, ({ context, user, query }) => countEmails(context.db, user.id, query.mailbox))
  serve(app, emails.get, async ({ context, user, params, reply }) =>
    presentDetail(context, await openEmail(context, user.id, params.id, hangUp(reply)), user),
  )
  serve(app, emails.thread, async ({ context, user, params }) => {
    const { rows, names } = await listThread(context.db, user.id, params.id)
    return rows.map((row) => presentEmail(row, names))
  })
  serve(app, emails.responseRate, ({ context, user }) => responseRate(context.db, user.id))
  serve(app, emails.health, async ({ context, user }) => {
    const mailbox = await primaryMailbox(context.db, user.id)
    return { status: 'ok' as const, configured: isConfigured(mailbox) }
  })
  serve(app, emails.check, ({ context, user }) => checkInbox(context, user.id))
  serve(app, emails.ingest, ({ context, user }) => ingestAll(context, user.id))
  // Calls of contacts that are about mail: the contacts domain knows nothing of mails.
  serve(app, contacts.stopMailing, ({ context, user, body }) => suppressContacts(context, user, body))
  serve(app, contacts.liftMailing, ({ context, user, body }) => liftSuppressions(context, user, body))
  serve(app, emails.unsubscribePage, ({ context, params }) => showSubscription(context, params.token))
  serve(app, emails.unsubscribe, ({ context, params }) => unsubscribe(context, params.token))
}
