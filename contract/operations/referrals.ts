import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { plainAddress } from '../platform/local-part.ts'
import { atMost, EMAIL_ADDRESS_MAX, instant, isEmailAddress, storable, text } from '../platform/values.ts'

/** What inviter and friend each earn when the friend signs up. */
export const CREDITS_PER_FRIEND = 50
export const PERSONAL_MESSAGE_MAX = 200

export const INVITATION_STATUSES = ['pending', 'sent', 'opened', 'signed_up'] as const
export type InvitationStatus = (typeof INVITATION_STATUSES)[number]

const NO_ADDRESS = 'Please enter an email address'

export const invitation = z.object({
  email: z
    .string(NO_ADDRESS)
    .check(
      z.trim(),
      z.minLength(1, NO_ADDRESS),
      atMost(EMAIL_ADDRESS_MAX, 'Please enter a valid email address'),
      z.refine(isEmailAddress, 'Please enter a valid email address'),
      z.overwrite(plainAddress),
    ),
  personal_message: z._default(
    z.nullable(
      z
        .string()
        .check(
          storable,
          z.trim(),
          atMost(
            PERSONAL_MESSAGE_MAX,
            `Please keep the message under ${PERSONAL_MESSAGE_MAX + 1} characters`,
          ),
        ),
    ),
    null,
  ),
})

const referralActivity = z.object({
  /** The invited address; of a friend who was not invited by mail only its first letter and its domain. */
  email: z.string(),
  created_at: instant,
  status: z.enum(INVITATION_STATUSES),
  credits_earned: z.number(),
  /** True if the invitation could not be delivered. */
  failed: z.boolean(),
})
export type ReferralActivity = z.infer<typeof referralActivity>

export const referrals = {
  stats: endpoint({
    method: 'GET',
    path: '/referrals/stats',
    summary: 'How the invitations of the user went; the conversion rate is a whole percentage',
    reply: z.object({
      total_invitations: z.number(),
      successful_signups: z.number(),
      conversion_rate: z.number(),
      total_credits_earned: z.number(),
      /** The newest five. */
      recent_activity: z.array(referralActivity),
    }),
  }),
  balance: endpoint({
    method: 'GET',
    path: '/referrals/credits/balance',
    summary: 'Credits ever earned, and those neither spent nor expired',
    reply: z.object({
      available_credits: z.number(),
      total_credits: z.number(),
      /** Part of the available ones: they can be spent once the friends have confirmed their addresses. */
      waiting_credits: z.number(),
    }),
  }),
  myCode: endpoint({
    method: 'GET',
    path: '/referrals/my-code',
    summary: 'The user’s referral code, and a link that carries it',
    reply: z.object({ code: z.string(), link: z.string() }),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/referrals/invite',
    summary: 'Mail an invitation to a friend',
    body: invitation,
    reply: z.object({
      credits_earned: z.number(),
      /** True if no mail server is set up for mails from Howl: then they are printed where Howl runs. */
      printed: z.boolean(),
    }),
    limit: { max: 100, seconds: 3600 },
  }),
  noteOpened: endpoint({
    method: 'POST',
    path: '/referrals/opened',
    access: 'public',
    summary: 'Tell that the link of an invitation was opened in a browser',
    body: z.object({ token: text(200) }),
    reply: z.object({ ok: z.boolean() }),
    limit: { max: 100, seconds: 3600 },
  }),
}
