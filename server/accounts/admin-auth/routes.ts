import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { endSession, findUser, presentUser } from '../auth/auth.ts'
import { unauthenticated } from '../../platform/errors.ts'
import { origin } from '../../platform/http/origin.ts'
import { done, serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { takeAccessCode } from './access-codes.ts'
import { claim } from './claim.ts'
import { logInAdministrator } from './log-in.ts'

export function adminAuthRoutes(app: Server): void {
  serve(app, adminAuth.accessCode, async ({ context, body, request }) => ({
    proof: await takeAccessCode(context, body.code, origin(request)),
  }))
  serve(app, adminAuth.login, async ({ context, body, request }) => {
    const { user, token } = await logInAdministrator(context, body, origin(request))
    return { token, user: presentUser(user) }
  })
  serve(app, adminAuth.claim, async ({ context, body, request }) => {
    const { user, token } = await claim(context, body, origin(request))
    return { token, user: presentUser(user) }
  })
  serve(app, adminAuth.me, async ({ context, user }) => {
    const row = await findUser(context.db, user.id)
    if (row === undefined) throw unauthenticated()
    return presentUser(row)
  })
  serve(app, adminAuth.logout, ({ context, user, request }) =>
    done(endSession(context, user, user.sessionId, origin(request))),
  )
}
