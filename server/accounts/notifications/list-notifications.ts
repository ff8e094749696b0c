import type { notifications } from '#contract/accounts/notifications.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { countUnread, newestNotifications } from './store.ts'

export async function listNotifications(
  { db }: Pick<Context, 'db'>,
  limit: number,
): Promise<ReplyOf<typeof notifications.list>> {
  const [rows, unread] = await Promise.all([newestNotifications(db, limit), countUnread(db)])
  return {
    notifications: rows.map(({ created_at: createdAt, read_at: readAt, ...row }) => ({
      ...row,
      is_read: readAt !== null,
      created_at: createdAt.toISOString(),
    })),
    unread,
  }
}
