import { sql } from 'kysely'
import type { Tables } from './tables.ts'
import type { Queryable } from './handles.ts'
import { numberOf } from './rows.ts'

/** This many new rows at once are analyzed however large the table is: they may be all the rows of one user. */
export const MANY_ROWS = 1000

/** What is needed: a database, and a log for when analyzing fails. */
type Analyzer = { db: Queryable; log: { warn(about: object, message: string): void } }

/**
 * Analyzes tables that have just grown a lot. The planner relies on the last statistics, and PostgreSQL's autovacuum
 * only refreshes them once a minute and after a tenth of the table has changed. Until then the planner may take a user
 * with many new rows for one with hardly any, and read all of them to find one. A failure is only logged: queries stay
 * correct, but slower.
 *
 * @param tables that grow together; the first one decides whether it is time
 * @param added how many rows are new, at least
 * @param many this many are analyzed however large the table is; fewer only if the table has quadrupled
 */
export async function analyzeGrownTables(
  { db, log }: Analyzer,
  tables: readonly [keyof Tables, ...(keyof Tables)[]],
  added: number,
  many = MANY_ROWS,
): Promise<void> {
  try {
    if (added < many && (await estimatedRows(db, tables[0])) * 4 > added) return
    // If another session is analyzing a table at this moment, that will do.
    for (const table of tables) await sql`ANALYZE (SKIP_LOCKED) ${sql.table(table)}`.execute(db)
  } catch (error) {
    log.warn({ err: error, tables }, 'grown tables could not be analyzed')
  }
}

async function estimatedRows(db: Queryable, table: keyof Tables): Promise<number> {
  return numberOf(db)`
    SELECT reltuples AS seen FROM pg_class WHERE oid = ${table}::regclass`
}
