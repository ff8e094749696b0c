import * as z from 'zod/mini'
import { PASSWORD_MAX, typedCode, user } from './auth.ts'
import { endpoint } from '../platform/endpoint.ts'
import { newPassword } from './new-accounts.ts'
import { atMost, emailAddress, requiredLine, requiredText } from '../platform/values.ts'

export const INVALID_CODE = 'Invalid access code. Access denied.'
export const MISSING_CREDENTIALS = 'Please enter both email and password'
export const NOT_AN_ADMINISTRATOR = 'Access denied. Admin privileges required.'
/** The access code was typed too long ago. */
export const OLD_PROOF = 'Your access code was entered too long ago. Please enter it again.'

const signedIn = z.object({ token: z.string(), user })

export const adminAuth = {
  accessCode: endpoint({
    method: 'POST',
    path: '/admin-auth/access-code',
    access: 'public',
    summary: 'The first step of the log-in for administrators: a proof that an access code is right',
    body: z.object({ code: z.string().check(z.trim(), atMost(200, INVALID_CODE)) }),
    reply: z.object({ proof: z.string() }),
    limit: { max: 30, seconds: 300 },
  }),
  login: endpoint({
    method: 'POST',
    path: '/admin-auth/login',
    access: 'public',
    summary:
      'Sign in as an administrator; the token opens the calls for administrators and nothing else. A proof is checked where one is sent',
    body: z.object({
      email: requiredText(254, MISSING_CREDENTIALS),
      password: z
        .string()
        .check(z.minLength(1, MISSING_CREDENTIALS), atMost(PASSWORD_MAX, 'Wrong email or password')),
      proof: z.optional(z.string().check(atMost(200, OLD_PROOF))),
      /** The code of two-step sign-in, or a recovery code, for accounts that have switched it on. */
      totp: z.optional(typedCode),
    }),
    reply: signedIn,
    limit: { max: 30, seconds: 300 },
  }),
  claim: endpoint({
    method: 'POST',
    path: '/admin-auth/claim',
    access: 'public',
    summary: 'Become the first administrator, by the link that Howl prints at its first start',
    body: z.object({
      token: z.string().check(atMost(200)),
      name: requiredLine(120, 'Please enter your full name'),
      email: emailAddress,
      password: newPassword,
    }),
    reply: signedIn,
    limit: { max: 20, seconds: 3600 },
  }),
  me: endpoint({
    method: 'GET',
    path: '/admin-auth/me',
    access: 'admin',
    summary: 'The signed-in administrator',
    reply: user,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/admin-auth/logout',
    access: 'admin',
    summary: 'End this session of an administrator',
    reply: z.object({ ok: z.boolean() }),
  }),
}
