import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { putNotification, removeNotifications } from './store.ts'

/** What an administrator should know of. */
export type NewNotification = {
  /** One line. Neither text names the user: the list shows the address beside it, and it goes with the account. */
  title: string
  message: string
  /** 1 to 5: 4 and more are red. */
  priority: number
  /** Whom it is about. */
  userId?: number | null
  /**
   * What it is about, such as `risk 17` or `appeal 4`. As long as a notification of the same topic is unread, it is renewed
   * instead of a second one being added.
   */
  topic: string
}

/** What notifying administrators needs. */
export type NotifyContext = Pick<Context, 'clock' | 'live'>

/** Tells the administrators, in the transaction of what it tells of: their open pages hear of it once that commits. */
export async function notifyAdministrators(
  context: NotifyContext,
  db: Queryable,
  notification: NewNotification,
): Promise<void> {
  const { title, message, priority, userId = null, topic } = notification
  const created_at = context.clock.now()
  await putNotification(db, { user_id: userId, topic, title, message, priority, created_at, read_at: null })
  await context.live.publishToAdministrators(db, { topic: 'notifications' })
}

/** Notifications are kept for this many days, read or not. */
const KEPT_DAYS = 90
const DAY_MS = 86_400_000

/** Removes notifications that are too old; returns how many there were. */
export async function clearNotifications({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> {
  return removeNotifications(db, new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS))
}
