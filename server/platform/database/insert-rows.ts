import { type Insertable, sql } from 'kysely'
import { cleanText } from '../text.ts'
import { copyLine, type CopyValue } from './copy-line.ts'
import { copyLines } from './copy-statement.ts'
import type { Tables } from './tables.ts'
import type { Queryable, Tx } from './handles.ts'

/** A value that COPY's text format can represent. */
type CopiedRow<T extends keyof Tables> = Insertable<Tables[T]> & Record<string, CopyValue>

/**
 * Inserts many rows at once. All have the columns of the first; NUL and lone surrogates, which PostgreSQL does not
 * accept as text, are removed.
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
 * Inserts those of many rows that do not exist yet, in one statement with one parameter. With a parameter for each
 * value, writing, parsing and planning would cost more than inserting the rows, and every number of rows would be
 * another statement.
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

/** Cleans only rows whose text contains such characters: checking each value costs more than writing it. */
function jsonOf(rows: readonly unknown[]): string {
  const text = JSON.stringify(rows)
  return /\\u(?:0000|d[89a-f])/.test(text) ? JSON.stringify(rows, wellFormed) : text
}

/** PostgreSQL does not accept NUL or a lone surrogate as text, and one of them would undo all the rows. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? cleanText(value) : value
}
