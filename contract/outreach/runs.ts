import * as z from 'zod/mini'
import { briefFields, withoutGaps } from './briefs.ts'
import { audience, SELECTION_BODY_MAX } from '../crm/contacts.ts'
import { endpoint } from '../platform/endpoint.ts'
import { TEMPLATE_BODY_MAX } from './template-text/parse-template.ts'
import { templateGap } from './templates.ts'
import { id, instant, paging, requiredLine, requiredText } from '../platform/values.ts'

/** How long `generate-and-send` waits for the run before it answers with the current state. */
export const ANSWER_WITHIN_SECONDS = 25

export const batchResult = z.object({
  contact_id: z.number(),
  name: z.string(),
  email: z.string(),
  /** `pending` until it is sent; then one of the spec's three words, or `skipped`. */
  status: z.enum(['sent', 'error', 'warning', 'skipped', 'pending']),
  reason: z.nullable(z.string()),
  email_id: z.nullable(z.number()),
})

export const batch = z.object({
  batch_id: id,
  /** Whom an audience run writes to, in words ("To 42 contacts tagged fair"); null for a run over all contacts. */
  audience: z.nullable(z.string()),
  /** The name of the user's template that the run writes with, as it was when the run began; null: from "About you". */
  template: z.nullable(z.string()),
  state: z.enum(['running', 'paused', 'cancelled', 'done']),
  done: z.boolean(),
  started_at: instant,
  finished_at: z.nullable(instant),
  /** Estimated seconds until the run is over; null if unknown. */
  seconds_left: z.nullable(z.number()),
  /** Why nothing is being sent at the moment (a limit, a server that deferred mail), in a sentence. */
  waiting_for: z.nullable(z.string()),
  /**
   * Where the user's rules or its language model keep a run waiting: which of them, until when if that is known, and whose
   * account.
   */
  waits: z.nullable(
    z.object({
      kind: z.enum(['hours', 'warm_up', 'stopped', 'model']),
      until: z.nullable(instant),
      mailbox_id: z.number(),
    }),
  ),
  summary: z.object({
    total: z.number(),
    /** Every mail that was sent, including those with the fallback template. */
    sent: z.number(),
    errors: z.number(),
    skipped: z.number(),
    warnings: z.number(),
    pending: z.number(),
    /** Those of the pending that are still to be written. */
    unwritten: z.number(),
  }),
  results: z.array(batchResult),
  message: z.string(),
  skipped: z.number(),
  error: z.nullable(z.string()),
})
export type Batch = z.infer<typeof batch>

/** How a run that its account's ceilings have no room for today may go: over days, or all at once. */
const spread = z.object({
  /** Emails that the account has sent in the last 30 days. */
  sent_lately: z.number(),
  /** On how many days it would send. */
  days: z.number(),
  /** The address is new: so many emails at once would look like spam. */
  recommended: z.boolean(),
  /** What is proposed: the user's last choice for this account, or else what is recommended. */
  selected: z.boolean(),
})
export type Spread = z.infer<typeof spread>

const estimateReply = z.object({
  contacts: z.number(),
  to_send: z.number(),
  already_mailed: z.number(),
  declined: z.number(),
  suppressed: z.number(),
  invalid: z.number(),
  /** Contacts that the user has left out of the next run, which would get a mail otherwise. */
  left_out: z.number(),
  /** Mails whose words the user has changed. */
  edited: z.number(),
  /** Contacts that get no mail because the template would have a gap for them, which would get one otherwise. */
  with_gap: z.number(),
  /** The gaps, each with the first few of its contacts; `subject` or `text`: nothing would be left of it. */
  gaps: z.array(templateGap),
  /** The template that the run would be written from, and why it cannot be used; null: from "About you". */
  template: z.nullable(z.object({ name: z.string(), fault: z.nullable(z.string()) })),
  /** False while the user has not said what the mails are about. */
  has_brief: z.boolean(),
  uses_model: z.boolean(),
  model: z.nullable(z.string()),
  tokens: z.number(),
  /** While all are sent at once. */
  seconds: z.nullable(z.number()),
  /** Null: spreading it over days would change nothing. */
  spread: z.nullable(spread),
  configured: z.boolean(),
  practice: z.boolean(),
  /** A preview of the first mail; null if nobody gets one, or the language model is to write it. */
  example: z.nullable(z.object({ name: z.string(), subject: z.string(), text: z.string() })),
  /** False if the unsubscribe link points to the machine that Howl runs on, where nobody else can open it. */
  links_reach: z.boolean(),
})

/** Contacts of an audience that get no mail, for one reason; `names` are those of the first few. */
const skippedContacts = z.object({ reason: z.string(), contacts: z.number(), names: z.array(z.string()) })

/** One of the user's templates, to write from; without it the mails are written from "About you". */
const fromTemplate = { template_id: z.optional(z.nullable(id)) }

const toAudience = {
  mailbox_id: z.optional(z.nullable(id)),
  ...fromTemplate,
  /** Without it the run is over all contacts that were not mailed. */
  audience: z.optional(audience),
  /** Also to contacts of the audience that were mailed before, but not within the last week. */
  write_again: z.optional(z.boolean()),
}

const byId = z.object({ id })

