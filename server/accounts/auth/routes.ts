import type { FastifyRequest } from 'fastify'
import { auth } from '#contract/accounts/auth.ts'
import { devices } from '#contract/accounts/devices.ts'
import { newAccounts } from '#contract/accounts/new-accounts.ts'
import { emailConfirmation } from '#contract/accounts/email-confirmation.ts'
import { passwordReset } from '#contract/accounts/password-reset.ts'
import { twoStep } from '#contract/accounts/two-step.ts'
import { unauthenticated } from '../../platform/errors.ts'
import { done, serve } from '../../platform/http/serve.ts'
import { callerIfAny } from '../../platform/http/session.ts'
import type { Server } from '../../platform/http/server.ts'
import { renewRecoveryCodes, switchOffTwoStep, twoStepStatus } from './change-two-step.ts'
import type { ClearSetup } from './clear-setup.ts'
import { confirmEmail, requestConfirmation } from './confirm-email.ts'
import { endOtherSessions, endSession } from './end-session.ts'
import { logIn } from './log-in.ts'
import { presentAccount, presentSession, presentUser } from './present.ts'
import { register, whyNotAvailable } from './register.ts'
import { requestCode, requestLink } from './request-reset.ts'
import { resetByCode, resetByToken, verifyCode } from './reset-password.ts'
import { beginTwoStep, confirmTwoStep } from './set-up-two-step.ts'
import { idleSince } from './sessions.ts'
import { findUser, liveSessions } from './store.ts'
import { origin } from '../../platform/http/origin.ts'

/** @param setups what the first new password of an account that may be another's clears, see {@link ClearSetup} */
export function authRoutes(app: Server, setups: readonly ClearSetup[]): void {
  resetRoutes(app, setups)
  confirmationRoutes(app)
  twoStepRoutes(app)
  serve(app, newAccounts.register, async ({ context, body, request }) => {
    const { user, token } = await register(context, body, origin(request))
    return { token, user: presentUser(user) }
  })
  serve(app, newAccounts.checkAvailability, async ({ context, body }) => {
    const why = await whyNotAvailable(context, body)
    return { available: why === null, why }
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
  serve(app, auth.logout, ({ context, user, request }) =>
    done(endSession(context, user, user.sessionId, origin(request))),
  )
  serve(app, devices.sessions, async ({ context, user }) => {
    const now = context.clock.now()
    const rows = await liveSessions(context.db, user.id, now, idleSince(now))
    return rows.map((row) => presentSession(row, user.sessionId))
  })
  serve(app, devices.endSession, ({ context, user, params, request }) =>
    done(endSession(context, user, params.id, origin(request))),
  )
  serve(app, devices.endOtherSessions, async ({ context, user, request }) => ({
    ended: await endOtherSessions(context, user, origin(request)),
  }))
}

function confirmationRoutes(app: Server): void {
  serve(app, emailConfirmation.confirm, async ({ context, body, request }) => {
    const caller = await callerIfAny(app, request)
    const by = { callerId: caller?.id ?? null, onlyOwn: body.only_own === true }
    return { email: await confirmEmail(context, body.token, origin(request), by) }
  })
  serve(app, emailConfirmation.request, async ({ context, user }) => requestConfirmation(context, user.id))
}

function twoStepRoutes(app: Server): void {
  serve(app, twoStep.get, async ({ context, user }) => twoStepStatus(context, user.id))
  serve(app, twoStep.begin, async ({ context, user, body, request }) =>
    beginTwoStep(context, user.id, body.password, origin(request)),
  )
  serve(app, twoStep.confirm, async ({ context, user, body, request }) => ({
    recovery_codes: await confirmTwoStep(context, user.id, body.code, origin(request)),
  }))
  serve(app, twoStep.renewCodes, async ({ context, user, body, request }) => ({
    recovery_codes: await renewRecoveryCodes(context, user.id, body, origin(request)),
  }))
  serve(app, twoStep.switchOff, ({ context, user, body, request }) =>
    done(switchOffTwoStep(context, user.id, body, origin(request))),
  )
}

function resetRoutes(app: Server, setups: readonly ClearSetup[]): void {
  const asking = async (request: FastifyRequest) => {
    const caller = await callerIfAny(app, request)
    return { origin: origin(request), callerId: caller?.id ?? null }
  }
  const printed = app.howl.context.config.systemSmtp === null
  const done = (cleared: string[]) => ({ ok: true, ...(cleared.length > 0 ? { cleared, printed } : {}) })
  serve(app, passwordReset.requestOtp, async ({ context, body, request }) => {
    const { exists, sent, printed } = await requestCode(context, body.email, await asking(request))
    return { exists, otp_sent: sent, printed }
  })
  serve(app, passwordReset.verifyOtp, async ({ context, body, request }) => {
    await verifyCode(context, body.email, body.otp, await asking(request))
    return { valid: true }
  })
  serve(app, passwordReset.resetByOtp, async ({ context, body, request }) => {
    // A signed-in user who changes the password stays signed in here.
    const caller = await callerIfAny(app, request)
    const { email, otp, new_password: password } = body
    const by = { caller, setups }
    return done(await resetByCode(context, { email, otp, password }, origin(request), by))
  })
  serve(app, passwordReset.requestLink, async ({ context, body, request }) => {
    const { exists, sent, printed } = await requestLink(context, body.email, await asking(request))
    return { exists, link_sent: sent, printed }
  })
  serve(app, passwordReset.resetByToken, async ({ context, body, request }) => {
    const given = { token: body.token, password: body.new_password }
    return done(await resetByToken(context, given, origin(request), setups))
  })
}
