import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { presentEmail } from '../../mail/emails/emails.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { changeLink, showLink } from './invoice-link.ts'
import { listMails } from './settle-mails.ts'
import { proposeMail } from './propose-mail.ts'
import { sendInvoice } from './send-invoice.ts'
import { sharedInvoices } from '#contract/invoicing/shared-invoices.ts'
import { hangUp } from '../../platform/http/hang-up.ts'
import { served } from '../../platform/http/served-file.ts'
import { callerIfAny } from '../../platform/http/session.ts'
import { answerShared, noteLook, sharedPdf, showShared } from './shared-invoice.ts'

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

/** No search engine keeps what a customer's link leads to. */
const NO_INDEX = { 'X-Robots-Tag': 'noindex, nofollow' }

/** The calls of a customer who has the link to a document, and no session. */
function sharedInvoiceRoutes(app: Server): void {
  serve(app, sharedInvoices.show, ({ context, params, reply }) => {
    void reply.headers(NO_INDEX)
    return showShared(context, params.token)
  })
  serve(app, sharedInvoices.pdf, async ({ context, params, reply }) => {
    const { name, bytes } = await sharedPdf(context, params.token, hangUp(reply))
    const { content, headers } = served('attachment', name, 'application/pdf', bytes)
    await reply.headers({ ...headers, ...NO_INDEX }).send(content)
    return undefined
  })
  serve(app, sharedInvoices.viewed, async ({ context, params, request }) => {
    const caller = await callerIfAny(app, request)
    await noteLook(context, params.token, caller?.id ?? null)
    return { ok: true }
  })
  serve(app, sharedInvoices.accept, async ({ context, params, body, request }) => {
    const caller = await callerIfAny(app, request)
    return answerShared(context, params.token, { act: 'accept', ...body }, caller?.id ?? null)
  })
  serve(app, sharedInvoices.decline, async ({ context, params, body, request }) => {
    const caller = await callerIfAny(app, request)
    return answerShared(context, params.token, { act: 'decline', ...body }, caller?.id ?? null)
  })
}
