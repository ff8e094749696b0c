import { type Generated, type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import type { Queryable, Tx } from './handles.ts'
import type { Tables } from './tables.ts'

/** A query in SQL that is run at once, as in "return rowsOf<Row>(db)`SELECT …`". */
type Query<Result> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Result>

/** The rows that a query gives. */
export function rowsOf<Row>(db: Queryable): Query<Row[]> {
  return async (text, ...values) => (await sql<Row>(text, ...values).execute(db)).rows
}

/** The first row that a query gives; undefined if it gives none. */
export function rowOf<Row>(db: Queryable): Query<Row | undefined> {
  return async (text, ...values) => (await rowsOf<Row>(db)(text, ...values))[0]
}

/** The row of a query that always gives one, such as a count. */
export function onlyRowOf<Row>(db: Queryable): Query<Row> {
  return async (text, ...values) => (await rowsOf<Row>(db)(text, ...values))[0] as Row
}

/** The number that a query gives, such as a count; 0 if it gives none. */
export function numberOf(db: Queryable): Query<number> {
  return async (text, ...values) => {
    const row = await rowOf<Record<string, number | null>>(db)(text, ...values)
    return Object.values(row ?? {})[0] ?? 0
  }
}

/** True if a query gives any row. */
export function hasRows(db: Queryable): Query<boolean> {
  return async (text, ...values) => (await rowsOf(db)(text, ...values)).length > 0
}

/** The column `id` of the rows that a query gives. */
export function idsOf(db: Queryable): Query<number[]> {
  return async (text, ...values) => (await rowsOf<{ id: number }>(db)(text, ...values)).map(({ id }) => id)
}

/** Runs a statement that changes rows; says how many. */
export function execute(db: Queryable): Query<number> {
  return async (text, ...values) => Number((await sql(text, ...values).execute(db)).numAffectedRows ?? 0)
}

/** Runs a statement that changes rows; says whether there were any. */
export function didChange(db: Queryable): Query<boolean> {
  return async (text, ...values) => (await execute(db)(text, ...values)) > 0
}

/** Tables whose rows have an owner and an id of their own. */
type Owned = {
  [Name in keyof Tables]: Tables[Name] extends { user_id: number; id: Generated<number> } ? Name : never
}[keyof Tables]

/** A row of a user by its id. */
export async function findRow<Name extends Owned>(
  db: Queryable,
  table: Name,
  userId: number,
  id: number,
): Promise<Selectable<Tables[Name]> | undefined> {
  return rowOf<Selectable<Tables[Name]>>(db)`
    SELECT * FROM ${sql.table(table)} WHERE user_id = ${userId} AND id = ${id}`
}

/** The same, locked until the transaction ends. */
export async function lockRow<Name extends Owned>(
  tx: Tx,
  table: Name,
  userId: number,
  id: number,
): Promise<Selectable<Tables[Name]> | undefined> {
  return rowOf<Selectable<Tables[Name]>>(tx)`
    SELECT * FROM ${sql.table(table)} WHERE user_id = ${userId} AND id = ${id} FOR UPDATE`
}

/** Changes a row of a user; false if there is none. */
export async function changeRow<Name extends Owned>(
  db: Queryable,
  table: Name,
  userId: number,
  id: number,
  changes: Updateable<Tables[Name]>,
): Promise<boolean> {
  // Kysely does not see that each of these tables has both columns.
  const anyTable = db as unknown as Kysely<{ rows: { user_id: number; id: number } }>
  const { numUpdatedRows } = await anyTable
    .updateTable(table as 'rows')
    .set(changes)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes a row of a user; false if there was none. */
export async function removeRow(db: Queryable, table: Owned, userId: number, id: number): Promise<boolean> {
  const { numAffectedRows } =
    await sql`DELETE FROM ${sql.table(table)} WHERE user_id = ${userId} AND id = ${id}`.execute(db)
  return numAffectedRows === 1n
}
