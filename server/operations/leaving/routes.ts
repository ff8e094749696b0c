import { leaving } from '#contract/operations/leaving.ts'
import { origin } from '../../platform/http/origin.ts'
import { done, serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { deleteAccount } from './delete-account.ts'
import { giveFeedback } from './give-feedback.ts'
import { endOwnPause, mailPause } from './restore-account.ts'

export function leavingRoutes(app: Server): void {
  serve(app, leaving.giveFeedback, ({ context, user, body }) => done(giveFeedback(context, user.id, body)))
  serve(app, leaving.deleteAccount, async ({ context, user, request }) => {
    const until = await deleteAccount(context, user.id, origin(request))
    return { ok: true, restorable_until: until.toISOString() }
  })
  serve(app, leaving.mailPause, async ({ context, user }) => {
    const { pausedAt, waiting } = await mailPause(context, user.id)
    return { paused_at: pausedAt?.toISOString() ?? null, waiting }
  })
  serve(app, leaving.resumeMail, ({ context, user }) => done(endOwnPause(context, user.id)))
}
