import { type InvoiceKind, KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import { money } from '#contract/invoicing/money.ts'
import type { InvoiceRow, InvoiceStatus, InvoiceTotals } from '#contract/invoicing/saved-invoices.ts'
import { dateFormat } from '#web/platform/dates/date-formats.ts'
import { paths } from '#web/platform/paths.ts'

const STATUS_WORDS: Record<InvoiceStatus, string> = {
  draft: 'Draft',
  issued: 'Issued',
  sent: 'Sent',
  viewed: 'Viewed',
  part_paid: 'Part paid',
  paid: 'Paid',
  overdue: 'Overdue',
  credited: 'Credited',
  expired: 'Expired',
  declined: 'Declined',
  accepted: 'Accepted',
  invoiced: 'Invoiced',
}

/** What became of a document. A quote that was issued waits for an answer: it is open. */
export const statusText = ({ kind, status }: Pick<InvoiceRow, 'kind' | 'status'>) =>
  kind === 'quote' && status === 'issued' ? 'Open' : STATUS_WORDS[status]

/** The address of one invoice. */
export const invoicePath = (id: number) => paths.invoice.replace(':id', String(id))

type Named = { kind: InvoiceKind; number: string; status?: InvoiceStatus }

/** What a document is called: its number, or "Draft invoice" until it has one for good. */
export function documentName({ kind, number, status }: Named): string {
  return number === '' || status === 'draft' ? `Draft ${KIND_WORDS[kind].name.toLowerCase()}` : number
}

/** "Credit note CN-2026-0001". */
export function longName(document: Named): string {
  const name = documentName(document)
  return name === document.number ? `${KIND_WORDS[document.kind].name} ${name}` : name
}

export const customerText = (customer: string) => customer || 'No customer yet'

/** A calendar day as "Mar 9, 2026"; "–" for none. */
export function shortDay(day: string): string {
  if (day === '') return '–'
  const format = dateFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}

const DAY_MS = 24 * 60 * 60_000
/** Beyond this a date says more than a number of days. */
const NEAR_DAYS = 60

/** True for a quote that waits for an answer, or whose last day has passed without one. */
export const isUnanswered = ({ kind, status }: Pick<InvoiceRow, 'kind' | 'status'>) =>
  kind === 'quote' && ['issued', 'sent', 'viewed', 'expired'].includes(status)

/** True for an invoice that waits for money. */
export const isOpen = ({ kind, status }: Pick<InvoiceRow, 'kind' | 'status'>) =>
  kind === 'invoice' && !['draft', 'paid', 'credited'].includes(status)

/** When an open invoice is due, from today on: "in 5 days", "3 days late". Of others it is the date. */
export function dueText(row: Pick<InvoiceRow, 'kind' | 'status' | 'due_date'>, today: string): string {
  if (!isOpen(row) || row.due_date === '') return shortDay(row.due_date)
  const days = Math.round((Date.parse(row.due_date) - Date.parse(today)) / DAY_MS)
  if (days === 0) return 'today'
  if (Math.abs(days) > NEAR_DAYS) return shortDay(row.due_date)
  if (days === 1) return 'tomorrow'
  if (days > 0) return `in ${days} days`
  return days === -1 ? '1 day late' : `${-days} days late`
}

/** What waits for money in each currency; currencies in which nothing does are left out. */
export function outstandingIn({ currencies }: InvoiceTotals) {
  return currencies
    .filter(({ outstanding }) => outstanding > 0)
    .map(({ currency, outstanding, overdue }) => ({
      currency,
      outstanding: money(outstanding, currency),
      overdue: overdue === 0 ? null : money(overdue, currency),
    }))
}

/** An amount typed into a field: minor units without symbol and groups, as "1234.50". */
export function typedAmount(minor: number, decimals: number): string {
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
