import type { Queryable } from '../../platform/database/handles.ts'
import { onlyRowOf, rowsOf } from '../../platform/database/rows.ts'

export type HouseDay = { day: Date; opened: number; deleted: number; sent: number; seen: number }

/** What happened on each day in UTC from this one on; a day without a row had nothing. */
export async function houseDays(db: Queryable, from: Date) {
  return rowsOf<HouseDay>(db)`
    SELECT day, sum(opened)::int AS opened, sum(deleted)::int AS deleted, sum(sent)::int AS sent, sum(seen)::int AS seen
    FROM house_days WHERE day >= ${from} GROUP BY 1`
}

/**
 * Since which day active users are counted; and accounts that were removed for good: those that were opened, without those
 * that are there.
 */
export async function houseTotals(db: Queryable) {
  return onlyRowOf<{ since: Date | null; removed: number }>(db)`
    SELECT min(day) FILTER (WHERE seen > 0) AS since, greatest(0, coalesce(sum(opened), 0)
      - (SELECT coalesce(sum(accounts), 0) FROM account_counts))::int AS removed
    FROM house_days`
}
