import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from './handles.ts'

/** Rows sampled to see whether the terms are frequent: the newest, and some from all along the list. */
const NEWEST_LOOKED_AT = 100
const SPREAD_LOOKED_AT = 100
/** If this many of the sample match, rows are checked one after the other: one in twenty. */
const MANY = 10

/** A table whose rows hold their words, by owner and id. */
type WordTable = 'contact_search' | 'invoices'
const ID_OF = { contact_search: 'contact_id', invoices: 'id' } as const

/** Terms of a search in the text form of tsquery, by how they are found soonest. */
export type TermPlan = {
  /** True when many rows have them all: then checking one row after the other is quicker than the index. */
  isFrequent: boolean
  /** What the index looks up, and what is checked on the rows that it finds. */
  looked: readonly string[]
  others: readonly string[]
}

/** Decides by a sample of the owner's rows how terms are looked up. */
export async function planTerms(
  db: Queryable,
  userId: number,
  table: WordTable,
  queries: readonly string[],
): Promise<TermPlan> {
  const sample = await sampleOf(db, userId, table, queries)
  // The index would go through every row with a frequent term, so only rare terms are looked up there.
  const rare = queries.filter((_, index) => (sample.each[index] ?? 0) < MANY)
  const looked = rare.length === 0 ? queries : rare
  return {
    isFrequent: sample.all >= MANY,
    looked,
    others: queries.filter((query) => !looked.includes(query)),
  }
}

/** A query for all of these terms. */
export const allOf = (queries: readonly string[]) => queries.join(' & ')

/** True for words with all of these terms, by the function behind `@@`, which no index serves. */
export const haveAll = (words: RawBuilder<unknown>, queries: readonly string[]): RawBuilder<unknown> =>
  queries.length === 0 ? sql`true` : sql`ts_match_vq(${words}, ${allOf(queries)}::tsquery)`

/**
 * How many rows of a sample match all terms, and each of them. With few rows some are sampled twice, which does no harm
 * because checking them all costs nothing.
 */
async function sampleOf(
  db: Queryable,
  userId: number,
  table: WordTable,
  queries: readonly string[],
): Promise<{ all: number; each: number[] }> {
  const [rowsOf, id] = [sql.table(table), sql.ref(ID_OF[table])]
  const each = queries.map((query) => sql`count(*) FILTER (WHERE w.words @@ ${query}::tsquery)`)
  const { rows } = await sql<{ all: number; each: number[] }>`
    WITH span AS (
      SELECT min(${id}) AS low, max(${id}) AS high FROM ${rowsOf} WHERE user_id = ${userId}
    ),
    looked_at AS (
      (SELECT words FROM ${rowsOf} WHERE user_id = ${userId} ORDER BY ${id} DESC LIMIT ${sql.lit(NEWEST_LOOKED_AT)})
      UNION ALL
      SELECT n.words FROM span, generate_series(0, ${sql.lit(SPREAD_LOOKED_AT - 1)}) AS step CROSS JOIN LATERAL (
        SELECT words FROM ${rowsOf}
        WHERE user_id = ${userId} AND ${id} >= low + (high - low) * step / ${sql.lit(SPREAD_LOOKED_AT)}
        ORDER BY ${id} LIMIT 1
      ) n
    )
    SELECT count(*) FILTER (WHERE w.words @@ ${allOf(queries)}::tsquery) AS all,
      ARRAY[${sql.join(each)}]::int[] AS each
    FROM looked_at w`.execute(db)
  return rows[0] ?? { all: 0, each: [] }
}
