import type { DepartureFeedback } from '#contract/operations/leaving.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { unauthenticated } from '../../platform/errors.ts'
import { saveFeedback } from './feedback-store.ts'

const DAY_MS = 86_400_000

/** Saves why a user leaves. What was not asked for is not kept: a reason beside the list's, a contact method without consent. */
export async function giveFeedback(context: Context, userId: number, feedback: DepartureFeedback) {
  const user = await findUser(context.db, userId)
  if (user === undefined) throw unauthenticated()
  const now = context.clock.now()
  await saveFeedback(context.db, {
    user_id: userId,
    category: feedback.category,
    custom_category: feedback.category === 'other' ? (feedback.custom_category ?? '') : '',
    rating: feedback.rating,
    details: feedback.details,
    improvements: feedback.improvements ?? '',
    competitor: feedback.competitor ?? '',
    contact_consent: feedback.contact_consent,
    contact_method: feedback.contact_consent ? feedback.contact_method || null : null,
    pricing_tier: user.pricing_tier,
    account_age_days: Math.max(0, Math.floor((now.getTime() - user.created_at.getTime()) / DAY_MS)),
    given_at: now,
  })
}
