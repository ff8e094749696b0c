import * as z from 'zod/mini'
import { PASSWORD_MAX } from './auth.ts'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, emailAddress, text } from '../platform/values.ts'

/** The shortest password that a reset takes. The page of the settings asks for more (`PASSWORD_MIN`). */
export const RESET_PASSWORD_MIN = 6
export const OTP_LENGTH = 6

export const PASSWORDS_DIFFER = 'Passwords do not match'
export const INVALID_OTP = 'Please enter a valid 6-character OTP (letters and numbers only)'
export const EXPIRED_OTP = 'Invalid or expired OTP'

const resetPassword = z
  .string()
  .check(
    z.minLength(RESET_PASSWORD_MIN, `Password must be at least ${RESET_PASSWORD_MIN} characters long`),
    atMost(PASSWORD_MAX, `Please keep the password under ${PASSWORD_MAX} characters`),
  )

/** A code as it is typed: blanks around it do not count. */
export const otp = z
  .string()
  .check(z.trim(), atMost(OTP_LENGTH, INVALID_OTP), z.regex(/^[a-z\d]{6}$/i, INVALID_OTP))

/**
 * Where the mail went: to the address, or, without a mail server for system mail, to the terminal of whoever runs Howl.
 */
const printed = z.boolean()

const whose = z.object({ email: emailAddress })
const ok = z.object({
  ok: z.boolean(),
  /**
   * What was cleared of an account whose address nobody had confirmed while signed in, because somebody else may have set it up: sentences
   * for the owner. Absent where nothing was.
   */
  cleared: z.optional(z.array(z.string())),
  /** With `cleared`: nobody was emailed the list, as there is no mail server for system mail. */
  printed: z.optional(z.boolean()),
})

/** An address or a network may ask for so many accounts in an hour: the answer says who has one. */
const LOOK_UPS = { max: 20, seconds: 3600 }
/** Wrong codes are counted by account; this only keeps an address from asking without end. */
const TRIES = { max: 100, seconds: 3600 }

export const passwordReset = {
  requestOtp: endpoint({
    method: 'POST',
    path: '/auth/forgot-password-otp',
    access: 'public',
    summary: 'Mail a code that sets a new password; it is valid for ten minutes',
    body: whose,
    reply: z.object({ exists: z.boolean(), otp_sent: z.boolean(), printed }),
    limit: LOOK_UPS,
  }),
  verifyOtp: endpoint({
    method: 'POST',
    path: '/auth/verify-reset-otp',
    access: 'public',
    summary: 'Check a mailed code without using it up',
    body: z.object({ email: emailAddress, otp }),
    reply: z.object({ valid: z.boolean() }),
    limit: TRIES,
  }),
  resetByOtp: endpoint({
    method: 'POST',
    path: '/auth/reset-password-otp',
    access: 'public',
    summary: 'Set a new password with a mailed code; ends all other sessions',
    body: z
      .object({
        email: emailAddress,
        otp,
        new_password: resetPassword,
        confirm_password: z.string().check(atMost(PASSWORD_MAX)),
      })
      .check(
        z.refine((body) => body.new_password === body.confirm_password, {
          error: PASSWORDS_DIFFER,
          path: ['confirm_password'],
        }),
      ),
    reply: ok,
    limit: TRIES,
  }),
  requestLink: endpoint({
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'public',
    summary: 'Mail a link that sets a new password; it is valid for an hour',
    body: whose,
    reply: z.object({ exists: z.boolean(), link_sent: z.boolean(), printed }),
    limit: LOOK_UPS,
  }),
  resetByToken: endpoint({
    method: 'POST',
    path: '/auth/reset-password',
    access: 'public',
    summary: 'Set a new password with the token of a mailed link; ends all other sessions',
    body: z.object({ token: text(200), new_password: resetPassword }),
    reply: ok,
    limit: TRIES,
  }),
}
