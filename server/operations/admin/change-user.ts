import type { AdminUser, Tier } from '#contract/operations/admin.ts'
import type { Given } from '#contract/platform/endpoint.ts'
import { noteActivity } from '../../accounts/activities/activities.ts'
import { refuseLast } from '../../accounts/admin-auth/admin-auth.ts'
import { changeUser, endAdminSessions, lockUser, setAdministrator } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { balanceOf, giveCredits, spendCredits } from '../../accounts/credits/credits.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, invalidInput } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { deleteAccount, restoreAccountOf } from '../leaving/leaving.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { readUser } from './list-users.ts'

const DELETED = 'This account is deleted. Restore it first.'

/** Who acts, and from where. */
export type Act = { caller: Caller; origin: Origin }

/**
 * Puts a live user on a plan, or makes them an administrator or none.
 *
 * @throws Refusal 404, 409 for a deleted account, for oneself, and for the last administrator
 */
export async function changeAccount(
  context: Context,
  userId: number,
  changes: { pricing_tier?: Tier | undefined; is_admin?: boolean | undefined },
  { caller, origin }: Act,
): Promise<Given<AdminUser>> {
  await readLiveUser(context, userId)
  const { pricing_tier: tier, is_admin: isAdmin } = changes
  if (isAdmin === false && userId === caller.id)
    throw conflict('You cannot end your own rights. Ask another administrator.')
  const rights = await inTransaction(context.db, async (tx) => {
    // Deleted since it was read: nothing changes.
    if ((await lockUser(tx, userId)) === undefined) throw conflict(DELETED)
    if (tier !== undefined) {
      await changeUser(tx, userId, { pricing_tier: tier })
      await noteAct(context, tx, { caller, origin }, `plan of user ${userId} set to ${tier}`)
    }
    const changed = isAdmin === undefined ? undefined : await setAdministrator(tx, userId, isAdmin)
    if (changed !== undefined) {
      const type = changed.is_admin ? 'administrator_made' : 'administrator_unmade'
      await noteActivity(context, tx, { type, user: caller.id, origin, detail: `user ${userId}` })
    }
    if (changed?.is_admin === false) {
      await endAdminSessions(tx, userId, context.clock.now())
      await context.live.publish(tx, userId, { topic: 'session' })
    }
    await context.live.publish(tx, userId, { topic: 'account' })
    return changed
  }).catch(refuseLast)
  if (tier !== undefined)
    logSecurity(context.log, { event: 'administered', act: 'plan', account: userId }, caller.id, origin)
  if (rights !== undefined) {
    const act = rights.is_admin ? 'make_administrator' : 'unmake_administrator'
    logSecurity(context.log, { event: 'administered', act, account: userId }, caller.id, origin)
  }
  return readUser(context, userId)
}

/** Gives a live user credits, or takes some away. Returns what they may spend. @throws Refusal 404, 409 for more than there are */
export async function changeCredits(
  context: Context,
  userId: number,
  amount: number,
  { caller, origin }: Act,
): Promise<number> {
  await readLiveUser(context, userId)
  await inTransaction(context.db, async (tx) => {
    if (amount > 0) await giveCredits(context, tx, userId, amount, 'Given by an administrator')
    else if (!(await spendCredits(context, tx, userId, -amount, 'Taken back by an administrator')))
      throw conflict('This user has not so many credits.')
    const given =
      amount > 0
        ? `${amount} credits given to user ${userId}`
        : `${-amount} credits taken from user ${userId}`
    await noteAct(context, tx, { caller, origin }, given)
  })
  logSecurity(context.log, { event: 'administered', act: 'credits', account: userId }, caller.id, origin)
  return (await balanceOf(context, userId)).available
}

/**
 * Deletes a user's account; its owner reads the reason, if there is one.
 *
 * @throws Refusal 404, 409 for a deleted account, for oneself, and for the last administrator
 */
export async function deleteUser(
  context: Context,
  userId: number,
  input: { user_id?: number | undefined; reason: string },
  { caller, origin }: Act,
): Promise<void> {
  if (input.user_id !== undefined && input.user_id !== userId)
    throw invalidInput('The address of this call names another user than its body.')
  await readLiveUser(context, userId)
  if (userId === caller.id) throw conflict('You cannot delete your own account here.')
  await deleteAccount(context, userId, origin, {
    reason: input.reason,
    alongside: (tx) => noteAct(context, tx, { caller, origin }, `deleted user ${userId}`),
  })
  logSecurity(context.log, { event: 'administered', act: 'delete', account: userId }, caller.id, origin)
}

/** Restores a deleted account. @throws Refusal 404, 409 for an account that is not deleted, or was too long ago */
export async function restoreUser(context: Context, userId: number, { caller, origin }: Act): Promise<void> {
  const user = await readUser(context, userId)
  if (user.deleted_at === null) throw conflict('This account is not deleted.')
  await restoreAccountOf(context, user, (tx) =>
    noteAct(context, tx, { caller, origin }, `restored user ${userId}`),
  )
  logSecurity(context.log, { event: 'administered', act: 'restore', account: userId }, caller.id, origin)
}

/** The user whom it was done to appears by their id: what an administrator did stays when that user is gone. */
async function noteAct(context: Context, tx: Tx, { caller, origin }: Act, detail: string): Promise<void> {
  await noteActivity(context, tx, { type: 'admin_act', user: caller.id, origin, detail })
}

async function readLiveUser(context: Context, userId: number): Promise<Given<AdminUser>> {
  const user = await readUser(context, userId)
  if (user.deleted_at !== null) throw conflict(DELETED)
  return user
}
