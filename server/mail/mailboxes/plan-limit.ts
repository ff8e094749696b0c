import { findUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/errors.ts'
import type { Queryable } from '../../platform/database/handles.ts'

/** Mail accounts per plan. The largest plan has room for any number. */
const ACCOUNTS_PER_PLAN: Readonly<Record<string, number | null>> = {
  free: 1,
  starter: 3,
  professional: 10,
  enterprise: null,
}

/** For how many mail accounts of their own the user's plan has room; null for any number. */
export async function accountsMax(context: Context, db: Queryable, userId: number): Promise<number | null> {
  if (!context.config.planLimits) return null
  const tier = (await findUser(db, userId))?.pricing_tier ?? ''
  const max = ACCOUNTS_PER_PLAN[tier]
  // A plan that this version does not know gives what every user has.
  return max === undefined ? 1 : max
}

/**
 * Call it under `lockMailboxes`, so that two accounts added at once do not both find the last place.
 *
 * @throws Refusal 409 with the number, when the user has `count` accounts and the plan has no room for one more
 */
export async function refuseBeyondPlan(
  context: Context,
  db: Queryable,
  userId: number,
  count: number,
): Promise<void> {
  const max = await accountsMax(context, db, userId)
  if (max === null || count < max) return
  throw conflict(
    max === 1
      ? 'Your plan has room for 1 email account. Disconnect it before you add another one.'
      : `Your plan has room for ${max} email accounts. Disconnect one before you add another one.`,
  )
}
