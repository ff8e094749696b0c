import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { BAN_REASONS } from './bans.ts'
import { countUpTo, id, instant } from '../platform/values.ts'

/** Every rule about abuse: its name, and what it means for whoever reads it. The thresholds are in server/operations/abuse/rules.ts. */
export const PATTERN_LABELS = {
  failed_log_ins: {
    name: 'Failed log-ins',
    meaning: 'Log-ins to accounts of other people failed, from an address that this user signs in from.',
  },
  code_sweep: {
    name: 'Guessed codes',
    meaning:
      'Access codes, reset codes or claim links were guessed from an address that this user signs in from.',
  },
  many_accounts: {
    name: 'Many accounts from one network',
    meaning:
      'Several accounts were opened from one network, and most of them are not confirmed or never used.',
  },
  bounce_rate: {
    name: 'Many bounces',
    meaning: 'A large share of the mail came back because the addresses do not exist.',
  },
  complaint_rate: {
    name: 'Complaints',
    meaning: 'Recipients marked the mail as spam.',
  },
  sending_burst: {
    name: 'Sudden burst of mail',
    meaning: 'Far more mail than before, or far more than new accounts send.',
  },
  bought_list: {
    name: 'List that looks bought',
    meaning:
      'Strangers who never reply, addresses of no person, domains that do not exist: nobody gave these addresses away.',
  },
  same_words: {
    name: 'Same words to many strangers',
    meaning:
      'Single mails with the same words went to many strangers, past bulk runs with their way to unsubscribe.',
  },
  call_burst: {
    name: 'Calls over the limits',
    meaning: 'A program goes on calling after the limits have stopped it.',
  },
  invitation_sweep: {
    name: 'Invitations to strangers',
    meaning: 'Day after day invitations go to addresses that do not exist or never answer.',
  },
  farmed_credits: {
    name: 'Farmed credits',
    meaning:
      'Invited friends share a network with the inviter, never confirm their address, or never use their account.',
  },
} as const
export type PatternType = keyof typeof PATTERN_LABELS
export const PATTERN_TYPES = Object.keys(PATTERN_LABELS) as [PatternType, ...PatternType[]]

/** Risks from which on something is done: the user is warned, administrators are told, the user is banned. */
export const RISK_ACTS = { warn: 40, high: 60, ban: 80 } as const
export const PATTERNS_DAYS_MAX = 365
/** Patterns that the list gives at most, the newest first. */
export const PATTERNS_MAX = 100

export const pattern = z.object({
  id,
  user_id: z.number(),
  user_email: z.string(),
  pattern_type: z.enum(PATTERN_TYPES),
  /** 1 to 5. */
  severity: z.number(),
  occurrences: z.number(),
  first_detected: instant,
  last_detected: instant,
  auto_ban_triggered: z.boolean(),
  /** What was seen the last time. */
  description: z.string(),
  /** The user's risk of all patterns, as it is now: 0 to 100. */
  risk: z.number(),
  /** The reason that a ban because of it would have. */
  ban_reason: z.enum(BAN_REASONS),
  is_banned: z.boolean(),
})
export type Pattern = z.infer<typeof pattern>

export const abuse = {
  statistics: endpoint({
    method: 'GET',
    path: '/admin/statistics/abuse',
    access: 'admin',
    summary: 'Bans in force, patterns of abuse, users at high risk, and notifications of the last 7 days',
    reply: z.object({
      active_bans: z.number(),
      total_abuse_patterns: z.number(),
      high_risk_users: z.number(),
      recent_notifications: z.number(),
    }),
  }),
  patterns: endpoint({
    method: 'GET',
    path: '/admin/users/abuse-patterns',
    access: 'admin',
    summary: 'Patterns of abuse that were found in the last days, newest first',
    query: z.object({
      days: countUpTo(PATTERNS_DAYS_MAX, 30),
    }),
    reply: z.object({ patterns: z.array(pattern), has_more: z.boolean() }),
  }),
}
