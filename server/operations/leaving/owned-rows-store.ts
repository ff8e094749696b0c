import { sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { execute } from '../../platform/database/rows.ts'

/** A column that names the owner of a row. */
export type OwnerColumn = { table: string; column: string }

/**
 * Every column that names the user whom a row belongs to: those called `user_id`, and those that refer to `users`. The
 * database is asked, so a table that is added later cannot be forgotten. A column that becomes null with its user is left
 * out: such a row outlives its account on purpose. So do rows of the activity log, where only the person is erased. Tables that
 * others refer to come after those.
 */
export async function ownerColumns(db: Queryable): Promise<OwnerColumn[]> {
  const { rows: columns } = await sql<OwnerColumn>`
    SELECT c.relname AS table, a.attname AS column
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    LEFT JOIN pg_constraint f ON f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid = 'users'::regclass
      AND a.attnum = ANY(f.conkey)
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> 'activities' AND NOT a.attisdropped AND a.attnum > 0
      AND (a.attname = 'user_id' OR f.oid IS NOT NULL) AND f.confdeltype IS DISTINCT FROM 'n'
    GROUP BY 1, 2 ORDER BY 1, 2`.execute(db)
  const { rows: references } = await sql<{ from: string; to: string }>`
    SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
    WHERE contype = 'f' AND conrelid <> confrelid`.execute(db)
  const sorted: OwnerColumn[] = []
  let left = columns
  while (left.length > 0) {
    const isReferred = ({ table }: OwnerColumn) =>
      references.some(({ from, to }) => to === table && left.some((other) => other.table === from))
    const free = left.filter((each) => !isReferred(each))
    // Tables that refer to each other have no order; they come last.
    const next = free.length > 0 ? free : left
    sorted.push(...next)
    left = left.filter((each) => !next.includes(each))
  }
  return sorted
}

/** Removes up to `limit` rows of the user from one table; returns how many there were. */
export async function removeSome(tx: Tx, { table, column }: OwnerColumn, userId: number, limit: number) {
  // Tables whose rows nobody may change let a purge through that names its user.
  await sql`SELECT set_config('howl.purged_user', ${String(userId)}, true)`.execute(tx)
  return execute(tx)`
    DELETE FROM ${sql.table(table)} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${userId} LIMIT ${limit}))`
}
