import { type Insertable, sql } from 'kysely'
import { cleanText } from '../mail/words.ts'
import { copyLine, type CopyValue } from './copy-line.ts'
import { copyLines } from './copy-statement.ts'
import type { Tables } from './tables.ts'
import type { Queryable, Tx } from './handles.ts'

/** A row's column holds what COPY's text format has a form for. */
type CopiedRow<T extends keyof Tables> = Insertable<Tables[T]> & Record<string, CopyValue>

/**
 * Inserts many rows at once. All have the columns of the first; NUL and half characters (lone surrogates), which are no
 * text to PostgreSQL, are left away.
 */
export async function insertRows<T extends keyof Tables>(
  tx: Tx,
  table: T,
  rows: readonly CopiedRow<T>[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
  let lines = ''
  for (const row of rows) lines += copyLine(columns.map((column) => row[column]))
  await copyLines(tx, `${table} (${columns.join(', ')})`, cleanText(lines))
}

/**
 * Inserts those of many rows that are not there yet, by one statement with one parameter: one with a parameter for each
 * value costs more to write, to parse and to plan than the rows cost to insert, and is another for every number of rows.
 */
export async function insertNewRows<T extends keyof Tables>(
  db: Queryable,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  await sql`
    INSERT INTO ${sql.table(table)} (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::${sql.table(table)}, ${jsonOf(rows)}::json)
    ON CONFLICT DO NOTHING`.execute(db)
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
