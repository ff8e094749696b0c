import { type Insertable, sql } from 'kysely'
import type { Queryable } from './connect.ts'
import type { Tables } from './tables.ts'

/**
 * Inserts many rows by one statement with one parameter. A statement with a parameter for each value costs more to write,
 * to parse and to plan than the rows cost to insert, and is another one for every number of rows. All rows have the
 * columns of the first; times and lists are understood, bytes are not.
 */
export async function insertRows<T extends keyof Tables>(
  db: Queryable,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
  onConflict: 'fail' | 'do nothing' = 'fail',
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  await sql`
    INSERT INTO ${sql.table(table)} (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::${sql.table(table)}, ${JSON.stringify(rows, wellFormed)}::json)
    ${onConflict === 'fail' ? sql`` : sql`ON CONFLICT DO NOTHING`}`.execute(db)
}

/** Half a character (a lone surrogate) is no text to PostgreSQL's JSON; elsewhere the driver replaces it as here. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}
