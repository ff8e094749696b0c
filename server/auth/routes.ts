import { auth } from '#contract/auth.ts'
import { unauthenticated } from '../errors.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'
import { endSession } from './end-session.ts'
import { logIn } from './log-in.ts'
import { presentAccount, presentSession, presentUser } from './present.ts'
import { register } from './register.ts'
import { idleSince } from './sessions.ts'
import { findUser, liveSessions } from './store.ts'
import { origin } from '../http/origin.ts'

export function authRoutes(app: Server): void {
  serve(app, auth.register, async ({ context, body, request }) => {
    const { user, token } = await register(context, body, origin(request))
    return { token, user: presentUser(user) }
  })
  serve(app, auth.login, async ({ context, body, request }) => {
    const { user, token } = await logIn(context, body, origin(request))
    return { token, user: presentUser(user) }
  })
  serve(app, auth.me, async ({ context, user }) => {
    const row = await findUser(context.db, user.id)
    if (row === undefined) throw unauthenticated()
    return presentAccount(row)
  })
  serve(app, auth.logout, async ({ context, user, request }) => {
    await endSession(context, user, user.sessionId, origin(request))
    return { ok: true }
  })
  serve(app, auth.sessions, async ({ context, user }) => {
    const now = context.clock.now()
    const rows = await liveSessions(context.db, user.id, now, idleSince(now))
    return rows.map((row) => presentSession(row, user.sessionId))
  })
  serve(app, auth.endSession, async ({ context, user, params, request }) => {
    await endSession(context, user, params.id, origin(request))
    return { ok: true }
  })
}
