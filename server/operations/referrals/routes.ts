import { referrals } from '#contract/operations/referrals.ts'
import { done, serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { balanceOf } from '../../accounts/credits/credits.ts'
import { inviteFriend, noteInvitationOpened } from './invite-friend.ts'
import { referralCode, referralLink } from './referral-code.ts'
import { referralStats } from './referral-stats.ts'

export function referralRoutes(app: Server): void {
  serve(app, referrals.stats, async ({ context, user }) => referralStats(context, user.id))
  serve(app, referrals.balance, async ({ context, user }) => {
    const { available, total, waiting } = await balanceOf(context, user.id)
    return { available_credits: available, total_credits: total, waiting_credits: waiting }
  })
  serve(app, referrals.myCode, async ({ context, user }) => {
    const code = await referralCode(context, user.id)
    return { code, link: referralLink(context, code) }
  })
  serve(app, referrals.invite, async ({ context, user, body }) => {
    const message = body.personal_message === '' ? null : body.personal_message
    await inviteFriend(context, user, { email: body.email, message })
    // They follow when the friend signs up.
    return { credits_earned: 0, printed: context.config.systemSmtp === null }
  })
  serve(app, referrals.noteOpened, ({ context, body }) => done(noteInvitationOpened(context, body.token)))
}
