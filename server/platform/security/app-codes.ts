import { generateSecret, generateURI, verifySync } from 'otplib'
import { APP_CODE_LENGTH, APP_CODE_SECONDS } from '#contract/accounts/two-step.ts'

// Codes of an authenticator app (TOTP, RFC 6238): SHA-1, six digits, 30 seconds, which is what every app knows.

const APP_CODE = new RegExp(`^\\d{${APP_CODE_LENGTH}}$`)
/** The name that the app shows above the code. */
const ISSUER = 'Howl'

/** A new secret of 160 bits (base32), for one user. */
export function newAppSecret(): string {
  return generateSecret()
}

/** The address that an app reads from the QR code. */
export function appUri(secret: string, account: string): string {
  return generateURI({ issuer: ISSUER, label: account, secret })
}

/** True when the text has the form of an app's code. */
export function isAppCode(text: string): boolean {
  return APP_CODE.test(text)
}

/**
 * The time step that a code belongs to, where it is that of `now` or of one of the two steps beside it: clocks differ, and
 * typing takes time. Null for any other code. Whether the step was used before is for the caller to find out.
 */
export function appCodeStep(secret: string, code: string, now: Date): number | null {
  if (!isAppCode(code)) return null
  const epoch = Math.floor(now.getTime() / 1000)
  const found = verifySync({ secret, token: code, epoch, epochTolerance: APP_CODE_SECONDS })
  return found.valid && 'timeStep' in found ? found.timeStep : null
}
