import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { presentEmail } from '../../mail/emails/emails.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { changeLink, showLink } from './invoice-link.ts'
import { listMails } from './list-mails.ts'
import { proposeMail } from './propose-mail.ts'
import { sendInvoice } from './send-invoice.ts'
import { sharedInvoiceRoutes } from './shared-routes.ts'

export function invoiceMailRoutes(app: Server): void {
  sharedInvoiceRoutes(app)
  serve(app, invoiceMail.proposal, ({ context, user, params }) => proposeMail(context, user, params.id))
  serve(app, invoiceMail.send, async ({ context, user, params, body }) => {
    const { mailbox_id: mailboxId, undo_seconds: undoSeconds, ...words } = body
    return presentEmail(await sendInvoice(context, user, params.id, words, { mailboxId, undoSeconds }))
  })
  serve(app, invoiceMail.mails, ({ context, user, params }) => listMails(context, user, params.id))
  serve(app, invoiceMail.link, ({ context, user, params }) => showLink(context, user, params.id))
  serve(app, invoiceMail.changeLink, ({ context, user, params, body }) =>
    changeLink(context, user, params.id, body.change),
  )
}
