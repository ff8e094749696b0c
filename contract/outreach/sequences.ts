import * as z from 'zod/mini'
import { SAME_HOUR } from './automatic-mail.ts'
import { contactSelection, contactStatus, SELECTION_BODY_MAX } from '../crm/contacts.ts'
import { INTENTS, SUBJECT_MAX } from '../mail/email.ts'
import { endpoint } from '../platform/endpoint.ts'
import { tagName } from '../crm/tags.ts'
import { atMost, id, instant, paging, requiredLine, text } from '../platform/values.ts'

export const SEQUENCE_NAME_MAX = 100
/** How many sequences a user may keep, ended ones included. */
export const SEQUENCES_MAX = 200
export const STEPS_MAX = 30
export const STARTS_MAX = 5
export const STEP_BODY_MAX = 20_000
/** JSON of a sequence in bytes: all its steps with the longest mails. */
const SEQUENCE_BODY_MAX = 2_600_000
export const WAIT_MAX = 365
/** Contacts that one call may put into a sequence. */
export const ENROL_MAX = 100_000
/** Members that one call may act on. */
export const ACT_MAX = 1000
/** A sequence that starts another that starts another …: this far, then it is cut. */
export const CHAIN_MAX = 5

export const SEQUENCE_STATES = ['draft', 'running', 'paused', 'ended'] as const
export type SequenceState = (typeof SEQUENCE_STATES)[number]
/** `active`: under way; `done`: came to the end; `stopped`: left before it. */
export const MEMBER_STATES = ['active', 'paused', 'done', 'stopped'] as const
export type MemberState = (typeof MEMBER_STATES)[number]
/** Why somebody left before the end. */
export const STOP_REASONS = [
  'replied',
  'bounced',
  'unsubscribed',
  'declined',
  'suppressed',
  'meeting',
  'paid',
  'deleted',
  'taken_out',
  'sequence_ended',
  'chain',
  'unusable',
] as const
export type StopReason = (typeof STOP_REASONS)[number]

/** Where it goes on: the step below, the end, or the id of a later step. */
const target = z.union([z.enum(['next', 'end']), z.number().check(z.int(), z.gte(1))])
export type StepTarget = z.infer<typeof target>

/** Steps are numbered by the caller, once for good: an edited step keeps its id. */
const stepId = z.number().check(z.int(), z.gte(1), z.lte(1_000_000))
const WAIT = `Please enter a whole number from 1 to ${WAIT_MAX}`
const TASK_DAYS = `Please enter a whole number of days from 0 to ${WAIT_MAX}`
const intent = z.enum(INTENTS)

const mailStep = z.object({
  id: stepId,
  kind: z.literal('mail'),
  /** The user's template; null: subject and body of its own. */
  template_id: z.nullable(z.number().check(z.int(), z.gte(1))),
  /** In the template language; '' if a template is chosen. May be '' in the same conversation too. */
  subject: text(SUBJECT_MAX),
  body: text(STEP_BODY_MAX),
  /** As an answer to the mail before it: “Re: …”; of no effect in the first mail. */
  same_conversation: z.boolean(),
})
const waitStep = z.object({
  id: stepId,
  kind: z.literal('wait'),
  amount: z.number(WAIT).check(z.int(WAIT), z.gte(1, WAIT), z.lte(WAIT_MAX, WAIT)),
  unit: z.enum(['hours', 'days', 'working_days']),
})
const taskStep = z.object({
  id: stepId,
  kind: z.literal('task'),
  /** In the template language. */
  title: requiredLine(200, 'Please enter what is to be done'),
  due_in_days: z.number(TASK_DAYS).check(z.int(TASK_DAYS), z.gte(0, TASK_DAYS), z.lte(WAIT_MAX, TASK_DAYS)),
})
const tagStep = z.object({
  id: stepId,
  kind: z.literal('tag'),
  act: z.enum(['add', 'remove']),
  tag: tagName,
})
const conditionStep = z.object({
  id: stepId,
  kind: z.literal('condition'),
  if: z.discriminatedUnion('about', [
    z.object({ about: z.literal('replied') }),
    /** Of the newest reply since the sequence began for them. */
    z.object({ about: z.literal('intent'), intent }),
    z.object({ about: z.literal('status'), status: contactStatus }),
    z.object({ about: z.literal('tag'), tag: tagName }),
  ]),
  met: target,
  otherwise: target,
})

export const sequenceStep = z.discriminatedUnion('kind', [
  mailStep,
  waitStep,
  taskStep,
  tagStep,
  conditionStep,
])
export type SequenceStep = z.infer<typeof sequenceStep>
export type SequenceCondition = z.infer<typeof conditionStep>['if']