/** Mails that can be seen before a run. */
export const PREVIEWS_MAX = 5
export const PREVIEW_SUBJECT_MAX = 200
/** Of a template too. */
export const PREVIEW_BODY_MAX = TEMPLATE_BODY_MAX

/** A mail as it will leave. */
export const preview = z.object({
  contact_id: z.number(),
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  /** The words that can be changed. */
  body: z.string(),
  /** All that the reader gets, with the line about unsubscribing. */
  text: z.string(),
  /** The user has changed its words. */
  edited: z.boolean(),
  /** The contact is skipped by the next run. */
  left_out: z.boolean(),
  /** Kept as the user wrote it, although "About you", the template or the contact has changed since. */
  outdated: z.boolean(),
  /** Why it is the template; null for words of the language model, or the user's own. */
  fallback: z.nullable(z.string()),
})
export type Preview = z.infer<typeof preview>

const changedSubject = requiredLine(PREVIEW_SUBJECT_MAX, 'Please enter a subject').check(withoutGaps)
const changedBody = requiredText(PREVIEW_BODY_MAX, 'Please write a text').check(withoutGaps)

const hold = (act: string, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/emails/batches/:id/${act}`,
    summary,
    params: byId,
    reply: batch,
  })

export const outreach = {
  generateAndSend: endpoint({
    method: 'POST',
    path: '/emails/generate-and-send',
    summary:
      'Write and send a personal mail to every contact, or to an audience, from “About you” or one of the user’s templates; with neither it joins a run that is under way',
    bodyMax: SELECTION_BODY_MAX,
    body: z.optional(
      z.object({
        ...toAudience,
        /** How many contacts the audience had when the user looked; if that has changed, nothing is done. */
        expected: z.optional(z.number().check(z.int(), z.gte(0))),
        /** Over several days (true) or all at once (false), kept for the account; without it all at once. */
        spread: z.optional(z.boolean()),
      }),
    ),
    reply: batch,
  }),
  estimate: endpoint({
    method: 'GET',
    path: '/emails/generate-and-send/estimate',
    summary: 'What a run would do: how many mails, with which text, how long, at what cost',
    query: z.object({ mailbox_id: z.optional(id), template_id: z.optional(id) }),
    reply: estimateReply,
  }),
  estimateAudience: endpoint({
    method: 'POST',
    path: '/emails/generate-and-send/estimate',
    summary: 'What a run to an audience would do, and who of it gets no mail, with the reasons',
    bodyMax: SELECTION_BODY_MAX,
    body: z.object({ ...toAudience, audience }),
    reply: z.object({
      ...estimateReply.shape,
      /** The audience in words, as the run will be called. */
      name: z.string(),
      skipped: z.array(skippedContacts),
    }),
  }),
  example: endpoint({
    method: 'POST',
    path: '/emails/generate-and-send/example',
    summary: 'How a first mail would sound with these words, from the template; nothing is saved',
    body: briefFields,
    reply: z.object({ name: z.string(), subject: z.string(), text: z.string() }),
  }),
  previews: endpoint({
    method: 'POST',
    path: '/emails/generate-and-send/previews',
    summary: 'The first mails of the next run, as they will leave; written once and kept for a day',
    bodyMax: SELECTION_BODY_MAX,
    body: z.optional(z.object(toAudience)),
    reply: z.array(preview),
  }),
  changePreview: endpoint({
    method: 'PATCH',
    path: '/emails/generate-and-send/previews/:id',
    summary: 'Change the words of the mail to a contact, or leave the contact out of the next run',
    params: byId,
    body: z
      .object({
        subject: z.optional(changedSubject),
        body: z.optional(changedBody),
        left_out: z.optional(z.boolean()),
        ...fromTemplate,
      })
      .check(
        z.refine(
          ({ template_id: _, ...change }) => Object.values(change).some((value) => value !== undefined),
          'Please say what to change',
        ),
      ),
    reply: preview,
  }),
  discardPreview: endpoint({
    method: 'DELETE',
    path: '/emails/generate-and-send/previews/:id',
    summary: 'Forget the mail to a contact with its changes: it is written anew',
    params: byId,
    query: z.object({ template_id: z.optional(id) }),
    reply: z.object({ ok: z.boolean() }),
  }),
  testPreview: endpoint({
    method: 'POST',
    path: '/emails/generate-and-send/previews/:id/test',
    summary: 'Send the mail to a contact to the user’s own address instead',
    params: byId,
    body: z.optional(z.object({ mailbox_id: z.optional(z.nullable(id)), ...fromTemplate })),
    reply: z.object({ to: z.string() }),
  }),
  current: endpoint({
    method: 'GET',
    path: '/emails/batches/current',
    summary: 'The newest run, or null',
    reply: z.nullable(batch),
  }),
  get: endpoint({
    method: 'GET',
    path: '/emails/batches/:id',
    summary: 'How a run stands, with a page of its results',
    params: byId,
    query: z.object(paging),
    reply: batch,
  }),
  pause: hold('pause', 'Hold a run'),
  resume: hold('resume', 'Go on with a paused run'),
  cancel: hold('cancel', 'Stop a run for good; what has left has left'),
  withoutModel: hold(
    'without-model',
    'Write the rest of a run from the template, whatever its language model does',
  ),
}
