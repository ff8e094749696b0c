import type { AiUsage, AiUsageSums } from '#contract/models/ai-usage.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { unauthenticated } from '../../platform/errors.ts'
import { modelFor } from '../language-models/language-models.ts'
import { dayAt } from './day.ts'
import { aliveSince, freeCredits, planLimit, serverCap } from './limits.ts'
import {
  countDay,
  countForInstance,
  findCap,
  newestDay,
  type PurposeSums,
  saveCap,
  sumPurposes,
} from './store.ts'

/** What the user has used of language models today and in the month, and what is left today. */
export async function readUsage(context: Context, userId: number): Promise<AiUsage> {
  const { clock, config, db } = context
  const model = await modelFor(context, userId)
  return inTransaction(db, async (tx) => {
    const user = await findUser(tx, userId)
    if (user === undefined) throw unauthenticated()
    const now = clock.now()
    const day = dayAt(now, user.time_zone, await newestDay(tx, userId))
    const counts = await countDay(tx, userId, day.date, aliveSince(now))
    const sums = await sumPurposes(tx, userId, day.monthBegins, day.date)
    const planned = planLimit(config, user, model)
    const cap = await findCap(tx, userId)
    const credits = await freeCredits(context, tx, userId, counts)
    const allowed = serverCap(config, model)
    const { total } = config.modelDailyCap
    const isUsedUp =
      total !== null && !model.isOwn && (await countForInstance(tx, dayAt(now, 'UTC').date)) >= total
    const left = (max: number | null, used: number) => (max === null ? null : Math.max(0, max - used))
    const limits = {
      plan: { requests_a_day: planned, left: left(planned, counts.byPlan) },
      cap: { requests_a_day: cap, left: left(cap, counts.made) },
      server: { requests_a_day: allowed, left: left(allowed, counts.madeOfInstance), is_used_up: isUsedUp },
    }
    const rooms = [
      limits.plan.left === null ? null : limits.plan.left + credits,
      limits.cap.left,
      limits.server.left,
      isUsedUp ? 0 : null,
    ].filter((room) => room !== null)
    return {
      day: day.date,
      model: { name: model.name, is_own: model.isOwn },
      left: rooms.length === 0 ? null : Math.min(...rooms),
      ...limits,
      credits,
      today: sumOf(sums.filter(({ isToday }) => isToday)),
      month: sumOf(sums),
      purposes: [...new Set(sums.map(({ purpose }) => purpose))].map((purpose) => {
        const own = sums.filter((row) => row.purpose === purpose)
        return { purpose, today: sumOf(own.filter(({ isToday }) => isToday)), month: sumOf(own) }
      }),
    }
  })
}

/** Changes how many AI requests a day the user allows himself; null: any number. */
export async function changeCap(context: Context, userId: number, requests: number | null): Promise<AiUsage> {
  await saveCap(context.db, userId, requests)
  return readUsage(context, userId)
}

function sumOf(rows: readonly PurposeSums[]): AiUsageSums {
  const total = (column: Exclude<keyof PurposeSums, 'purpose' | 'isToday'>) =>
    rows.reduce((sum, row) => sum + row[column], 0)
  const cost = total('cost')
  const isPartial = total('unpriced_tokens') > 0
  return {
    requests: total('used'),
    failed: total('failed'),
    input_tokens: total('input_tokens'),
    output_tokens: total('output_tokens'),
    milliseconds: total('milliseconds'),
    // Tokens without a price, and nothing known besides: the cost is not zero, but unknown.
    cost: isPartial && cost === 0 ? null : cost,
    cost_is_partial: isPartial,
  }
}
