import { findUser } from '../../accounts/auth/auth.ts'
import { spendCredits } from '../../accounts/credits/credits.ts'
import type { Context } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { TooManyRequests, unauthenticated } from '../../platform/errors.ts'
import type { ModelUsage } from '../../platform/gateways/language-model.ts'
import { costOf } from '../../platform/model-prices.ts'
import { dayAt } from './day.ts'
import { aliveSince, type AskedModel, freeCredits, planLimit, serverCap } from './limits.ts'
import {
  addUsage,
  countDay,
  countOfPurpose,
  endUse,
  findCap,
  giveBackForInstance,
  insertUse,
  isOwnUse,
  lockUses,
  newestDay,
  takeForInstance,
} from './store.ts'

/** Tokens that one use may claim: a user's own server counts as it likes. */
const TOKENS_MAX = 1_000_000_000
/** The instance counts its day in UTC: its users have many. */
const INSTANCE_ZONE = 'UTC'

/** A place in the day's limits, or a credit, that is held until the model has answered. */
export type AiRequest = { id: number; userId: number; model: AskedModel; startedAt: Date }

/**
 * Takes one AI request of the user's day, else holds a credit. Parallel calls never get more than there are, of the plan,
 * of credits, and of what the user and the operator allow a day.
 *
 * @param aside for work that nobody has asked for: it costs no AI request, is done so often a day at most, and leaves half of
 *   what the caps allow to the user
 * @throws Refusal 429 "You have used your 5 AI requests for today.", or which cap is reached
 */
export async function takeAiRequest(
  context: Context,
  userId: number,
  purpose: string,
  model: AskedModel,
  aside?: { most: number },
): Promise<AiRequest> {
  const { clock, config, db } = context
  return inTransaction(db, async (tx) => {
    const user = await findUser(tx, userId)
    if (user === undefined) throw unauthenticated()
    await lockUses(tx, userId)
    const now = clock.now()
    const day = dayAt(now, user.time_zone, await newestDay(tx, userId))
    const counts = await countDay(tx, userId, day.date, aliveSince(now))
    const planned = aside === undefined ? planLimit(config, user, model) : null
    const isOfPlan = config.planLimits && !model.isOwn && aside === undefined
    let paidBy: 'plan' | 'credit' | 'nothing' = isOfPlan ? 'plan' : 'nothing'
    if (planned !== null && counts.byPlan >= planned) {
      if ((await freeCredits(context, tx, userId, counts)) < 1)
        throw new TooManyRequests(day.endsInMs, `You have used your ${planned} AI requests for today.`)
      paidBy = 'credit'
    }
    const cap = await findCap(tx, userId)
    if (cap !== null && counts.made >= cap)
      throw new TooManyRequests(
        day.endsInMs,
        `You have reached your own limit of ${cap} AI ${cap === 1 ? 'request' : 'requests'} for today. You can change it in your profile.`,
      )
    const allowed = serverCap(config, model)
    if (aside !== undefined) {
      const most = Math.min(aside.most, Math.floor(Math.min(cap ?? Infinity, allowed ?? Infinity) / 2))
      if ((await countOfPurpose(tx, userId, day.date, purpose)) >= most)
        throw new TooManyRequests(day.endsInMs, `The AI model is asked ${most} times a day for this at most.`)
    }
    if (allowed !== null && counts.madeOfInstance >= allowed)
      throw new TooManyRequests(
        day.endsInMs,
        `You have used the ${allowed} AI requests that this server allows you for today.`,
      )
    const id = await insertUse(tx, {
      user_id: userId,
      day: day.date,
      day_ends_at: day.endsAt,
      purpose,
      model: model.name ?? '',
      is_own: model.isOwn,
      paid_by: paidBy,
      state: 'open',
      started_at: now,
    })
    const { total } = config.modelDailyCap
    if (total !== null && !model.isOwn) {
      // At last: all users wait for this row until the transaction ends.
      const instanceDay = dayAt(now, INSTANCE_ZONE)
      if (!(await takeForInstance(tx, instanceDay.date, total)))
        throw new TooManyRequests(instanceDay.endsInMs, 'This server has used all its AI requests for today.')
    }
    return { id, userId, model, startedAt: now }
  })
}