/** What puts a contact into a running sequence by itself. By hand is always possible. */
const start = z.discriminatedUnion('on', [
  z.object({ on: z.literal('contact') }),
  z.object({ on: z.literal('tag'), tag: tagName }),
  z.object({ on: z.literal('status'), status: contactStatus }),
  z.object({ on: z.literal('intent'), intent }),
])
export type SequenceStart = z.infer<typeof start>

const HOUR = 'Please choose an hour of the day'
const DAYS = 'Please choose at least one day of the week'
const hour = (least: number, most: number) =>
  z.number(HOUR).check(z.int(HOUR), z.gte(least, HOUR), z.lte(most, HOUR))
const days = z
  .array(z.number().check(z.int(), z.gte(1), z.lte(7)))
  .check(z.minLength(1, DAYS), atMost(7, DAYS))

/** When its mails may leave. The user's own sending hours hold as well. */
const hours = z
  .object({
    /** The days on which the hours begin, 1 Monday to 7 Sunday. */
    days,
    from_hour: hour(0, 23),
    /** Before `from_hour`: of the next day. */
    until_hour: hour(1, 24),
    /** Whose wall clock is meant. The reader's zone is that of their phone number or address; where neither tells, it is the user's. */
    zone: z._default(z.enum(['user', 'reader']), 'user'),
  })
  .check(z.refine((each) => each.from_hour !== each.until_hour, SAME_HOUR))

/** Bounces, unsubscribing and deletion always stop it. */
const stops = z.object({ reply: z.boolean(), meeting: z.boolean(), payment: z.boolean() })

const AGAIN = 'Please enter a whole number of days from 1 to 3650'
const fields = {
  name: requiredLine(SEQUENCE_NAME_MAX, 'Please enter a name'),
  steps: z.array(sequenceStep).check(atMost(STEPS_MAX, `A sequence can have up to ${STEPS_MAX} steps`)),
  starts: z.array(start).check(atMost(STARTS_MAX, `A sequence can begin in up to ${STARTS_MAX} ways`)),
  hours,
  stops,
  /** A contact may go through it again so many days after it began; null: once. */
  again_after_days: z.nullable(z.number(AGAIN).check(z.int(AGAIN), z.gte(1, AGAIN), z.lte(3650, AGAIN))),
  /** The account that sends; null: the default one. */
  mailbox_id: z.nullable(id),
}

const fieldsObject = z.object(fields)

/** What a new sequence begins with where nothing is said. */
export const SEQUENCE_DEFAULTS = {
  steps: [],
  starts: [],
  hours: { days: [1, 2, 3, 4, 5], from_hour: 9, until_hour: 17, zone: 'user' },
  stops: { reply: true, meeting: true, payment: true },
  again_after_days: null,
  mailbox_id: null,
} satisfies Omit<z.infer<typeof fieldsObject>, 'name'>

const counts = z.object({ active: z.number(), paused: z.number(), done: z.number(), stopped: z.number() })
const status = {
  members: counts,
  /** When the next step of a member is due; null if nothing is, or all mail is paused. */
  next_at: z.nullable(instant),
  /** Mails that have left, and members that replied. */
  sent: z.number(),
  replied: z.number(),
  created_at: instant,
  updated_at: instant,
  started_at: z.nullable(instant),
  ended_at: z.nullable(instant),
}

export const sequence = z.object({
  id,
  state: z.enum(SEQUENCE_STATES),
  /** Counts up whenever the steps are changed. */
  version: z.number(),
  ...fields,
  ...status,
})
export type Sequence = z.infer<typeof sequence>

export const sequenceSummary = z.object({
  id,
  name: z.string(),
  state: z.enum(SEQUENCE_STATES),
  /** How many steps it has, and how many of them are mails. */
  steps: z.number(),
  mails: z.number(),
  /** Names of tags that put contacts into it, that its steps check, and that they add. */
  tags: z.object({ starts: z.array(z.string()), asks: z.array(z.string()), adds: z.array(z.string()) }),
  /** The templates that its emails are written from. */
  template_ids: z.array(z.number()),
  /** The account that sends; null: the default one. */
  mailbox_id: z.nullable(z.number()),
  ...status,
})
export type SequenceSummary = z.infer<typeof sequenceSummary>

