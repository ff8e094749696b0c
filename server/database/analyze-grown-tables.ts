import { sql } from 'kysely'
import type { Tables } from './tables.ts'
import type { Queryable } from './handles.ts'

/** So many new rows at once are looked at however large the table is: they may be all that a user has. */
export const MANY_ROWS = 1000

/** What knowing needs: a database, and where to tell that it could not look. */
type Watched = { db: Queryable; log: { warn(about: object, words: string): void } }

/**
 * Has the database look at tables that have grown by much at once. It plans by what it last saw of a table, and looks by
 * itself every minute at the most, and only when a tenth of the table is new: until then one row may be looked for by
 * reading all rows of its user, who is taken for one who has hardly any. All goes on, only slower, where it cannot look.
 *
 * @param tables that grow together; the first one tells whether it is time
 * @param added how many rows are new, at the least
 * @param many so many are looked at however large the table is; fewer only where it has quadrupled
 */
export async function analyzeGrownTables(
  { db, log }: Watched,
  tables: readonly [keyof Tables, ...(keyof Tables)[]],
  added: number,
  many = MANY_ROWS,
): Promise<void> {
  try {
    if (added < many && (await rowsSeen(db, tables[0])) * 4 > added) return
    // Who looks at a table at this moment looks for us too.
    for (const table of tables) await sql`ANALYZE (SKIP_LOCKED) ${sql.table(table)}`.execute(db)
  } catch (error) {
    log.warn({ err: error, tables }, 'tables that have grown could not be analyzed')
  }
}

async function rowsSeen(db: Queryable, table: keyof Tables): Promise<number> {
  const { rows } = await sql<{ seen: number }>`
    SELECT reltuples AS seen FROM pg_class WHERE oid = ${table}::regclass`.execute(db)
  return rows[0]?.seen ?? 0
}
