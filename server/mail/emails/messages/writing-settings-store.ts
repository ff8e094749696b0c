import type { Selectable } from 'kysely'
import type { Queryable } from '../../../platform/database/handles.ts'
import type { WritingSettingsTable } from '../tables.ts'

export type WritingSettings = Omit<Selectable<WritingSettingsTable>, 'user_id'>

/** What the user allows a language model to read by itself; nothing at first. */
export async function writingSettings(db: Queryable, userId: number): Promise<WritingSettings> {
  const row = await db
    .selectFrom('writing_settings')
    .select(['learns_tone', 'reads_replies'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? { learns_tone: false, reads_replies: false }
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
