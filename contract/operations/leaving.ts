import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, instant, line } from '../platform/values.ts'

/** A deleted account can be restored for this many days; then every row of it is removed. */
export const RESTORE_DAYS = 30

/** Said where somebody wants to send mail whose account was restored a moment ago. */
export const MAIL_PAUSED = 'Your mail is paused. Press “Resume mail” first.'

/** Said in place of a time at which mail leaves: nobody knows when the pause ends. */
export const MAIL_WAITS = 'Waits while all your mail is paused'

/** Why somebody leaves, as the dialog asks it. */
export const REASONS = ['pricing', 'features', 'support', 'usability', 'performance', 'other'] as const
export const CONTACT_METHODS = ['email', 'phone', 'other'] as const
export const RATINGS = [1, 2, 3, 4, 5] as const

export type Reason = (typeof REASONS)[number]
export type ContactMethod = (typeof CONTACT_METHODS)[number]
export type Rating = (typeof RATINGS)[number]

export const MISSING_REASON = 'Please select a category and provide details'
export const MISSING_CUSTOM_REASON = 'Please specify the reason for leaving'
export const MISSING_RATING = 'Please provide a rating'

export const FEEDBACK_MAX = 5000
export const LINE_MAX = 200

/** Text of several lines that may be left out. */
const optionalText = z._default(
  z.nullable(
    z.string().check(
      z.overwrite((text) => text.replaceAll('\0', '').toWellFormed()),
      z.trim(),
      atMost(FEEDBACK_MAX, `Please keep this under ${FEEDBACK_MAX} characters`),
    ),
  ),
  '',
)
const optionalLine = z._default(z.nullable(line(LINE_MAX)), '')

/** Departure feedback. A contact method counts only with consent, a reason in own words only for `other`. */
export const departureFeedback = z
  .object({
    category: z.enum(REASONS, { error: MISSING_REASON }),
    custom_category: optionalLine,
    rating: z
      .number(MISSING_RATING)
      .check(z.int(MISSING_RATING), z.gte(1, MISSING_RATING), z.lte(5, MISSING_RATING)),
    details: z.string(MISSING_REASON).check(
      z.overwrite((text) => text.replaceAll('\0', '').toWellFormed()),
      z.trim(),
      z.minLength(1, MISSING_REASON),
      atMost(FEEDBACK_MAX, `Please keep this under ${FEEDBACK_MAX} characters`),
    ),
    improvements: optionalText,
    competitor: optionalLine,
    contact_consent: z._default(z.boolean(), false),
    contact_method: z._default(z.nullable(z.union([z.enum(CONTACT_METHODS), z.literal('')])), null),
  })
  .check(
    z.refine(({ category, custom_category: own }) => category !== 'other' || (own ?? '') !== '', {
      error: MISSING_CUSTOM_REASON,
      path: ['custom_category'],
    }),
  )
export type DepartureFeedback = z.output<typeof departureFeedback>

const ok = z.object({ ok: z.boolean() })

export const leaving = {
  giveFeedback: endpoint({
    method: 'POST',
    path: '/user-feedback/deletion-feedback',
    summary: 'Say why you leave; a second answer replaces the first',
    body: departureFeedback,
    reply: ok,
    limit: { max: 30, seconds: 3600 },
  }),
  deleteAccount: endpoint({
    method: 'DELETE',
    path: '/user-feedback/account',
    summary: `Delete your own account; it can be restored for ${RESTORE_DAYS} days`,
    reply: z.object({ ok: z.boolean(), restorable_until: instant }),
  }),
  // Below /email-settings: the live topic of mailboxes makes it stale.
  mailPause: endpoint({
    method: 'GET',
    path: '/email-settings/pause',
    summary: 'Since when no mail is sent or read, after an account was restored; null if it is',
    reply: z.object({ paused_at: z.nullable(instant), waiting: z.number() }),
  }),
  resumeMail: endpoint({
    method: 'POST',
    path: '/email-settings/resume',
    summary: 'Send and read mail again after the account was restored',
    reply: ok,
  }),
}
