import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { InvoiceFilter, InvoiceSort, InvoiceStatus } from '#contract/invoicing/saved-invoices.ts'
import { planSearch } from './search-store.ts'
import { isExpired, isOpen, isOverdue, statusOn } from './store.ts'
import type { InvoicesTable } from './tables.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { rowsOf } from '../../platform/database/rows.ts'

/** A document as lists show it. */
export type ListedInvoice = Omit<Selectable<InvoicesTable>, 'content' | 'search' | 'words'> & {
  status: InvoiceStatus
  written_number: string
}

/** Each order and its reverse. */
const ORDERS: Record<InvoiceSort, [forth: RawBuilder<unknown>, back: RawBuilder<unknown>]> = {
  newest: [sql`i.id DESC`, sql`i.id`],
  ...both('customer', sql`lower(i.customer), i.id`, sql`lower(i.customer) DESC, i.id DESC`),
  ...both('issue_date', sql`i.issue_date, i.id`, sql`i.issue_date DESC, i.id DESC`),
  ...both('due_date', sql`i.due_date, i.id`, sql`i.due_date DESC, i.id DESC`),
  ...both('total', sql`i.total, i.id`, sql`i.total DESC, i.id DESC`),
}

type Named = 'customer' | 'issue_date' | 'due_date' | 'total'
function both<Name extends Named>(name: Name, up: RawBuilder<unknown>, down: RawBuilder<unknown>) {
  return { [name]: [up, down], [`-${name}`]: [down, up] } as Record<
    Name | `-${Name}`,
    [RawBuilder<unknown>, RawBuilder<unknown>]
  >
}

/** A page beyond this many rows is read from the nearer end. */
const FAR = 2000

export type InvoicePage = {
  filter: InvoiceFilter
  search: string
  sort: InvoiceSort
  limit: number
  offset: number
}

/** A page of the user's documents. `total` is how many there are: pages beyond the middle are read from the end. */
export async function listInvoices(
  db: Queryable,
  userId: number,
  { filter, sort, limit, offset }: Omit<InvoicePage, 'search'>,
  today: string,
  total: number,
): Promise<ListedInvoice[]> {
  const [forth, back] = ORDERS[sort]
  const isFromEnd = offset > FAR && offset > total / 2
  const wanted = isFromEnd ? Math.min(limit, total - offset) : limit
  if (wanted <= 0) return []
  const skipped = isFromEnd ? total - offset - wanted : offset
  const page = sql`SELECT i.id FROM invoices i WHERE ${matching(userId, filter, today)}
    ORDER BY ${isFromEnd ? back : forth} LIMIT ${wanted} OFFSET ${skipped}`
  const rows = await readRows(db, userId, page, today)
  return isFromEnd ? rows.toReversed() : rows
}

/** A page of those that a search finds, and how many it finds, `most` at most. */
export async function searchInvoices(
  db: Queryable,
  userId: number,
  { filter, search, sort, limit, offset }: InvoicePage,
  today: string,
  most: number,
): Promise<{ rows: ListedInvoice[]; total: number }> {
  const plan = await planSearch(db, userId, search)
  const narrow = matching(userId, filter, today)
  const [forth] = ORDERS[sort]
  if (plan.isFrequent) {
    const found = sql`SELECT i.id FROM invoices i WHERE ${narrow} AND ${plan.matches}`
    // Ordered, because the planner would otherwise read everybody's documents to count those of one.
    const counted = sql<{ total: number }>`
      SELECT count(*) AS total FROM (${found} ORDER BY i.id LIMIT ${most}) counted`.execute(db)
    const page = sql`${found} ORDER BY ${forth} LIMIT ${limit} OFFSET ${offset}`
    const [rows, { rows: count }] = await Promise.all([readRows(db, userId, page, today), counted])
    return { rows, total: count[0]?.total ?? 0 }
  }
  // So few that all of them are sorted at once.
  const { rows: found } = await sql<{ total: number; ids: number[] | null }>`
    SELECT count(*) AS total, (array_agg(i.id ORDER BY ${forth}))[${offset + 1}:${offset + limit}] AS ids
    FROM (${plan.foundIn(narrow)}) i`.execute(db)
  const { total, ids } = found[0] ?? { total: 0, ids: null }
  const page = sql`SELECT unnest(${ids ?? []}::bigint[]) AS id`
  return { rows: total === 0 ? [] : await readRows(db, userId, page, today), total: Math.min(total, most) }
}

