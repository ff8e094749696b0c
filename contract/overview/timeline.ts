import * as z from 'zod/mini'
import { delivery, FOLDERS } from '../mail/email.ts'
import { endpoint } from '../platform/endpoint.ts'
import { KINDS } from '../invoicing/invoice-kinds.ts'
import { INVOICE_STATUSES } from '../invoicing/saved-invoices.ts'
import { countUpTo, id, instant, text } from '../platform/values.ts'

/** Entries of one page of a timeline. */
const TIMELINE_PAGE = 30
const TIMELINE_PAGE_MAX = 100

/**
 * What happened, or will happen, between the user and a contact. Meetings are placed at their start, tasks at their
 * creation.
 */
export const timelineEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('email'),
    id: z.number(),
    at: instant,
    direction: z.enum(['in', 'out']),
    subject: z.string(),
    /** The beginning of its text. */
    content: z.string(),
    folder: z.enum(FOLDERS),
    delivery: z.nullable(delivery),
    is_read: z.boolean(),
    has_files: z.boolean(),
  }),
  z.object({
    kind: z.literal('meeting'),
    id: z.number(),
    at: instant,
    end_time: instant,
    title: z.string(),
    type: z.enum(['in-person', 'video', 'phone']),
    status: z.enum(['scheduled', 'completed', 'cancelled']),
    location: z.string(),
  }),
  z.object({
    kind: z.literal('todo'),
    id: z.number(),
    at: instant,
    title: z.string(),
    due_date: z.nullable(z.string()),
    priority: z.enum(['high', 'medium', 'low']),
    completed: z.boolean(),
  }),
  z.object({
    kind: z.literal('invoice'),
    id: z.number(),
    /** Of the issue; of a draft, its creation. */
    at: instant,
    document: z.enum(KINDS),
    number: z.string(),
    status: z.enum(INVOICE_STATUSES),
    currency: z.string(),
    /** Minor units of the currency. */
    total: z.number(),
    due: z.number(),
    due_date: z.string(),
    /** Who accepted a quote. */
    accepted_by: z.string(),
  }),
  z.object({ kind: z.literal('added'), id: z.number(), at: instant }),
])
export type TimelineEntry = z.infer<typeof timelineEntry>

export const timeline = {
  ofContact: endpoint({
    method: 'GET',
    path: '/contacts/:id/timeline',
    summary: 'Mails, meetings, tasks, invoices and quotes of a contact, newest first',
    params: z.object({ id }),
    query: z.object({
      /** The `next` of the previous page. */
      after: z.optional(text(100)),
      limit: countUpTo(TIMELINE_PAGE_MAX, TIMELINE_PAGE),
    }),
    reply: z.object({ entries: z.array(timelineEntry), next: z.nullable(z.string()) }),
  }),
}
