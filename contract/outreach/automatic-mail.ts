import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, id, instant } from '../platform/values.ts'

/** What keeps an automatic mail from leaving: for everybody, or for this contact only (the last two). */
const REFUSED_KINDS = ['paused', 'stopped', 'hours', 'warm_up', 'suppressed', 'once_a_day'] as const
export type RefusedKind = (typeof REFUSED_KINDS)[number]

/** The hours that are proposed: Monday to Friday, 8 to 18. */
export const WORKING_HOURS = { days: [1, 2, 3, 4, 5], from_hour: 8, until_hour: 18 }

/** What two equal hours are answered with. */
export const SAME_HOUR = 'Choose an end that is not the beginning. For the whole day, choose 00:00 to 24:00'

const hours = {
  /** Days of the week on which the hours begin, 1 Monday to 7 Sunday. */
  days: z.array(z.int().check(z.gte(1), z.lte(7))).check(
    z.minLength(1, 'Choose at least one day'),
    atMost(7),
    z.refine((days) => new Set(days).size === days.length, 'Each day only once'),
  ),
  from_hour: z.int().check(z.gte(0), z.lte(23)),
  /** Before `from_hour`: of the next day. */
  until_hour: z.int().check(z.gte(1), z.lte(24)),
}

/** When automatic mail may leave, in the user's zone; not limited: at any time, and the hours are a proposal. */
export const sendingHours = z.object({ limited: z.boolean(), ...hours, time_zone: z.string() })
export type SendingHours = z.infer<typeof sendingHours>

/** What became of an account's automatic mails when it had to stand still. */
const figures = z.object({
  since: instant,
  mails: z.number(),
  bounces: z.number(),
  complaints: z.number(),
  /** The same in a sentence. */
  reason: z.string(),
})

/** How one of the user's accounts stands with automatic mail. */
export const automaticMailAccount = z.object({
  id: z.number(),
  address: z.string(),
  /** It sends where no other is named. */
  default: z.boolean(),
  /** The account is treated as new: it sends few automatic mails a day, and more each day. */
  warm_up: z.boolean(),
  /** How many automatic mails it may send today; null: any number. */
  ceiling: z.nullable(z.number()),
  /** Automatic mails of today, those that wait to leave included. */
  sent_today: z.number(),
  stopped: z.nullable(figures),
})
export type AutomaticMailAccount = z.infer<typeof automaticMailAccount>

/** Why somebody gets no automatic mail now. */
export const AUTOMATIC_MAIL_REASONS = [...REFUSED_KINDS, 'replied', 'bounced', 'no_account'] as const

/** What is known of automatic mail to one contact, in sentences. */
export const contactAutomaticMail = z.object({
  /** The last automatic mail; null: there was none, or it is too long ago to be known. */
  last: z.nullable(z.object({ sentence: z.string(), at: instant, email_id: z.nullable(z.number()) })),
  /** Why there is none now, the weightiest first; empty: nothing is in the way. `until`: when it may go. */
  why_none: z.array(
    z.object({
      kind: z.enum(AUTOMATIC_MAIL_REASONS),
      sentence: z.string(),
      until: z.nullable(instant),
    }),
  ),
  /** What is planned next; null: nothing is. `at` is null where the time is not known. */
  next: z.nullable(z.object({ sentence: z.string(), at: z.nullable(instant) })),
})
export type ContactAutomaticMail = z.infer<typeof contactAutomaticMail>

/** What Howl sends automatically. Payment reminders are not outreach: unsubscribing and one email a day do not apply to them. */
export const UPCOMING_SOURCES = ['run', 'follow_up', 'sequence', 'payment_reminder'] as const
export type UpcomingSource = (typeof UPCOMING_SOURCES)[number]

/** At most this many entries are returned. */
export const UPCOMING_MAX = 200

const upcomingMail = z.object({
  /** Unique in the list. */
  id: z.string(),
  source: z.enum(UPCOMING_SOURCES),
  /** The sequence or the invoice that it belongs to; null of runs and follow-ups. */
  of: z.nullable(z.number()),
  /** Null where there is no contact, or there are several. */
  contact_id: z.nullable(z.number()),
  name: z.string(),
  email: z.string(),
  /** What happens, in a sentence. */
  sentence: z.string(),
  /** When; null: as soon as it can, or, if it waits, nobody knows. */
  at: z.nullable(instant),
  /** What it waits for while nobody knows until when, in words. */
  waits: z.nullable(z.string()),
})
export type UpcomingMail = z.infer<typeof upcomingMail>

const byId = z.object({ id })

export const automaticMail = {
  hours: endpoint({
    method: 'GET',
    path: '/automatic-mail/hours',
    summary: 'When automatic mail may leave',
    reply: sendingHours,
  }),
  saveHours: endpoint({
    method: 'PUT',
    path: '/automatic-mail/hours',
    summary: 'Choose when automatic mail may leave',
    body: z.object({ limited: z.boolean(), ...hours }).check(
      z.refine(({ from_hour: from, until_hour: until }) => until !== from, {
        message: SAME_HOUR,
        path: ['until_hour'],
      }),
    ),
    reply: sendingHours,
  }),
  accounts: endpoint({
    method: 'GET',
    path: '/automatic-mail/accounts',
    summary: 'How many automatic mails each connected account may send today, and which stand still',
    reply: z.array(automaticMailAccount),
  }),
  saveAccount: endpoint({
    method: 'PUT',
    path: '/automatic-mail/accounts/:id',
    summary: 'Choose whether an account begins with few automatic mails a day',
    params: byId,
    body: z.object({ warm_up: z.boolean() }),
    reply: automaticMailAccount,
  }),
  goOn: endpoint({
    method: 'POST',
    path: '/automatic-mail/accounts/:id/go-on',
    summary: 'Let the automatic mail of an account that stands still go on; its figures are counted anew',
    params: byId,
    reply: automaticMailAccount,
  }),
  upcoming: endpoint({
    method: 'GET',
    path: '/automatic-mail/upcoming',
    summary: 'What Howl does next automatically, the next first; a run is one entry',
    reply: z.array(upcomingMail),
  }),
  ofContact: endpoint({
    method: 'GET',
    path: '/contacts/:id/automatic-mail',
    summary: 'The last automatic mail to a contact, why there is none now, and what is next',
    params: byId,
    reply: contactAutomaticMail,
  }),
}
