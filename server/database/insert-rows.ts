import { type Insertable, sql } from 'kysely'
import { cleanText } from '../mail/words.ts'
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
    SELECT ${columns} FROM json_populate_recordset(NULL::${sql.table(table)}, ${jsonOf(rows)}::json)
    ${onConflict === 'fail' ? sql`` : sql`ON CONFLICT DO NOTHING`}`.execute(db)
}

/** Looks for what PostgreSQL does not take only where the text has it: asking at each value costs more than the writing. */
function jsonOf(rows: readonly unknown[]): string {
  const text = JSON.stringify(rows)
  return /\\u(?:0000|d[89a-f])/.test(text) ? JSON.stringify(rows, wellFormed) : text
}

/** NUL and half a character (a lone surrogate) are no text to PostgreSQL, and one of them would undo all the rows. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? cleanText(value) : value
}
