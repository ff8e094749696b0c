import { type Insertable, sql } from 'kysely'
import type { Queryable } from '../../platform/database/handles.ts'
import type { AdminNotificationsTable } from './tables.ts'
import { hasRows, numberOf } from '../../platform/database/rows.ts'

/** Adds a notification, or renews the unread one of the same topic. */
export async function putNotification(db: Queryable, row: Insertable<AdminNotificationsTable>) {
  await db
    .insertInto('admin_notifications')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('topic')
        .where('read_at', 'is', null)
        .doUpdateSet((eb) => ({
          title: eb.ref('excluded.title'),
          message: eb.ref('excluded.message'),
          priority: sql<number>`greatest(admin_notifications.priority, excluded.priority)`,
          created_at: eb.ref('excluded.created_at'),
        })),
    )
    .execute()
}

export type ListedNotification = Omit<AdminNotificationsTable, 'id' | 'topic'> & {
  id: number
  user_email: string | null
}

export async function newestNotifications(db: Queryable, limit: number): Promise<ListedNotification[]> {
  return db
    .selectFrom('admin_notifications')
    .leftJoin('users', 'users.id', 'admin_notifications.user_id')
    .select([
      'admin_notifications.id',
      'admin_notifications.user_id',
      'title',
      'message',
      'priority',
      'admin_notifications.created_at',
      'read_at',
      'users.email as user_email',
    ])
    .orderBy('admin_notifications.created_at', 'desc')
    .orderBy('admin_notifications.id', 'desc')
    .limit(limit)
    .execute()
}

export async function countUnread(db: Queryable) {
  return numberOf(db)`
    SELECT count(*)::int AS unread FROM admin_notifications WHERE read_at IS NULL`
}

/** Returns false where there is no such notification. One that was read stays as it is. */
export async function setRead(db: Queryable, id: number, now: Date) {
  return hasRows(db)`
    UPDATE admin_notifications SET read_at = coalesce(read_at, ${now}) WHERE id = ${id} RETURNING id`
}

export async function setAllRead(db: Queryable, until: Date, now: Date): Promise<void> {
  await db
    .updateTable('admin_notifications')
    .set({ read_at: now })
    .where('read_at', 'is', null)
    .where('created_at', '<=', until)
    .execute()
}

export async function removeNotifications(db: Queryable, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('admin_notifications')
    .where('created_at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
