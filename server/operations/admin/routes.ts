import { admin } from '#contract/operations/admin.ts'
import { adminAnalytics } from '#contract/operations/admin-analytics.ts'
import { adminFeedback } from '#contract/operations/admin-feedback.ts'
import { origin } from '../../platform/http/origin.ts'
import { done, serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { changeAccount, changeCredits, deleteUser, restoreUser } from './change-user.ts'
import { analyseFeedback, listFeedback } from './list-feedback.ts'
import { listUsers } from './list-users.ts'
import { readAnalytics } from './read-analytics.ts'
import { readStats } from './read-stats.ts'

export function adminRoutes(app: Server): void {
  serve(app, admin.stats, async ({ context, user }) => readStats(context, user))
  serve(app, adminAnalytics.read, async ({ context, query }) => readAnalytics(context, Number(query.days)))
  serve(app, adminFeedback.details, async ({ context, query }) => listFeedback(context, query))
  serve(app, adminFeedback.analytics, async ({ context }) => analyseFeedback(context))
  serve(app, admin.users, async ({ context, query }) => listUsers(context, query))
  serve(app, admin.changeUser, async ({ context, user, params, body, request }) =>
    changeAccount(context, params.id, body, { caller: user, origin: origin(request) }),
  )
  serve(app, admin.changeCredits, async ({ context, user, params, body, request }) => {
    const act = { caller: user, origin: origin(request) }
    return { available_credits: await changeCredits(context, params.id, body.amount, act) }
  })
  serve(app, admin.deleteUser, ({ context, user, params, body, request }) =>
    done(deleteUser(context, params.id, body, { caller: user, origin: origin(request) })),
  )
  serve(app, admin.restoreUser, ({ context, user, params, request }) =>
    done(restoreUser(context, params.id, { caller: user, origin: origin(request) })),
  )
}
