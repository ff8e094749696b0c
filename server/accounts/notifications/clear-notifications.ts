import type { Context } from '../../platform/context.ts'
import { removeNotifications } from './store.ts'

/** Notifications are kept for this many days, read or not. */
export const KEPT_DAYS = 90
const DAY_MS = 86_400_000

/** Removes notifications that are too old; returns how many there were. */
export async function clearNotifications({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> {
  return removeNotifications(db, new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS))
}
