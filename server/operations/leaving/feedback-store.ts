import type { Insertable, Selectable } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { DepartureFeedbackTable } from './tables.ts'

export type FeedbackRow = Selectable<DepartureFeedbackTable>
export type NewFeedback = Omit<Insertable<DepartureFeedbackTable>, 'id' | 'deleted_at'> & { user_id: number }

/** Saves why a user leaves. A second answer replaces the first. */
export async function saveFeedback(db: Queryable, feedback: NewFeedback): Promise<void> {
  const { user_id: _, ...answers } = feedback
  await db
    .insertInto('departure_feedback')
    .values(feedback)
    .onConflict((row) => row.column('user_id').doUpdateSet(answers))
    .execute()
}

/** Notes on a user's feedback when the account was deleted; null for an account that was restored. */
export async function noteLeft(tx: Tx, userId: number, deletedAt: Date | null): Promise<void> {
  await tx
    .updateTable('departure_feedback')
    .set({ deleted_at: deletedAt })
    .where('user_id', '=', userId)
    .execute()
}

export async function findFeedback(db: Queryable, userId: number): Promise<FeedbackRow | undefined> {
  return db.selectFrom('departure_feedback').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** Detaches the feedback from its account, with texts that no longer name anybody. */
export async function detachFeedback(
  tx: Tx,
  userId: number,
  texts: Pick<FeedbackRow, 'custom_category' | 'details' | 'improvements' | 'competitor'>,
): Promise<void> {
  await tx
    .updateTable('departure_feedback')
    .set({ ...texts, user_id: null })
    .where('user_id', '=', userId)
    .execute()
}
