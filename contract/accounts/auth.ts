import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, id, instant, requiredText } from '../platform/values.ts'

export const PASSWORD_MIN = 8
/** argon2 is slow on purpose: a longer password could be used to keep the server busy. */
export const PASSWORD_MAX = 200

/** The signed-in user as every screen needs it. */
export const user = z.object({
  id,
  email: z.string(),
  name: z.string(),
  profile_image_url: z.nullable(z.string()),
  is_admin: z.boolean(),
})
export type User = z.infer<typeof user>

export const signedIn = z.object({ token: z.string(), user })

export const WRONG_CODE = 'This code is wrong or was used before. Please type the newest one.'

/** A code of an authenticator app, or a recovery code, as it is typed: blanks, hyphens and letter case do not count. */
export const typedCode = z.string().check(z.trim(), atMost(40, WRONG_CODE))

/** The user with every profile field. */
export const account = z.object({
  ...user.shape,
  full_name: z.string(),
  username: z.string(),
  company_name: z.string(),
  business_name: z.string(),
  team_size: z.string(),
  revenue_size: z.string(),
  heard_about_us: z.string(),
  social_link: z.string(),
  calendly_link: z.string(),
  job_title: z.string(),
  phone: z.string(),
  /** Lines below the mails that the user writes; empty for none. */
  signature: z.string(),
  country: z.nullable(z.string()),
  currency: z.string(),
  time_zone: z.nullable(z.string()),
  pricing_tier: z.string(),
  /** True once the link in the confirmation mail was used. */
  email_confirmed: z.boolean(),
  created_at: instant,
})

/** Signing in and out. */
export const auth = {
  login: endpoint({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    summary:
      'Sign in with an e-mail address or a user name; with two-step sign-in, also with a code (else 400 TOTP_REQUIRED)',
    body: z.object({
      email: requiredText(254, 'Please enter your email address'),
      password: z.string().check(z.minLength(1, 'Please enter your password'), atMost(PASSWORD_MAX)),
      /** The code of the second step, or a recovery code. Accounts without two-step sign-in need none. */
      totp: z.optional(typedCode),
    }),
    reply: signedIn,
    limit: { max: 20, seconds: 300 },
  }),
  me: endpoint({
    method: 'GET',
    path: '/auth/me',
    summary: 'The signed-in user with every profile field',
    reply: account,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/auth/logout',
    summary: 'End this session',
    reply: z.object({ ok: z.boolean() }),
  }),
}
