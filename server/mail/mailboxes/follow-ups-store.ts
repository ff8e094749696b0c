import { type Selectable, sql, type Updateable } from 'kysely'
import type { Queryable } from '../../platform/database/handles.ts'
import type { FollowUpSettingsTable } from './tables.ts'

export type FollowUpSettings = Omit<Selectable<FollowUpSettingsTable>, 'user_id'>
export type FollowUpChanges = Omit<Updateable<FollowUpSettingsTable>, 'user_id'>

/** What holds for a user who has not set anything. */
const DEFAULTS: FollowUpSettings = {
  enabled: false,
  enabled_in_practice: false,
  max_days: 14,
  daily_hour: 9,
  last_run_at: null,
  last_sent_count: 0,
}

export async function followUpSettings(db: Queryable, userId: number): Promise<FollowUpSettings> {
  const { rows } = await sql<FollowUpSettings>`
    SELECT * FROM follow_up_settings WHERE user_id = ${userId}`.execute(db)
  return rows[0] ?? DEFAULTS
}

export async function changeFollowUps(
  db: Queryable,
  userId: number,
  changes: FollowUpChanges,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await db
    .insertInto('follow_up_settings')
    .values({ ...changes, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changes))
    .execute()
}

/** Follow-ups stop: what was switched on in practice, or for an account that is gone, writes to nobody else. */
export async function stopFollowUps(db: Queryable, userId: number, where: 'practice' | 'own'): Promise<void> {
  const column = sql.ref(where === 'practice' ? 'enabled_in_practice' : 'enabled')
  await sql`UPDATE follow_up_settings SET ${column} = false WHERE user_id = ${userId}`.execute(db)
}
