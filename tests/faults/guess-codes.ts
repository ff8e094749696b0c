import { expect } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import type { BodyInput, Endpoint } from '#contract/platform/endpoint.ts'
import { passwordReset } from '#contract/accounts/password-reset.ts'
import { call } from '../support/client.ts'
import { signUp } from '../support/factories.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { newestSystemMail, systemMailTo } from '../support/system-mail.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { codeOf, switchTwoStepOn } from '../support/two-step.ts'

export type GuessPlan = { guesses: number; addresses: number; limits: 'on' | 'off' }

/** How the guesses were answered: how many with each status, and how long it took. */
export type Guessed = { statuses: Record<number, number>; seconds: number }

const AT_ONCE = 40
/** The right code comes after this part of the guesses: before, it could be among the few that are checked. */
const RIGHT_AFTER = 0.75

/** Guesses at the mailed code of a password reset. Time stands still: no code expires, no wait ends. */
export async function guessResetCode(plan: GuessPlan): Promise<Guessed> {
  const sink = await startSmtpSink()
  const app = await startTestApp({ environment: { RATE_LIMITS: plan.limits, ...systemMailTo(sink) } })
  app.clock.stand()
  try {
    const { email } = await signUp(app.url)
    await call(app.url, passwordReset.requestOtp, { body: { email } })
    const { text } = await newestSystemMail(sink, email)
    const right = /Your code is (\w{6})\./.exec(text)?.[1] ?? ''
    return await guess(app, plan, passwordReset.verifyOtp, right, 36, (otp) => ({ email, otp }))
  } finally {
    await app.end()
    await sink.stop()
  }
}

/** Guesses at the code of a log-in, knowing the password. */
export async function guessLogInCode(plan: GuessPlan): Promise<Guessed> {
  const app = await startTestApp({ roles: ['web'], environment: { RATE_LIMITS: plan.limits } })
  app.clock.stand()
  try {
    const user = await signUp(app.url)
    const { secret } = await switchTwoStepOn(app.url, user, () => app.clock.now())
    const right = codeOf(secret, app.clock.now())
    const { email, password } = user
    return await guess(app, plan, auth.login, right, 10, (totp) => ({ email, password, totp }))
  } finally {
    await app.end()
  }
}

async function guess<E extends Endpoint>(
  app: TestApp,
  { guesses, addresses }: GuessPlan,
  endpoint: E,
  right: string,
  radix: number,
  bodyOf: (code: string) => BodyInput<E>,
): Promise<Guessed> {
  const rightAt = Math.floor(guesses * RIGHT_AFTER)
  const codeAt = (n: number) => (n === rightAt ? right : n.toString(radix).padStart(6, '0'))
  const statuses: Record<number, number> = {}
  const began = performance.now()
  let next = 0
  const keepGuessing = async () => {
    for (let n = next++; n < guesses; n = next++) {
      const from = n % addresses
      const { status } = await call(app.url, endpoint, {
        body: bodyOf(codeAt(n)),
        headers: { 'X-Forwarded-For': `203.0.${from >> 8}.${from & 255}` },
      })
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, keepGuessing))
  return { statuses, seconds: Math.round((performance.now() - began) / 100) / 10 }
}

/**
 * Makes sure that no guess got in and that at most `checked` were looked at. A busy machine may turn some away (503)
 * before they are.
 */
export function expectNobodyIn({ statuses }: Guessed, guesses: number, checked: number): void {
  const { 400: wrong = 0, 429: limited = 0, 503: away = 0, ...others } = statuses
  expect(others).toEqual({})
  expect(wrong).toBeLessThanOrEqual(checked)
  expect(away).toBeLessThan(guesses / 10)
  expect(wrong + limited + away).toBe(guesses)
}
