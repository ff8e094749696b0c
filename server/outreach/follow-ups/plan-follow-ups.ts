import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { changeFollowUps } from '../../mail/mailboxes/mailboxes.ts'
import { daysLater, localDay, sendingTime } from '../automatic-mail/automatic-mail.ts'
import { hourOf, nextRun } from './days.ts'
import { type FollowUpState, followUpState } from './follow-up-state.ts'
import { takeBackAll } from './judge-follow-ups.ts'
import { beginDay, type PlanRow, savePlan, takePlan, usersToPlan, waitingFollowUps } from './store.ts'

const AT_ONCE = 200

/**
 * Plans the follow-ups of users whose settings have changed, and begins the day of those whose hour has come. A Howl that stood
 * still for a week begins one day, not seven.
 */
export async function planFollowUps(context: Context): Promise<void> {
  // Another worker plans them, or it failed: they are left for the next round.
  const left: number[] = []
  for (;;) {
    const users = await usersToPlan(context.db, context.clock.now(), left, AT_ONCE)
    for (const userId of users) {
      if (context.stopping.aborted) return
      try {
        if (!(await planUser(context, userId))) left.push(userId)
      } catch (error) {
        // One user's fault must not keep those of others.
        context.log.warn({ err: error, userId }, 'follow-ups could not be planned; tried again')
        left.push(userId)
      }
    }
    if (users.length < AT_ONCE) return
  }
}

async function planUser(context: Context, userId: number): Promise<boolean> {
  const found = await inTransaction(context.db, async (tx) => {
    const plan = await takePlan(tx, userId)
    if (plan === undefined) return null
    const state = await followUpState(tx, userId)
    const now = context.clock.now()
    const at = state?.isOn === true ? await whenToRun(tx, state, plan, now) : null
    if (at === null || at > now || state === undefined) await savePlan(tx, userId, { next_run_at: at })
    else await begin(context, tx, state, now)
    await context.live.publish(tx, userId, { topic: 'outreach' })
    return { state }
  })
  if (found?.state?.isOn === false)
    await takeBackAll(context, userId, await waitingFollowUps(context.db, userId))
  return found !== null
}

async function whenToRun(tx: Tx, state: FollowUpState, plan: PlanRow, now: Date): Promise<Date> {
  const { zone, hour } = state
  const schedule = { hour, zone, lastDay: plan.last_day }
  const planned = plan.is_stale ? nextRun(schedule, now, plan.next_run_at) : plan.next_run_at
  if (planned === null || planned > now) return planned ?? nextRun(schedule, now, null)
  // It is due. What was due on an earlier day waits for today's hour.
  const today = localDay(now, zone)
  if (plan.last_day !== null && plan.last_day >= today) return hourOf(daysLater(plan.last_day, 1), hour, zone)
  const todaysHour = hourOf(today, hour, zone)
  return todaysHour > now ? todaysHour : sendingTime(tx, state.user.id, zone, now)
}

async function begin(context: Context, tx: Tx, { user, zone, hour }: FollowUpState, now: Date) {
  const today = localDay(now, zone)
  const next = hourOf(daysLater(today, 1), hour, zone)
  await savePlan(tx, user.id, { next_run_at: next, last_day: today })
  if (!(await beginDay(tx, user.id, today, now))) return
  await changeFollowUps(tx, user.id, { last_run_at: now, last_sent_count: 0 })
  await context.live.publish(tx, user.id, { topic: 'mailboxes' })
}
