import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, instant, paging } from './values.ts'

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
  state: z.enum(['running', 'paused', 'cancelled', 'done']),
  done: z.boolean(),
  started_at: instant,
  finished_at: z.nullable(instant),
  /** Estimated seconds until the run is over; null if unknown. */
  seconds_left: z.nullable(z.number()),
  /** Why nothing is being sent at the moment (a limit, a server that deferred mail), in a sentence. */
  waiting_for: z.nullable(z.string()),
  summary: z.object({
    total: z.number(),
    /** Every mail that was sent, including those with the fallback template. */
    sent: z.number(),
    errors: z.number(),
    skipped: z.number(),
    warnings: z.number(),
    pending: z.number(),
  }),
  results: z.array(batchResult),
  message: z.string(),
  skipped: z.number(),
  error: z.nullable(z.string()),
})
export type Batch = z.infer<typeof batch>

const byId = z.object({ id })

export const outreach = {
  generateAndSend: endpoint({
    method: 'POST',
    path: '/emails/generate-and-send',
    access: 'user',
    summary: 'Write and send a personal mail to every contact; joins a run that is under way',
    body: z.optional(z.object({ mailbox_id: z.optional(z.nullable(id)) })),
    reply: batch,
    errors: ['INVALID_INPUT', 'SMTP_NOT_CONFIGURED', 'CONFLICT', 'TOO_MANY_REQUESTS'],
  }),
  estimate: endpoint({
    method: 'GET',
    path: '/emails/generate-and-send/estimate',
    access: 'user',
    summary: 'What a run would do: how many mails, with which text, how long, at what cost',
    query: z.object({ mailbox_id: z.optional(id) }),
    reply: z.object({
      contacts: z.number(),
      to_send: z.number(),
      already_mailed: z.number(),
      suppressed: z.number(),
      invalid: z.number(),
      uses_model: z.boolean(),
      model: z.nullable(z.string()),
      tokens: z.number(),
      seconds: z.nullable(z.number()),
      configured: z.boolean(),
      practice: z.boolean(),
      /** A preview of the first mail; null if nobody gets one, or the language model is to write it. */
      example: z.nullable(z.object({ name: z.string(), subject: z.string(), text: z.string() })),
      /** False if the unsubscribe link points to the machine that Howl runs on, where nobody else can open it. */
      links_reach: z.boolean(),
    }),
    errors: ['INVALID_INPUT', 'CONFLICT'],
  }),
  current: endpoint({
    method: 'GET',
    path: '/emails/batches/current',
    access: 'user',
    summary: 'The newest run, or null',
    reply: z.nullable(batch),
  }),
  get: endpoint({
    method: 'GET',
    path: '/emails/batches/:id',
    access: 'user',
    summary: 'How a run stands, with a page of its results',
    params: byId,
    query: z.object(paging),
    reply: batch,
    errors: ['NOT_FOUND'],
  }),
  pause: endpoint({
    method: 'POST',
    path: '/emails/batches/:id/pause',
    access: 'user',
    summary: 'Hold a run',
    params: byId,
    reply: batch,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  resume: endpoint({
    method: 'POST',
    path: '/emails/batches/:id/resume',
    access: 'user',
    summary: 'Go on with a paused run',
    params: byId,
    reply: batch,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/emails/batches/:id/cancel',
    access: 'user',
    summary: 'Stop a run for good; what has left has left',
    params: byId,
    reply: batch,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
}
