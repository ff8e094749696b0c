import { leaving } from '#contract/operations/leaving.ts'
import { origin } from '../../platform/http/origin.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { deleteAccount } from './delete-account.ts'
import { giveFeedback } from './give-feedback.ts'
import { endOwnPause, mailPause } from './resume-mail.ts'

export function leavingRoutes(app: Server): void {
  serve(app, leaving.giveFeedback, async ({ context, user, body }) => {
    await giveFeedback(context, user.id, body)
    return { ok: true }
  })
  serve(app, leaving.deleteAccount, async ({ context, user, request }) => {
    const until = await deleteAccount(context, user.id, origin(request))
    return { ok: true, restorable_until: until.toISOString() }
  })
  serve(app, leaving.mailPause, async ({ context, user }) => {
    const { pausedAt, waiting } = await mailPause(context, user.id)
    return { paused_at: pausedAt?.toISOString() ?? null, waiting }
  })
  serve(app, leaving.resumeMail, async ({ context, user }) => {
    await endOwnPause(context, user.id)
    return { ok: true }
  })
}
