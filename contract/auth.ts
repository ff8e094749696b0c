import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { emailAddress, id, instant, line, requiredLine, requiredText, text } from './values.ts'

export const USERNAME_MIN = 3
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

const signedIn = z.object({ token: z.string(), user })

export const newPassword = z
  .string()
  .check(
    z.minLength(PASSWORD_MIN, `Must be at least ${PASSWORD_MIN} characters long`),
    z.maxLength(PASSWORD_MAX, `Please keep the password under ${PASSWORD_MAX} characters`),
  )

export const username = z.string().check(
  z.trim(),
  z.minLength(USERNAME_MIN, `Must be at least ${USERNAME_MIN} characters long`),
  z.maxLength(60, 'Please keep this under 60 characters'),
  z.refine((name) => !/[\s@\p{C}]/u.test(name), 'Please use no blanks and no @ in the username'),
)

export const WRONG_CODE = 'This code is wrong or was used before. Please type the newest one.'

/** A code of an authenticator app, or a recovery code, as it is typed: blanks, hyphens and letter case do not count. */
export const typedCode = z.string().check(z.trim(), z.maxLength(40, WRONG_CODE))

const optional = (max: number) => z._default(z.nullable(line(max)), '')

export const registration = z.object({
  email: emailAddress,
  password: newPassword,
  name: requiredLine(120, 'Please enter your full name'),
  username,
  businessName: optional(200),
  company_name: optional(200),
  team_size: optional(100),
  heard_about_us: optional(500),
  revenue_size: optional(200),
  social_link: optional(500),
  calendly_link: optional(500),
  referral_code: optional(60),
  job_title: optional(200),
  phone: optional(60),
})
export type Registration = z.input<typeof registration>

export const sessionRow = z.object({
  id: z.string(),
  created_at: instant,
  last_seen_at: instant,
  ip: z.string(),
  user_agent: z.string(),
  current: z.boolean(),
})

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

export const auth = {
  register: endpoint({
    method: 'POST',
    path: '/auth/register',
    access: 'public',
    summary: 'Open an account',
    body: registration,
    reply: signedIn,
    errors: ['INVALID_INPUT', 'TOO_MANY_REQUESTS'],
    limit: { max: 20, seconds: 3600 },
  }),
  checkAvailability: endpoint({
    method: 'POST',
    path: '/auth/check-availability',
    access: 'public',
    summary: 'Whether an account can be opened with an address or a user name',
    body: z.object({ email: z.optional(emailAddress), username: z.optional(username) }),
    reply: z.object({
      available: z.boolean(),
      /** What is wrong with the first field that is not available. */
      why: z.nullable(z.string()),
    }),
    errors: ['INVALID_INPUT', 'TOO_MANY_REQUESTS'],
    limit: { max: 20, seconds: 3600 },
  }),
  login: endpoint({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    summary:
      'Sign in with an e-mail address or a user name; with two-step sign-in, also with a code (else 400 TOTP_REQUIRED)',
    body: z.object({
      email: requiredText(254, 'Please enter your email address'),
      password: z.string().check(z.minLength(1, 'Please enter your password'), z.maxLength(PASSWORD_MAX)),
      /** The code of the second step, or a recovery code. Accounts without two-step sign-in need none. */
      totp: z.optional(typedCode),
    }),
    reply: signedIn,
    errors: ['INVALID_INPUT', 'UNAUTHENTICATED', 'TOTP_REQUIRED', 'TOO_MANY_REQUESTS'],
    limit: { max: 20, seconds: 300 },
  }),
  me: endpoint({
    method: 'GET',
    path: '/auth/me',
    access: 'user',
    summary: 'The signed-in user with every profile field',
    reply: account,
    errors: ['UNAUTHENTICATED'],
  }),
  logout: endpoint({
    method: 'POST',
    path: '/auth/logout',
    access: 'user',
    summary: 'End this session',
    reply: z.object({ ok: z.boolean() }),
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/auth/sessions',
    access: 'user',
    summary: 'Where this account is signed in',
    reply: z.array(sessionRow),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    access: 'user',
    summary: 'End one session',
    params: z.object({ id: text(64) }),
    reply: z.object({ ok: z.boolean() }),
    errors: ['NOT_FOUND'],
  }),
  endOtherSessions: endpoint({
    method: 'POST',
    path: '/auth/sessions/end-others',
    access: 'user',
    summary: 'End all sessions but this one',
    reply: z.object({ ended: z.number() }),
  }),
}
