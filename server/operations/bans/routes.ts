import { bans } from '#contract/operations/bans.ts'
import { origin } from '../../platform/http/origin.ts'
import { done, serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { answerAppeal, appeal } from './appeal.ts'
import { banUser } from './ban-user.ts'
import { findUsers, pageOfBans, readBan } from './list-bans.ts'
import { unbanUser } from './unban-user.ts'

export function banRoutes(app: Server): void {
  serve(app, bans.list, async ({ context, query }) => pageOfBans(context, query))
  serve(app, bans.findUsers, async ({ context, query }) => findUsers(context, query.search))
  serve(app, bans.ban, async ({ context, user, body, request }) => {
    const { ban } = await banUser(context, {
      userId: body.user_id,
      reason: body.reason,
      description: body.description,
      days: body.ban_duration_days,
      by: user,
      origin: origin(request),
    })
    return readBan(context, ban.id)
  })
  serve(app, bans.unban, async ({ context, user, body, request }) => {
    const { user_id: userId, reason } = body
    const ban = await unbanUser(context, { userId, reason, by: user, origin: origin(request) })
    return readBan(context, ban.id)
  })
  serve(app, bans.answer, async ({ context, user, params, body, request }) => {
    await answerAppeal(context, params.id, body, { caller: user, origin: origin(request) })
    return readBan(context, params.id)
  })
  serve(app, bans.appeal, ({ context, body, request }) =>
    done(appeal(context, { token: body.appeal_token, message: body.message }, origin(request))),
  )
}
