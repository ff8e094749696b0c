import type { UserRow } from '../../accounts/auth/auth.ts'
import type { Config } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import { balanceOf } from '../../accounts/credits/credits.ts'
import type { Database, Queryable } from '../../platform/database/handles.ts'
import type { DayCounts } from './store.ts'

/** AI requests per plan and day. The largest plan has no limit. */
const REQUESTS_PER_PLAN: Readonly<Record<string, number | null>> = {
  free: 5,
  starter: 100,
  professional: 500,
  enterprise: null,
}
/** An open use that is older belongs to a process that has died. */
const DEAD_AFTER_MS = 6 * 60_000

/** Which model is asked. The plan does not pay for a user's own. */
export type AskedModel = { name: string | null; isOwn: boolean }

/** Since when an open use is still at work. */
export function aliveSince(now: Date): Date {
  return new Date(now.getTime() - DEAD_AFTER_MS)
}

/** How many AI requests a day the user's plan pays for; null: any number. */
export function planLimit(
  config: Config,
  { pricing_tier: tier }: Pick<UserRow, 'pricing_tier'>,
  { isOwn }: AskedModel,
): number | null {
  if (!config.planLimits || isOwn) return null
  const planned = REQUESTS_PER_PLAN[tier]
  // A plan that this version does not know gives what every user has.
  return planned === undefined ? 5 : planned
}

/** How many requests a day the operator allows one user; null: any number. The user's own model is none of his business. */
export function serverCap({ modelDailyCap }: Config, { isOwn }: AskedModel): number | null {
  return isOwn ? null : modelDailyCap.user
}

/** Credits that can be spent now: confirmed, unexpired, and not held by a request that is at work. */
export async function freeCredits(
  context: Context,
  db: Queryable,
  userId: number,
  { heldCredits }: DayCounts,
): Promise<number> {
  const { available, waiting } = await balanceOf({ ...context, db: db as Database }, userId)
  return Math.max(0, available - waiting - heldCredits)
}
