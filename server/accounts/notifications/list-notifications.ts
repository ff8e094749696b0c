import type { notifications } from '#contract/accounts/notifications.ts'
import type { GivenReply } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { countUnread, newestNotifications, setAllRead, setRead } from './store.ts'
import { notFound } from '../../platform/errors.ts'

export async function listNotifications(
  { db }: Pick<Context, 'db'>,
  limit: number,
): Promise<GivenReply<typeof notifications.list>> {
  const [rows, unread] = await Promise.all([newestNotifications(db, limit), countUnread(db)])
  return {
    notifications: rows.map((row) => ({ ...row, is_read: row.read_at !== null })),
    unread,
  }
}

/** Marks one notification as read. @throws Refusal 404 */
export async function markRead({ db, clock, live }: Context, id: number): Promise<void> {
  if (!(await setRead(db, id, clock.now()))) throw notFound('There is no such notification.')
  await live.publishToAdministrators(db, { topic: 'notifications' })
}

/** Marks all that came up to `until`; what came later has not been seen. */
export async function markAllRead({ db, clock, live }: Context, until: Date): Promise<void> {
  await setAllRead(db, until, clock.now())
  await live.publishToAdministrators(db, { topic: 'notifications' })
}
