import type { Queryable } from '../../platform/database/handles.ts'
import { hasRows } from '../../platform/database/rows.ts'

/** Whether the user's mail is held since a backup was restored. The table is that of backups, a later layer. */
export async function isHeldSinceRestore(db: Queryable, userId: number) {
  return hasRows(db)`SELECT FROM restore_holds WHERE user_id = ${userId}`
}
