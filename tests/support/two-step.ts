import { generateSync } from 'otplib'
import { APP_CODE_SECONDS, twoStep } from '#contract/accounts/two-step.ts'
import { call } from './client.ts'

/** What an authenticator app with this secret shows, `steps` codes after the moment. */
export function codeOf(secret: string, at: Date, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(at.getTime() / 1000) + steps * APP_CODE_SECONDS })
}

/** A code that the app shows at no moment near this one. */
export function wrongCodeOf(secret: string, at: Date): string {
  const shown = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, at, steps))
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !shown.includes(code)) ?? ''
  )
}

/** Switches two-step sign-in on; the code of the step before the moment of the call is used up by it. */
export async function switchTwoStepOn(
  base: string,
  user: { token: string; password: string },
  now: () => Date,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { token, password } = user
  const begun = await call(base, twoStep.begin, { token, body: { password } })
  const { secret } = begun.body
  const stepNow = () => Math.floor(now().getTime() / (APP_CODE_SECONDS * 1000))
  const confirm = () => call(base, twoStep.confirm, { token, body: { code: codeOf(secret, now(), -1) } })
  const step = stepNow()
  let confirmed = await confirm()
  // A step that ends during the call makes its code too old.
  if (confirmed.status !== 200 && stepNow() !== step) confirmed = await confirm()
  if (confirmed.status !== 200) throw new Error(`Two-step sign-in stays off: ${confirmed.error.detail}`)
  return { secret, recoveryCodes: confirmed.body.recovery_codes }
}
