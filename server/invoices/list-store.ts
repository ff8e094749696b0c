import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { InvoiceFilter, InvoiceSort, InvoiceStatus } from '#contract/saved-invoices.ts'
import { isExpired, isOpen, isOverdue, statusOn } from './store.ts'
import type { InvoicesTable } from './tables.ts'
import type { Queryable } from '../database/handles.ts'

/** A document as lists show it. */
export type ListedInvoice = Omit<Selectable<InvoicesTable>, 'content' | 'search'> & {
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

/**
 * A page of the user's documents. Its ids are found first, from an index.
 *
 * @param total how many documents there are, if that is known; pages beyond the middle are then read from the end
 */
export async function listInvoices(
  db: Queryable,
  userId: number,
  { sort, limit, offset, ...asked }: InvoicePage,
  today: string,
  total: number | null,
): Promise<ListedInvoice[]> {
  const [forth, back] = ORDERS[sort]
  const isFromEnd = total !== null && offset > FAR && offset > total / 2
  const wanted = isFromEnd ? Math.min(limit, total - offset) : limit
  if (wanted <= 0) return []
  const skipped = isFromEnd ? total - offset - wanted : offset
  const { rows } = await sql<ListedInvoice>`
    WITH page AS MATERIALIZED (
      SELECT i.id FROM invoices i WHERE ${matching(userId, asked, today)}
      ORDER BY ${isFromEnd ? back : forth} LIMIT ${wanted} OFFSET ${skipped}
    )
    SELECT i.id, i.kind, i.number, i.currency, i.issue_date, i.due_date, i.customer, i.contact_id, i.total, i.paid,
      i.credited, i.due, i.issued_at, i.created_at, i.updated_at, ${statusOn(today)} AS status,
      CASE WHEN i.number IS NULL THEN i.content ->> 'number' ELSE '' END AS written_number
    FROM (SELECT id, row_number() OVER () AS place FROM page) p
    JOIN invoices i ON i.user_id = ${userId} AND i.id = p.id ORDER BY p.place`.execute(db)
  return isFromEnd ? rows.toReversed() : rows
}

/** How many documents match a search; `countsOf` knows it without one. */
export async function countMatching(
  db: Queryable,
  userId: number,
  asked: Pick<InvoicePage, 'filter' | 'search'>,
  today: string,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*) AS total FROM invoices i WHERE ${matching(userId, asked, today)}`.execute(db)
  return rows[0]?.total ?? 0
}

function matching(
  userId: number,
  { filter, search }: Pick<InvoicePage, 'filter' | 'search'>,
  today: string,
): RawBuilder<unknown> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = words.map((word) => sql`i.search LIKE ${`%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`)
  return sql.join([sql`i.user_id = ${userId}`, narrowed(filter, today), ...found], sql` AND `)
}

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
export async function sumsOf(db: Queryable, userId: number, today: string): Promise<Sum[]> {
  const { rows } = await sql<Sum>`
    SELECT i.kind, i.currency, ${statusOn(today)} AS status, sum(i.invoices)::bigint AS invoices,
      sum(i.paid)::double precision AS paid, sum(i.due)::double precision AS due
    FROM invoice_totals i WHERE i.user_id = ${userId} AND i.invoices > 0 GROUP BY 1, 2, 3`.execute(db)
  return rows
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
  const { rows } = await sql<ListedInvoice & { at: Date }>`
    SELECT i.id, i.kind, i.number, i.currency, i.total, i.due, i.due_date, i.accepted_by,
      ${statusOn(today)} AS status, coalesce(i.issued_at, i.created_at) AS at
    FROM invoices i
    WHERE i.user_id = ${userId} AND i.contact_id = ${contactId} AND i.deleted_at IS NULL
      AND (coalesce(i.issued_at, i.created_at), i.id) < (${before.at}, ${before.id})
    ORDER BY at DESC, i.id DESC LIMIT ${limit}`.execute(db)
  return rows
}