/**
 * Ends a request: one that was answered is paid, one that failed costs nothing. Tokens and what they are thought to cost are
 * noted either way.
 */
export async function endAiRequest(
  context: Context,
  { id, userId, model, startedAt }: AiRequest,
  wasAnswered: boolean,
  usage: ModelUsage,
): Promise<void> {
  const now = context.clock.now()
  const used = wholeUsage(usage)
  await inTransaction(context.db, async (tx) => {
    await lockUses(tx, userId)
    const paidBy = await endUse(tx, userId, id, {
      state: wasAnswered ? 'used' : 'failed',
      input_tokens: used.inputTokens,
      output_tokens: used.outputTokens,
      milliseconds: Math.max(0, now.getTime() - startedAt.getTime()),
      cost: costOf(context.config.modelPrices, model.name ?? '', used),
      ended_at: now,
    })
    if (paidBy === undefined) return
    if (wasAnswered && paidBy === 'credit') {
      if (!(await spendCredits(context, tx, userId, 1, 'An AI request')))
        context.log.warn({ userId }, 'a credit that was held for an AI request is gone')
    }
    if (!wasAnswered && !model.isOwn && used.inputTokens + used.outputTokens === 0)
      await giveBackToInstance(context, tx, startedAt)
  })
}

/** The instance's day has one more request, which came to nothing. */
export async function giveBackToInstance({ config }: Context, tx: Tx, startedAt: Date): Promise<void> {
  if (config.modelDailyCap.total !== null) await giveBackForInstance(tx, dayAt(startedAt, INSTANCE_ZONE).date)
}

/**
 * Takes a request that counts whatever becomes of it, in a transaction that may still be rolled back. What it uses is told
 * by {@link noteUsage}.
 *
 * @returns its id
 * @throws Refusal 429 as {@link takeAiRequest} does
 */
export async function spendAiRequest(
  context: Context,
  tx: Tx,
  userId: number,
  purpose: string,
  model: AskedModel,
): Promise<number> {
  const within = { ...context, db: tx as unknown as Database }
  const request = await takeAiRequest(within, userId, purpose, model)
  await endAiRequest(within, request, true, { inputTokens: 0, outputTokens: 0 })
  return request.id
}

/**
 * The request that long work goes on counting on: `id`, as long as the same side's model answers. Where the user has saved or
 * removed a model of their own meanwhile, another one is spent.
 *
 * @param id null where the work began without a model
 * @returns its id
 * @throws Refusal 429 as {@link takeAiRequest} does
 */
export async function goOnWithAiRequest(
  context: Context,
  tx: Tx,
  { userId, id }: { userId: number; id: number | null },
  purpose: string,
  model: AskedModel,
): Promise<number> {
  const isOwn = id === null ? undefined : await isOwnUse(tx, userId, id)
  return id !== null && isOwn === model.isOwn ? id : spendAiRequest(context, tx, userId, purpose, model)
}

/** Adds what a request has used after it was spent. */
export async function noteUsage(
  context: Context,
  tx: Tx,
  { userId, id, model }: { userId: number; id: number; model: AskedModel },
  usage: ModelUsage & { milliseconds: number },
): Promise<void> {
  const used = wholeUsage(usage)
  const cost = costOf(context.config.modelPrices, model.name ?? '', used)
  await addUsage(tx, userId, id, { ...used, cost, milliseconds: Math.round(usage.milliseconds) })
}

function wholeUsage({ inputTokens, outputTokens }: ModelUsage): ModelUsage {
  const whole = (tokens: number) => Math.min(TOKENS_MAX, Math.max(0, Math.ceil(tokens) || 0))
  return { inputTokens: whole(inputTokens), outputTokens: whole(outputTokens) }
}
