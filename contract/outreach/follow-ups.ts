import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { SUPPRESSION_REASONS } from '../crm/suppressions.ts'
import { id, instant, paging } from '../platform/values.ts'

/** Why a contact gets no automatic follow-up. */
export const LEFT_OUT_REASONS = [
  'never_mailed',
  'replied',
  'meeting',
  ...SUPPRESSION_REASONS,
  'never',
  'sequence',
  'done',
  'too_old',
  'on_its_way',
  'other_mail',
  'account',
] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]
const reason = z.enum(LEFT_OUT_REASONS)

const overview = z.object({
  /** The switch of the profile. */
  enabled: z.boolean(),
  /** The time zone of the user's days. */
  time_zone: z.string(),
  daily_hour: z.number(),
  max_days: z.number(),
  /** When they run next; null while they are off or `stopped`. */
  next_run_at: z.nullable(instant),
  /** Why nothing goes although they are on; a sentence. */
  stopped: z.nullable(z.string()),
})
export type FollowUpOverview = z.infer<typeof overview>

const counts = z.object({
  /** Contacts who get one, as things stood when they were counted. */
  upcoming: z.number(),
  left_out: z.array(z.object({ reason, contacts: z.number() })),
  /** When that was. The counts of very many contacts are kept for half a minute. */
  counted_at: instant,
})
export type FollowUpCounts = z.infer<typeof counts>

const upcoming = z.object({
  contact_id: z.number(),
  name: z.string(),
  email: z.string(),
  /** Which one it is: 1 to 3. */
  number: z.number(),
  /** When it leaves; null while nobody knows. */
  at: z.nullable(instant),
  /** What it waits for then, in words. */
  waits: z.nullable(z.string()),
  /** The mail that was not answered. */
  subject: z.string(),
  last_mail_at: instant,
  /** The user has skipped one: this is the one after it. */
  skipped: z.boolean(),
})
export type UpcomingFollowUp = z.infer<typeof upcoming>

const leftOut = z.object({
  contact_id: z.number(),
  name: z.string(),
  email: z.string(),
})
export type LeftOutContact = z.infer<typeof leftOut>

const day = z.object({
  /** `YYYY-MM-DD` in the user's time zone. */
  day: z.string(),
  started_at: instant,
  /** Whether more of its mails may still leave. */
  done: z.boolean(),
  sent: z.number(),
  waiting: z.number(),
  failed: z.number(),
  /** Contacts who were due and left out that day, by the sentence that says why. */
  skipped: z.array(z.object({ reason: z.string(), contacts: z.number() })),
})
export type FollowUpDay = z.infer<typeof day>

/** What automatic follow-ups do, and what the user decides for single contacts. */
export const followUps = {
  get: endpoint({
    method: 'GET',
    path: '/follow-ups',
    summary: 'Whether follow-ups are on, and when they run next',
    reply: overview,
  }),
  counts: endpoint({
    method: 'GET',
    path: '/follow-ups/counts',
    summary: 'How many contacts get a follow-up, and how many do not and why',
    reply: counts,
  }),
  upcoming: endpoint({
    method: 'GET',
    path: '/follow-ups/upcoming',
    summary: 'Who gets a follow-up and when, the next first',
    query: z.object({ ...paging }),
    reply: z.array(upcoming),
  }),
  leftOut: endpoint({
    method: 'GET',
    path: '/follow-ups/left-out',
    summary: 'Contacts who get no follow-up for one reason',
    query: z.object({ reason, ...paging }),
    reply: z.array(leftOut),
  }),
  days: endpoint({
    method: 'GET',
    path: '/follow-ups/days',
    summary: 'The days on which follow-ups ran, the newest first',
    query: z.object({ ...paging }),
    reply: z.array(day),
  }),
  choose: endpoint({
    method: 'PUT',
    path: '/follow-ups/contacts/:id',
    summary:
      'For one contact: skip the next follow-up, never follow up, or as usual; one that has not left is taken back',
    params: z.object({ id }),
    body: z.object({ choice: z.enum(['skip', 'never', 'usual']) }),
    reply: overview,
  }),
}
