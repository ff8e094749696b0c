import type { Given, GivenReply } from '#contract/platform/endpoint.ts'
import type { ReferralActivity, referrals } from '#contract/operations/referrals.ts'
import type { Context } from '../../platform/context.ts'
import { balanceOf } from '../../accounts/credits/credits.ts'
import { type ActivityRow, countReferrals, recentActivity } from './store.ts'

const RECENT = 5

/** How the user's invitations went. */
export async function referralStats(
  context: Context,
  userId: number,
): Promise<GivenReply<typeof referrals.stats>> {
  const [counts, recent, balance] = await Promise.all([
    countReferrals(context.db, userId),
    recentActivity(context.db, userId, RECENT),
    balanceOf(context, userId),
  ])
  return {
    total_invitations: counts.invitations,
    successful_signups: counts.friends,
    conversion_rate: counts.invitations === 0 ? 0 : Math.round((counts.joined / counts.invitations) * 100),
    total_credits_earned: balance.byInviting,
    recent_activity: recent.map(presentActivity),
  }
}

const presentActivity = ({ email, invited, ...row }: ActivityRow): Given<ReferralActivity> => ({
  ...row,
  email: invited ? (email ?? '') : disguised(email),
})

/** A friend who used the code without an invitation has not given the address to the user: "k…@acme.example". */
function disguised(email: string | null): string {
  if (email === null) return 'A friend'
  return `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`
}