const member = z.object({
  id,
  /** Null once the contact was deleted. */
  contact_id: z.nullable(z.number()),
  name: z.string(),
  email: z.string(),
  state: z.enum(MEMBER_STATES),
  /** The step that is next; null at the end. */
  step: z.nullable(z.number()),
  /** The version of the steps that this member goes through. */
  version: z.number(),
  /** When the next step is due; null if it is not under way, or nobody knows. */
  next_at: z.nullable(instant),
  /** Why it waits longer than its steps say, or why it stopped, in a sentence. */
  why: z.nullable(z.string()),
  reason: z.nullable(z.enum(STOP_REASONS)),
  /** How it came in. */
  started_by: z.enum(['hand', 'contact', 'tag', 'status', 'intent']),
  started_at: instant,
  ended_at: z.nullable(instant),
})
export type SequenceMember = z.infer<typeof member>

/** What is asked about before a contact is enrolled: they have replied, have an upcoming meeting or an unpaid invoice. */
export const ENROL_WARNINGS = ['replied', 'meeting', 'invoice'] as const
/** Contacts with a warning, each under the first one that applies, and some of their names. */
const enrolWarning = z.object({
  reason: z.enum(ENROL_WARNINGS),
  contacts: z.number(),
  names: z.array(z.string()),
})
export type EnrolWarning = z.infer<typeof enrolWarning>
/** What to do about contacts with a warning: `ask` enrols nobody if there are any, `add` enrols them, `skip` only the others. */
const onWarning = z.enum(['ask', 'add', 'skip'])
export type OnWarning = z.infer<typeof onWarning>
/** Why a chosen contact was not put in. */
export const SKIP_REASONS = [
  'already_in',
  'was_in',
  'declined',
  'suppressed',
  'invalid',
  ...ENROL_WARNINGS,
] as const
/** How many names a warning gives at most. */
export const WARNING_NAMES_MAX = 3

const figures = z.object({
  sent: z.number(),
  replied: z.number(),
  /** Replies that are interested or ask for a meeting. */
  positive: z.number(),
  bounced: z.number(),
  unsubscribed: z.number(),
})
export type SequenceFigures = z.infer<typeof figures>

const problem = z.object({
  /** `stop`: it cannot start; `advice`: it can. */
  kind: z.enum(['stop', 'advice']),
  /** The step that it is about; null: the whole sequence. */
  step: z.nullable(z.number()),
  message: z.string(),
  /** Contacts concerned, and the names of the first few. */
  contacts: z.number(),
  names: z.array(z.string()),
})
export type SequenceProblem = z.infer<typeof problem>

const byId = z.object({ id })
const NO_ENROLMENT = 'This is not a valid enrolment'
const enrolment = z.string().check(atMost(36, NO_ENROLMENT), z.uuid(NO_ENROLMENT))

