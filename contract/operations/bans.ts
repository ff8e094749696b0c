import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { countUpTo, id, instant, line, requiredText, text } from '../platform/values.ts'

/** Why somebody is banned, with the words that people read. */
export const BAN_REASON_LABELS = {
  spam: 'Spam',
  abuse: 'Abuse',
  suspicious_activity: 'Suspicious activity',
  terms_violation: 'Terms violation',
  fraud: 'Fraud',
  harassment: 'Harassment',
  inappropriate_content: 'Inappropriate content',
  system_abuse: 'System abuse',
  multiple_accounts: 'Multiple accounts',
  manual_ban: 'Manual ban',
} as const
export type BanReason = keyof typeof BAN_REASON_LABELS
export const BAN_REASONS = Object.keys(BAN_REASON_LABELS) as [BanReason, ...BanReason[]]

/** In force, ended by time, or ended by an administrator. */
export const BAN_STATUSES = ['active', 'expired', 'lifted'] as const
export type BanStatus = (typeof BAN_STATUSES)[number]

/** Whether an appeal ends the ban. */
export const APPEAL_DECISIONS = ['lift', 'keep'] as const
export type AppealDecision = (typeof APPEAL_DECISIONS)[number]

export const BANS_PER_PAGE = 50
export const BAN_DESCRIPTION_MAX = 1000
/** Ten years; what should last longer is permanent. */
export const BAN_DAYS_MAX = 3650
export const UNBAN_REASON_MAX = 500
export const APPEAL_MAX = 3000
export const APPEAL_ANSWER_MAX = 2000
/** So often one ban can be appealed against, each time after the answer to the appeal before. */
export const APPEALS_MAX = 3
export const USER_SEARCH_MAX = 254

export const MISSING_USER_ID = 'Please enter a user ID'
export const MISSING_DESCRIPTION = 'Please enter a description'
export const MISSING_UNBAN_REASON = 'Please enter a reason'
export const MISSING_APPEAL = 'Please write why the ban should end'
export const MISSING_ANSWER = 'Please write an answer'
export const WRONG_DAYS = `Please enter a whole number of days from 1 to ${BAN_DAYS_MAX.toLocaleString('en')}, or leave it empty`

const userId = z
  .number(MISSING_USER_ID)
  .check(z.int(MISSING_USER_ID), z.positive(MISSING_USER_ID), z.lte(Number.MAX_SAFE_INTEGER, MISSING_USER_ID))
const page = countUpTo(10_000, 1)

const banRow = z.object({
  id,
  user_id: z.number(),
  user_email: z.string(),
  user_name: z.string(),
  reason: z.enum(BAN_REASONS),
  description: z.string(),
  status: z.enum(BAN_STATUSES),
  /** The administrator's address; null for a ban by the rules of abuse, and once that account is removed. */
  banned_by: z.nullable(z.string()),
  /** By the rules of abuse, and not by an administrator. */
  is_automatic: z.boolean(),
  banned_at: instant,
  /** Null for a permanent ban. */
  expires_at: z.nullable(instant),
  ended_at: z.nullable(instant),
  /** What the administrator said who lifted it. */
  unban_reason: z.nullable(z.string()),
  /** The newest appeal; null without. */
  appeal_submitted_at: z.nullable(instant),
  appeal_message: z.nullable(z.string()),
  /** Null while nobody has answered. */
  appeal_answered_at: z.nullable(instant),
  appeal_answer: z.nullable(z.string()),
  appeal_decision: z.nullable(z.enum(APPEAL_DECISIONS)),
})
export type Ban = z.infer<typeof banRow>

/** Somebody whom a form names, before something is done to them. */
const namedUser = z.object({
  id,
  email: z.string(),
  full_name: z.string(),
  is_admin: z.boolean(),
  /** The ban in force. */
  ban: z.nullable(
    z.object({ id, reason: z.enum(BAN_REASONS), banned_at: instant, expires_at: z.nullable(instant) }),
  ),
})
export type NamedUser = z.infer<typeof namedUser>

const params = z.object({ id })
const ok = z.object({ ok: z.boolean() })

export const bans = {
  list: endpoint({
    method: 'GET',
    path: '/admin/users/bans',
    access: 'admin',
    summary: 'Bans, the newest first',
    query: z.object({
      limit: countUpTo(200, BANS_PER_PAGE),
      page,
      /** `appealed`: in force, with an appeal that waits for an answer. */
      status: z.optional(z.enum([...BAN_STATUSES, 'appealed'])),
    }),
    reply: z.object({ bans: z.array(banRow), has_more: z.boolean() }),
  }),
  findUsers: endpoint({
    method: 'GET',
    path: '/admin/users/find',
    access: 'admin',
    summary: 'Live accounts by id, or by the beginning of their address, user name or name; five at most',
    query: z.object({ search: line(USER_SEARCH_MAX) }),
    reply: z.object({ users: z.array(namedUser), has_more: z.boolean() }),
  }),
  ban: endpoint({
    method: 'POST',
    path: '/admin/users/ban',
    access: 'admin',
    summary: 'Ban a user: signed out, and no mail is sent or read; banning twice adds nothing',
    body: z.object({
      user_id: userId,
      reason: z.enum(BAN_REASONS, { error: 'Please choose a reason' }),
      /** The banned user reads it. */
      description: requiredText(BAN_DESCRIPTION_MAX, MISSING_DESCRIPTION),
      /** Null for a permanent ban. */
      ban_duration_days: z._default(
        z.nullable(
          z
            .number(WRONG_DAYS)
            .check(z.int(WRONG_DAYS), z.gte(1, WRONG_DAYS), z.lte(BAN_DAYS_MAX, WRONG_DAYS)),
        ),
        null,
      ),
    }),
    reply: banRow,
  }),
  unban: endpoint({
    method: 'POST',
    path: '/admin/users/unban',
    access: 'admin',
    summary: 'Lift the ban of a user; mail goes on where it was',
    body: z.object({ user_id: userId, reason: requiredText(UNBAN_REASON_MAX, MISSING_UNBAN_REASON) }),
    reply: banRow,
  }),
  answer: endpoint({
    method: 'POST',
    path: '/admin/users/bans/:id/answer',
    access: 'admin',
    summary: 'Answer the appeal against a ban, which lifts or keeps it; the user gets the answer by mail',
    params,
    body: z.object({
      decision: z.enum(APPEAL_DECISIONS, { error: 'Please choose whether the ban is lifted' }),
      answer: requiredText(APPEAL_ANSWER_MAX, MISSING_ANSWER),
    }),
    reply: banRow,
  }),
  appeal: endpoint({
    method: 'POST',
    path: '/appeals',
    access: 'public',
    summary: 'Appeal against a ban, with the token of a log-in that was refused because of it',
    body: z.object({
      appeal_token: text(200),
      message: requiredText(APPEAL_MAX, MISSING_APPEAL),
    }),
    reply: ok,
    limit: { max: 20, seconds: 3600 },
  }),
}
