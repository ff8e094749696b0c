import { noteActivity } from '../activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { expireBan } from './bans-store.ts'

/** Ends the ban of a locked user whose time is over. False without one. */
export async function endBanIfOver(context: Context, tx: Tx, userId: number): Promise<boolean> {
  if ((await expireBan(tx, userId, context.clock.now())) === undefined) return false
  await noteActivity(context, tx, { type: 'ban_expired', user: userId, origin: null })
  return true
}