const hold = (act: string, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/sequences/:id/${act}`,
    summary,
    params: byId,
    reply: sequence,
  })

export const sequences = {
  list: endpoint({
    method: 'GET',
    path: '/sequences/',
    summary: 'Sequences, those under way first, then the newest',
    query: z.object({ state: z.optional(z.enum(SEQUENCE_STATES)), ...paging }),
    reply: z.array(sequenceSummary),
  }),
  add: endpoint({
    method: 'POST',
    path: '/sequences/',
    summary: 'Add a sequence as a draft; what is absent is as usual',
    bodyMax: SEQUENCE_BODY_MAX,
    body: z.object({ ...z.partial(fieldsObject).shape, name: fields.name }),
    reply: sequence,
  }),
  get: endpoint({
    method: 'GET',
    path: '/sequences/:id',
    summary: 'One sequence with its steps',
    params: byId,
    reply: sequence,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/sequences/:id',
    summary: 'Change a sequence; an absent field is kept',
    params: byId,
    bodyMax: SEQUENCE_BODY_MAX,
    body: z.object({
      ...z.partial(fieldsObject).shape,
      /** What becomes of members under way when the steps change: they finish with the `old` ones (so if absent), or go on with the `new`. */
      under_way: z.optional(z.enum(['old', 'new'])),
      /** The version that the change was made to; if there is a newer one, nothing is changed. */
      version: z.optional(z.number()),
    }),
    reply: sequence,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/sequences/:id',
    summary: 'Delete a draft, or a sequence that has ended',
    params: byId,
    reply: z.object({ ok: z.boolean() }),
  }),
  check: endpoint({
    method: 'POST',
    path: '/sequences/:id/check',
    summary: 'What hinders its start, and what could be better',
    params: byId,
    bodyMax: SELECTION_BODY_MAX,
    body: z.object(contactSelection),
    /** `ready`: nothing hinders its start. */
    reply: z.object({ ready: z.boolean(), problems: z.array(problem) }),
  }),
  forecast: endpoint({
    method: 'POST',
    path: '/sequences/:id/forecast',
    summary:
      'How many mails leave on which day if nobody replies: to those under way, and to so many who begin now',
    params: byId,
    body: z.object({
      /**
       * Contacts that begin now. Absent: nobody, or all that wait in it where it has not started. They are all of a sequence
       * that has not started, and come to those under way of any other.
       */
      members: z.optional(z.number().check(z.int(), z.gte(0), z.lte(ENROL_MAX))),
    }),
    reply: z.object({
      /** Only days with mails, in order, as YYYY-MM-DD in the user's zone. */
      days: z.array(z.object({ day: z.string(), mails: z.number() })),
      mails: z.number(),
      /** Mails of the user's other running sequences through the same account until then: they share its pace. */
      others: z.number(),
      first_at: z.nullable(instant),
      last_at: z.nullable(instant),
      /** What makes it longer than the steps alone; null: nothing. */
      limited_by: z.nullable(z.enum(['warm_up', 'pace'])),
      /** False if it takes longer than can be foreseen: then `days` ends early. */
      complete: z.boolean(),
    }),
  }),
  start: hold('start', 'Start a draft, or go on with a paused sequence'),
  pause: hold('pause', 'Hold a sequence; mail that has not left waits'),
  end: hold('end', 'End a sequence for good; mail that has not left is taken back'),
  figures: endpoint({
    method: 'GET',
    path: '/sequences/:id/figures',
    summary: 'What became of the mails of each step',
    params: byId,
    reply: z.object({
      /** Steps of all versions that have sent mail or have members. */
      steps: z.array(
        z.object({
          step: z.number(),
          /** Members whose next step it is, without those of `with_gap`. */
          waiting: z.number(),
          /** Members whose next step it is and whose mail would have a gap: they wait until that is filled in. */
          with_gap: z.number(),
          ...figures.shape,
        }),
      ),
      total: figures,
    }),
  }),
  members: endpoint({
    method: 'GET',
    path: '/sequences/:id/members',
    summary: 'Its members, those whose step is due first in front',
    params: byId,
    query: z.object({
      state: z.optional(z.enum(MEMBER_STATES)),
      /** Only those whose next step it is. */
      step: z.optional(z.coerce.number().check(z.int(), z.gte(1))),
      search: z.optional(text(200)),
      ...paging,
    }),
    reply: z.array(member),
  }),
  enrol: endpoint({
    method: 'POST',
    path: '/sequences/:id/members',
    summary: 'Put contacts into a sequence; in a draft or a paused one they wait for its start',
    params: byId,
    bodyMax: SELECTION_BODY_MAX,
    body: z.object({
      ...contactSelection,
      /** `add` if it is missing. */
      on_warning: z.optional(onWarning),
    }),
    reply: z.object({
      /** Filled if `on_warning` is `ask` and there are any; then nobody was enrolled. */
      warnings: z.array(enrolWarning),
      /** With warnings: how many contacts have none and would be enrolled. */
      others: z.number(),
      /** Names those whom this call has put in, to take them out again; null: nobody was. */
      enrolment: z.nullable(z.string()),
      enrolled: z.number(),
      skipped: z.number(),
      reasons: z.array(z.object({ reason: z.enum(SKIP_REASONS), contacts: z.number() })),
    }),
  }),
  undoEnrol: endpoint({
    method: 'POST',
    path: '/sequences/:id/members/undo',
    summary: 'Take those out again whom one call has put in; their mail that has not left is taken back',
    params: byId,
    body: z.object({ enrolment }),
    /** `mails_left`: mails to them that could not be taken back any more. */
    reply: z.object({ taken_out: z.number(), mails_left: z.number() }),
  }),
  act: endpoint({
    method: 'POST',
    path: '/sequences/:id/members/act',
    summary: 'Pause members, let them go on, move them to the next step, take them out, or undo that',
    params: byId,
    body: z.object({
      ids: z.array(id).check(z.minLength(1), atMost(ACT_MAX, `Please choose up to ${ACT_MAX} at once`)),
      act: z.enum(['pause', 'go_on', 'next', 'take_out', 'undo_take_out']),
    }),
    reply: z.object({ changed: z.number(), unchanged: z.number() }),
  }),
  ofContact: endpoint({
    method: 'GET',
    path: '/contacts/:id/sequences',
    summary: 'The sequences that a contact is or was in, the newest first',
    params: byId,
    reply: z.array(
      z.object({
        sequence_id: z.number(),
        sequence: z.string(),
        sequence_state: z.enum(SEQUENCE_STATES),
        /** What the next step does, in words; null if there is none. */
        next: z.nullable(z.string()),
        member,
      }),
    ),
  }),
}
