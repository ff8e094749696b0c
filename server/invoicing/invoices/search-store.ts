import { type RawBuilder, sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { allOf, haveAll, planTerms } from '../../platform/database/sample-words.ts'
import { invoiceQueries, invoiceVector, searchTerms } from './invoice-words.ts'

/** How documents with all terms of a search are found, whether their words have been written or not. */
export type SearchPlan =
  /** So many have them that they are checked one after the other: true for those documents `i`. */
  | { isFrequent: true; matches: RawBuilder<unknown> }
  /** All that the index has, as far as they meet a condition on `i`, with what they can be ordered by. */
  | { isFrequent: false; foundIn: (condition: RawBuilder<unknown>) => RawBuilder<unknown> }

export async function planSearch(db: Queryable, userId: number, typed: string): Promise<SearchPlan> {
  const terms = searchTerms(typed)
  const queries = invoiceQueries(userId, terms)
  const { isFrequent, looked, others } = await planTerms(db, userId, 'invoices', queries)
  if (isFrequent)
    return { isFrequent, matches: sql`coalesce(${haveAll(sql`i.words`, queries)}, ${containAll(terms)})` }
  return {
    isFrequent,
    foundIn: (condition) => sql`
      SELECT i.id, i.customer, i.issue_date, i.due_date, i.total FROM invoices i
      WHERE i.words @@ ${allOf(looked)}::tsquery AND ${haveAll(sql`i.words`, others)} AND ${condition}
      UNION ALL
      SELECT i.id, i.customer, i.issue_date, i.due_date, i.total FROM invoices i
      WHERE i.words IS NULL AND ${containAll(terms)} AND ${condition}`,
  }
}

/** The same of documents whose words are not written yet; within a word too, for the moment. */
function containAll(terms: readonly string[]): RawBuilder<unknown> {
  if (terms.length === 0) return sql`false`
  const patterns = terms.map((term) => `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
  return sql`i.search LIKE ALL(${patterns}::text[])`
}

/** Writes the words of up to `limit` documents that have none; returns how many it wrote. */
export async function writeSomeWords(tx: Tx, limit: number): Promise<number> {
  // Who changes one of them now waits for this commit; then its words are null again.
  const { rows } = await sql<{ user_id: number; id: number; search: string }>`
    SELECT user_id, id, search FROM invoices WHERE words IS NULL ORDER BY user_id, id LIMIT ${limit}
    FOR UPDATE SKIP LOCKED`.execute(tx)
  if (rows.length === 0) return 0
  const vectors = rows.map(({ user_id, search }) => invoiceVector(user_id, search))
  await sql`
    UPDATE invoices i SET words = w.words::tsvector
    FROM unnest(${rows.map((row) => row.user_id)}::bigint[], ${rows.map((row) => row.id)}::bigint[], ${vectors}::text[])
      AS w(user_id, id, words)
    WHERE i.user_id = w.user_id AND i.id = w.id`.execute(tx)
  return rows.length
}
