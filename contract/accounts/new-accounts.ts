import * as z from 'zod/mini'
import { PASSWORD_MAX, PASSWORD_MIN, signedIn } from './auth.ts'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, emailAddress, line, link, requiredLine } from '../platform/values.ts'

export const USERNAME_MIN = 3

export const newPassword = z
  .string()
  .check(
    z.minLength(PASSWORD_MIN, `Must be at least ${PASSWORD_MIN} characters long`),
    atMost(PASSWORD_MAX, `Please keep the password under ${PASSWORD_MAX} characters`),
  )

export const username = z.string().check(
  z.trim(),
  z.minLength(USERNAME_MIN, `Must be at least ${USERNAME_MIN} characters long`),
  atMost(60, 'Please keep this under 60 characters'),
  z.refine((name) => !/[\s@\p{C}]/u.test(name), 'Please use no blanks and no @ in the username'),
)

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
  social_link: z._default(z.nullable(link(500)), ''),
  calendly_link: z._default(z.nullable(link(500)), ''),
  referral_code: optional(60),
  job_title: optional(200),
  phone: optional(60),
})
export type Registration = z.input<typeof registration>

/** Calls that open an account. */
export const newAccounts = {
  register: endpoint({
    method: 'POST',
    path: '/auth/register',
    access: 'public',
    summary: 'Open an account',
    body: registration,
    reply: signedIn,
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
    limit: { max: 20, seconds: 3600 },
  }),
}
