import { sql } from 'kysely'
import { findMeeting, type MeetingRow } from './store.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'

/** A meeting whose reminder is due. */
export type DueReminder = { userId: number; meetingId: number }

/** Due reminders of all users whose mail is not paused, oldest first. */
export async function dueReminders(db: Queryable, now: Date, limit: number): Promise<DueReminder[]> {
  return db
    .selectFrom('meetings')
    .select(['user_id as userId', 'id as meetingId'])
    .where('remind_at', '<=', now)
    .where(sql<boolean>`NOT mail_is_paused(user_id)`)
    .orderBy('remind_at')
    .limit(limit)
    .execute()
}

/**
 * Takes a due reminder, so that nobody else sends it; it is due again if the caller's transaction is rolled back.
 * Undefined if another worker has it, or if the meeting was moved or has begun meanwhile: then there is nothing to
 * remind of.
 */
export async function takeReminder(
  tx: Tx,
  { userId, meetingId }: DueReminder,
  now: Date,
): Promise<MeetingRow | undefined> {
  const due = await tx
    .selectFrom('meetings')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', meetingId)
    .where('remind_at', '<=', now)
    // It was not when the reminder was found: then it waits.
    .where(sql<boolean>`NOT mail_is_paused(user_id)`)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (due === undefined) return undefined
  await setReminder(tx, userId, meetingId, null)
  const meeting = await findMeeting(tx, userId, meetingId)
  return meeting !== undefined && meeting.start_time > now ? meeting : undefined
}

/** Postpones a due reminder that could not be sent until `at`, unless the user has rescheduled it since. */
export async function putOffReminder(db: Queryable, { userId, meetingId }: DueReminder, now: Date, at: Date) {
  await db
    .updateTable('meetings')
    .set({ remind_at: at })
    .where('user_id', '=', userId)
    .where('id', '=', meetingId)
    .where('remind_at', '<=', now)
    .execute()
}

async function setReminder(tx: Tx, userId: number, id: number, at: Date | null): Promise<void> {
  await tx
    .updateTable('meetings')
    .set({ remind_at: at })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}
