import { type Selectable, sql } from 'kysely'
import type { Queryable } from '../../../platform/database/handles.ts'
import type { WritingSettingsTable } from '../tables.ts'

export type WritingSettings = Omit<Selectable<WritingSettingsTable>, 'user_id'>

/** What the user allows a language model to read by itself; nothing at first. */
export async function writingSettings(db: Queryable, userId: number): Promise<WritingSettings> {
  const { rows } = await sql<WritingSettings>`
    SELECT learns_tone, reads_replies FROM writing_settings WHERE user_id = ${userId}`.execute(db)
  return rows[0] ?? { learns_tone: false, reads_replies: false }
}

/** Changes what is given, and keeps the rest. */
export async function changeWritingSettings(
  db: Queryable,
  userId: number,
  changes: Partial<WritingSettings>,
): Promise<void> {
  await db
    .insertInto('writing_settings')
    .values({ user_id: userId, learns_tone: false, reads_replies: false, ...changes })
    .onConflict((conflict) => {
      const row = conflict.column('user_id')
      return Object.keys(changes).length === 0 ? row.doNothing() : row.doUpdateSet(changes)
    })
    .execute()
}
