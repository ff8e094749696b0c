import { type RawBuilder, sql } from 'kysely'
import { contactQueries, contactVector, searchTerms, type Indexable } from './contact-index.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { allOf, haveAll, planTerms } from '../../platform/database/sample-words.ts'

/**
 * True for contacts `c` that match all terms of a search. Frequent terms are found soonest by checking one contact
 * after the other, rare ones by the index; a sample decides.
 */
export async function matchesSearch(
  db: Queryable,
  userId: number,
  typed: string,
): Promise<RawBuilder<unknown>> {
  const queries = contactQueries(userId, typed)
  const unwritten = containsTerms(typed)
  const { isFrequent, looked, others } = await planTerms(db, userId, 'contact_search', queries)
  if (isFrequent) {
    return sql`coalesce((SELECT w.words @@ ${allOf(queries)}::tsquery FROM contact_search w
      WHERE w.user_id = ${userId} AND w.contact_id = c.id), ${unwritten('c')})`
  }
  return sql`c.id = ANY(ARRAY(
    SELECT w.contact_id FROM contact_search w
    WHERE w.words @@ ${allOf(looked)}::tsquery AND w.user_id = ${userId} AND ${haveAll(sql`w.words`, others)}
    UNION ALL SELECT k.id FROM contact_search_queue q CROSS JOIN LATERAL (
      SELECT id, name, email, company, "position", phone, notes FROM contacts WHERE user_id = ${userId} AND id = q.contact_id OFFSET 0
    ) k WHERE q.user_id = ${userId} AND ${unwritten('k')}))`
}

/** The same check on the contact itself, while it is not indexed yet. */
function containsTerms(typed: string): (table: string) => RawBuilder<unknown> {
  const patterns = searchTerms(typed).map((word) => {
    const literal = word.replaceAll(/[^\p{L}\p{N}\p{M}@]/gu, String.raw`\$&`)
    return /^\d{4,}$|^@/.test(word) ? literal : String.raw`\m${literal}`
  })
  return (table) => {
    if (patterns.length === 0) return sql`false`
    const texts = ['name', 'email', 'company', 'position', 'phone', 'notes'].map((column) =>
      sql.ref(`${table}.${column}`),
    )
    const digits = sql`regexp_replace(${sql.ref(`${table}.phone`)}, '\\D', '', 'g')`
    return sql`concat_ws(E'\n', ${sql.join([...texts, digits])}) ~* ALL(${patterns}::text[])`
  }
}

/** Takes contacts off the queue, the newest first. */
export async function takeUnindexed(tx: Queryable, userId: number, limit: number): Promise<number[]> {
  // By ctid: a join would be planned with statistics from before an import filled the table.
  const { rows } = await sql<{ id: number }>`
    DELETE FROM contact_search_queue WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM contact_search_queue WHERE user_id = ${userId} ORDER BY contact_id DESC, place DESC LIMIT ${limit}
    )) AND user_id = ${userId} RETURNING contact_id AS id`.execute(tx)
  return [...new Set(rows.map((row) => row.id))]
}

/**
 * Indexes these contacts as they are now. A call that changes a contact does so at once and leaves it in the queue,
 * because the worker may have read the earlier state.
 */
export async function writeIndexEntries(tx: Queryable, userId: number, ids: readonly number[]) {
  if (ids.length === 0) return
  const { rows } = await sql<Indexable & { id: number }>`
    SELECT id, name, email, company, "position", phone, notes FROM contacts
    WHERE user_id = ${userId} AND id = ANY(${[...ids]}::bigint[]) ORDER BY id`.execute(tx)
  if (rows.length === 0) return
  const vectors = rows.map((row) => contactVector(userId, row))
  await sql`
    INSERT INTO contact_search AS s (user_id, contact_id, words)
    SELECT ${userId}, w.id, w.words::tsvector
    FROM unnest(${rows.map((row) => row.id)}::bigint[], ${vectors}::text[]) AS w(id, words)
    ON CONFLICT (user_id, contact_id) DO UPDATE SET words = excluded.words WHERE s.words IS DISTINCT FROM excluded.words`.execute(
    tx,
  )
}
