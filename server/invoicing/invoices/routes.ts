import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { hangUp } from '../../platform/http/hang-up.ts'
import { done, serve } from '../../platform/http/serve.ts'
import { served } from '../../platform/http/served-file.ts'
import type { Server } from '../../platform/http/server.ts'
import { noteAnswer, takeAnswerBack } from './answer-quote.ts'
import { creditInvoice, duplicateInvoice, makeInvoice } from './copy-invoice.ts'
import { getInvoice } from './find-invoice.ts'
import { issueInvoice } from './issue-invoice.ts'
import { makeEInvoice } from './make-e-invoice.ts'
import { pageOfInvoices, totalsOf } from './list-invoices.ts'
import { invoicePdf, pdfFileName } from './pdf/invoice-pdf.ts'
import { recordPayment, removePayment } from './record-payment.ts'
import { removeInvoice, restoreInvoice } from './remove-invoice.ts'
import { addInvoice, updateInvoice } from './save-draft.ts'
import { listSeries, proposeNumber, saveSeries } from './take-number.ts'
import { todayOf } from './today.ts'
import { recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import { setRecurringState, updateRecurring } from './recurring/change-recurring.ts'
import { pageOfRecurring } from './recurring/list-recurring.ts'
import { repeatInvoice } from './recurring/repeat-invoice.ts'

export function invoiceRoutes(app: Server): void {
  serve(app, invoices.list, ({ context, user, query }) => pageOfInvoices(context, user, query))
  serve(app, invoices.totals, ({ context, user }) =>
    totalsOf(context.db, user.id, todayOf(context.clock, user.timeZone)),
  )
  serve(app, invoices.nextNumber, async ({ context, user, query }) => ({
    number: (await proposeNumber(context, user, query.kind, query.issue_date)).next_number,
  }))
  serve(app, invoices.series, ({ context, user }) => listSeries(context, user))
  serve(app, invoices.saveSeries, ({ context, user, body }) => saveSeries(context, user, body))
  serve(app, invoices.add, ({ context, user, body }) => addInvoice(context, user, body))
  serve(app, invoices.get, ({ context, user, params }) => getInvoice(context, user, params.id))
  serve(app, invoices.pdf, async ({ context, user, params, reply }) => {
    const signal = hangUp(reply)
    const invoice = await getInvoice(context, user, params.id)
    const file = await invoicePdf(context, user.id, invoice, { signal })
    const { content, headers } = served('attachment', pdfFileName(invoice), 'application/pdf', file)
    await reply.headers(headers).send(content)
    return undefined
  })
  serve(app, invoices.eInvoice, async ({ context, user, params, query, reply }) => {
    const file = await makeEInvoice(context, user, params.id, query.format, hangUp(reply))
    const { content, headers } = served('attachment', file.name, file.type, file.bytes)
    await reply.headers(headers).send(content)
    return undefined
  })
  serve(app, invoices.update, ({ context, user, params, body }) =>
    updateInvoice(context, user, params.id, body),
  )
  serve(app, invoices.remove, ({ context, user, params }) => done(removeInvoice(context, user, params.id)))
  serve(app, invoices.restore, ({ context, user, params }) => restoreInvoice(context, user, params.id))
  serve(app, invoices.issue, ({ context, user, params }) => issueInvoice(context, user, params.id))
  serve(app, invoices.duplicate, ({ context, user, params }) => duplicateInvoice(context, user, params.id))
  serve(app, invoices.credit, ({ context, user, params }) => creditInvoice(context, user, params.id))
  serve(app, invoices.accept, ({ context, user, params, body }) =>
    noteAnswer(context, user, params.id, { act: 'accept', ...body }),
  )
  serve(app, invoices.decline, ({ context, user, params, body }) =>
    noteAnswer(context, user, params.id, { act: 'decline', ...body }),
  )
  serve(app, invoices.takeAnswerBack, ({ context, user, params }) => takeAnswerBack(context, user, params.id))
  serve(app, invoices.makeInvoice, ({ context, user, params }) => makeInvoice(context, user, params.id))
  serve(app, invoices.addPayment, ({ context, user, params, body }) =>
    recordPayment(context, user, params.id, body),
  )
  serve(app, invoices.removePayment, ({ context, user, params }) =>
    removePayment(context, user, params.id, params.payment_id),
  )
}

export function recurringRoutes(app: Server): void {
  serve(app, recurringInvoices.list, ({ context, user, query }) => pageOfRecurring(context, user, query))
  serve(app, recurringInvoices.add, ({ context, user, body }) => repeatInvoice(context, user, body))
  serve(app, recurringInvoices.update, ({ context, user, params, body }) =>
    updateRecurring(context, user, params.id, body),
  )
  serve(app, recurringInvoices.setState, ({ context, user, params, body }) =>
    setRecurringState(context, user, params.id, body),
  )
}
