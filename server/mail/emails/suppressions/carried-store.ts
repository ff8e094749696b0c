import { type Selectable, sql } from 'kysely'
import { LIFTABLE } from '#contract/crm/suppressions.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import type { SuppressionsTable } from '../tables.ts'

type SuppressionRow = Selectable<SuppressionsTable>

/** Suppressions of all users that a database has noted since a time, after one of them; for another database. */
export async function newerSuppressions(
  db: Queryable,
  since: Date,
  after: { userId: number; key: string },
  limit: number,
): Promise<SuppressionRow[]> {
  const { rows } = await sql<SuppressionRow>`
    SELECT * FROM suppressions
    WHERE created_at >= ${since} AND (user_id, address_key) > (${after.userId}, ${after.key})
    ORDER BY user_id, address_key LIMIT ${limit}`.execute(db)
  return rows
}

/**
 * Adds suppressions of another database. The email that a row names need not exist here. Rows of unknown users are left
 * out; a suppression that is here already stays, unless the user may lift it and the owner of the address says no.
 *
 * @returns how many addresses get no mail that got some before
 */
export async function carriedSuppressions(tx: Tx, rows: readonly SuppressionRow[]): Promise<number> {
  if (rows.length === 0) return 0
  const { numAffectedRows } = await sql`
    INSERT INTO suppressions AS s (user_id, address_key, reason, detail, email_id, created_at)
    SELECT c.user_id, c.address_key, c.reason, c.detail, e.id, c.created_at
    FROM json_populate_recordset(NULL::suppressions, ${JSON.stringify(rows)}::json) c JOIN users u ON u.id = c.user_id
    LEFT JOIN emails e ON e.user_id = c.user_id AND e.id = c.email_id
    ON CONFLICT (user_id, address_key) DO UPDATE SET reason = excluded.reason, detail = excluded.detail
      WHERE s.reason = ANY(${LIFTABLE}) AND excluded.reason <> ALL(${LIFTABLE})`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
