import { sql } from 'kysely'
import { NUMBER_PATTERNS } from '#contract/invoicing/invoice-number.ts'
import type { InvoiceKind } from '#contract/invoicing/saved-invoices.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { hasRows } from '../../platform/database/rows.ts'

/** The pattern by which a kind is numbered. */
export async function patternOf(db: Queryable, userId: number, kind: InvoiceKind): Promise<string> {
  const row = await db
    .selectFrom('invoice_series')
    .select('pattern')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.pattern ?? NUMBER_PATTERNS[kind]
}

export async function keepPattern(db: Queryable, userId: number, kind: InvoiceKind, pattern: string) {
  await db
    .insertInto('invoice_series')
    .values({ user_id: userId, kind, pattern })
    .onConflict((row) => row.columns(['user_id', 'kind']).doUpdateSet({ pattern }))
    .execute()
}

/** A pattern in one of its years or months. */
export type Series = { pattern: string; period: string }

/** The count of the next number; nobody takes it by that. */
export async function nextCount(db: Queryable, userId: number, { pattern, period }: Series): Promise<number> {
  const row = await db
    .selectFrom('invoice_counters')
    .select('next')
    .where('user_id', '=', userId)
    .where('pattern', '=', pattern)
    .where('period', '=', period)
    .executeTakeFirst()
  return row?.next ?? 1
}

/**
 * Takes the next count of a series. Others who want one wait until this transaction ends; when it is rolled back, they
 * get the same count.
 */
export async function takeCount(tx: Tx, userId: number, { pattern, period }: Series): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    INSERT INTO invoice_counters AS c (user_id, pattern, period, next) VALUES (${userId}, ${pattern}, ${period}, 2)
    ON CONFLICT (user_id, pattern, period) DO UPDATE SET next = c.next + 1
    RETURNING next - 1 AS taken`.execute(tx)
  return rows[0]?.taken ?? 1
}

/** Lets a series go on with a count; false when it is beyond that already. */
export async function setNextCount(tx: Tx, userId: number, { pattern, period }: Series, next: number) {
  return hasRows(tx)`
    INSERT INTO invoice_counters AS c (user_id, pattern, period, next) VALUES (${userId}, ${pattern}, ${period}, ${next})
    ON CONFLICT (user_id, pattern, period) DO UPDATE SET next = excluded.next WHERE c.next <= excluded.next
    RETURNING 1`
}
