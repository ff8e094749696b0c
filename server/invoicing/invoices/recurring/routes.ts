import { recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import { serve } from '../../../platform/http/serve.ts'
import type { Server } from '../../../platform/http/server.ts'
import { setRecurringState, updateRecurring } from './change-recurring.ts'
import { pageOfRecurring } from './list-recurring.ts'
import { repeatInvoice } from './repeat-invoice.ts'

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
