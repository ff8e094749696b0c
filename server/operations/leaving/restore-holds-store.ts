import type { Queryable } from '../../platform/database/handles.ts'

/** Whether the user's mail is held since a backup was restored. The table is that of backups, a later layer. */
export async function isHeldSinceRestore(db: Queryable, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('restore_holds')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}
