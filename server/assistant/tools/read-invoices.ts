import * as z from 'zod/mini'
import { money } from '#contract/invoicing/money.ts'
import { INVOICE_FILTERS, type InvoiceFilter, type InvoiceRow } from '#contract/invoicing/saved-invoices.ts'
import { line } from '#contract/platform/values.ts'
import { pageOfInvoices } from '../../invoicing/invoices/invoices.ts'
import { invoiceSource } from './sources.ts'
import { dayWords, shownWords } from './shown-words.ts'
import { type Asking, type Fact, type Found, readingTool, ROWS_MAX, ROWS_USUAL } from './tool.ts'

export const findInvoices = readingTool({
  name: 'find_invoices',
  topics: ['invoices'],
  summary: 'Invoices by status and by words of customer or number',
  input: z.object({
    search: z.optional(line(200)),
    status: z.optional(z.enum(INVOICE_FILTERS)),
    limit: z.optional(z.number().check(z.int(), z.gte(1), z.lte(ROWS_MAX))),
  }),
  run: async (asking, { search, status, limit }) =>
    invoiceFacts(asking, { search: search ?? '', status: status ?? 'all', limit: limit ?? ROWS_USUAL }),
})

/** A page of invoices as facts. */
export async function invoiceFacts(
  asking: Asking,
  asked: { search: string; status: InvoiceFilter; limit: number },
): Promise<Found> {
  const { rows, total } = await pageOfInvoices(asking.context, asking.user, {
    search: asked.search,
    status: asked.status,
    sort: asked.status === 'overdue' || asked.status === 'open' ? 'due_date' : 'newest',
    page: 1,
    page_size: asked.limit,
  })
  return { facts: rows.map((row) => invoiceFact(asking, row)), total }
}

function invoiceFact({ context, user }: Asking, invoice: InvoiceRow): Fact {
  const due =
    invoice.due_date === '' ? '' : `, due ${dayWords(invoice.due_date, context.clock.now(), user.timeZone)}`
  const rest =
    invoice.sums.due > 0 && invoice.sums.due !== invoice.sums.total
      ? `, ${money(invoice.sums.due, invoice.currency)} left to pay`
      : ''
  return {
    text: `**${shownWords(invoice.number || 'Draft')}** for ${shownWords(invoice.customer) || 'nobody yet'}, ${money(invoice.sums.total, invoice.currency)}, ${invoice.status.replace('_', ' ')}${rest}${due}`,
    source: invoiceSource(invoice),
  }
}
