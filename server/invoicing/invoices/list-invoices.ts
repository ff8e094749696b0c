import type { QueryOf } from '#contract/platform/endpoint.ts'
import {
  FOUND_MAX,
  type InvoiceFilter,
  type InvoiceRow,
  type invoices,
  type InvoiceTotals,
} from '#contract/invoicing/saved-invoices.ts'
import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { storableText } from '../../platform/database/storable-text.ts'
import { listInvoices, searchInvoices, type Sum, sumsOf } from './list-store.ts'
import { presentRow } from './find-invoice.ts'
import { type Reader, todayOf } from './today.ts'

const LIST_MAX = 1000

/** A page of documents. Without a search their number is known from the counts, however many there are. */
export async function pageOfInvoices(
  { clock, db }: Context,
  user: Reader,
  query: QueryOf<typeof invoices.list>,
): Promise<{ rows: InvoiceRow[]; total: number; page: number; pageSize: number }> {
  const { page, status: filter, sort } = query
  const search = storableText(query.search ?? '')
  const pageSize = query.page_size ?? query.limit ?? LIST_MAX
  const today = todayOf(clock, user.timeZone)
  const asked = { filter, sort, limit: pageSize, offset: (page - 1) * pageSize }
  if (search !== '') {
    const found = await searchInvoices(db, user.id, { ...asked, search }, today, FOUND_MAX + 1)
    return { rows: found.rows.map(presentRow), total: found.total, page, pageSize }
  }
  const total = countOf(await sumsOf(db, user.id, today), filter)
  const rows = await listInvoices(db, user.id, asked, today, total)
  return { rows: rows.map(presentRow), total, page, pageSize }
}

const WAITING = new Set(['issued', 'sent', 'viewed', 'part_paid', 'overdue'])
const isWaiting = ({ kind, status }: Sum) => kind === 'invoice' && WAITING.has(status)

function countOf(sums: readonly Sum[], filter: InvoiceFilter): number {
  const counted = sums.filter((sum) => {
    if (filter === 'all') return true
    if (filter === 'open') return isWaiting(sum)
    if (filter === 'credit_notes') return sum.kind === 'credit_note'
    return filter === 'quotes' ? sum.kind === 'quote' : sum.status === filter
  })
  return counted.reduce((all, { invoices }) => all + invoices, 0)
}

/** How many documents there are, and what is outstanding in each currency. */
export async function totalsOf(db: Queryable, userId: number, today: string): Promise<InvoiceTotals> {
  const sums = await sumsOf(db, userId, today)
  const currencies = new Map<string, InvoiceTotals['currencies'][number]>()
  for (const sum of sums) {
    if (sum.kind !== 'invoice' || sum.status === 'draft') continue
    const { currency } = sum
    const one = currencies.get(currency) ?? { currency, outstanding: 0, overdue: 0, paid: 0 }
    if (isWaiting(sum)) one.outstanding += sum.due
    if (sum.status === 'overdue') one.overdue += sum.due
    one.paid += sum.paid
    currencies.set(currency, one)
  }
  return {
    counts: {
      all: countOf(sums, 'all'),
      draft: countOf(sums, 'draft'),
      open: countOf(sums, 'open'),
      overdue: countOf(sums, 'overdue'),
      paid: countOf(sums, 'paid'),
      credit_notes: countOf(sums, 'credit_notes'),
      quotes: countOf(sums, 'quotes'),
    },
    currencies: [...currencies.values()].toSorted(
      (one, other) => other.outstanding - one.outstanding || one.currency.localeCompare(other.currency),
    ),
  }
}