/** The documents whose ids a query finds, in its order. */
async function readRows(db: Queryable, userId: number, page: RawBuilder<unknown>, today: string) {
  return rowsOf<ListedInvoice>(db)`
    WITH page AS MATERIALIZED (${page})
    SELECT i.id, i.kind, i.number, i.currency, i.issue_date, i.due_date, i.customer, i.contact_id, i.total, i.paid,
      i.credited, i.due, i.issued_at, i.created_at, i.updated_at, ${statusOn(today)} AS status,
      CASE WHEN i.number IS NULL THEN i.content ->> 'number' ELSE '' END AS written_number
    FROM (SELECT id, row_number() OVER () AS place FROM page) p
    JOIN invoices i ON i.user_id = ${userId} AND i.id = p.id ORDER BY p.place`
}

const matching = (userId: number, filter: InvoiceFilter, today: string) =>
  sql`i.user_id = ${userId} AND ${narrowed(filter, today)}`

function narrowed(filter: InvoiceFilter, today: string): RawBuilder<unknown> {
  if (filter === 'all') return sql`i.phase <> 'deleted'`
  if (filter === 'open') return isOpen
  if (filter === 'overdue') return isOverdue(today)
  if (filter === 'expired') return isExpired(today)
  if (filter === 'credit_notes') return sql`i.kind = 'credit_note' AND i.phase <> 'deleted'`
  if (filter === 'quotes') return sql`i.kind = 'quote' AND i.phase <> 'deleted'`
  return sql`i.phase = ${filter} AND NOT ${isOverdue(today)} AND NOT ${isExpired(today)}`
}

/** Documents of one kind, currency and status. */
export type Sum = {
  kind: InvoicesTable['kind']
  currency: string
  status: InvoiceStatus
  invoices: number
  paid: number
  due: number
}

/** Counts and sums of all the user's documents by their status on a calendar day. */
export async function sumsOf(db: Queryable, userId: number, today: string) {
  return rowsOf<Sum>(db)`
    SELECT i.kind, i.currency, ${statusOn(today)} AS status, sum(i.invoices)::bigint AS invoices,
      sum(i.paid)::double precision AS paid, sum(i.due)::double precision AS due
    FROM invoice_totals i WHERE i.user_id = ${userId} AND i.invoices > 0 GROUP BY 1, 2, 3`
}

/** Documents billed to a contact that came before an instant and id, newest first; drafts at their creation. */
export async function invoicesOf(
  db: Queryable,
  userId: number,
  contactId: number,
  before: { at: Date; id: number },
  limit: number,
  today: string,
): Promise<
  (Pick<
    ListedInvoice,
    'id' | 'kind' | 'number' | 'currency' | 'total' | 'due' | 'due_date' | 'accepted_by' | 'status'
  > & { at: Date })[]
> {
  return rowsOf<ListedInvoice & { at: Date }>(db)`
    SELECT i.id, i.kind, i.number, i.currency, i.total, i.due, i.due_date, i.accepted_by,
      ${statusOn(today)} AS status, coalesce(i.issued_at, i.created_at) AS at
    FROM invoices i
    WHERE i.user_id = ${userId} AND i.contact_id = ${contactId} AND i.deleted_at IS NULL
      AND (coalesce(i.issued_at, i.created_at), i.id) < (${before.at}, ${before.id})
    ORDER BY at DESC, i.id DESC LIMIT ${limit}`
}
