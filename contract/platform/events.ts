import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const TOPICS = [
  'emails',
  'contacts',
  'meetings',
  'todos',
  'outreach',
  'mailboxes',
  'import',
  'referrals',
  'invoices',
  'assistant',
  'session',
  'account',
  /** Only streams of administrators hear of it. */
  'notifications',
] as const
export const topic = z.enum(TOPICS)
export type Topic = z.infer<typeof topic>

/** What changed. The cache refetches it; only progress figures are part of the event itself. */
export const liveEvent = z.object({
  topic,
  /** `import`: rows read so far and bytes read of the file. */
  rows: z.optional(z.number()),
  bytes: z.optional(z.number()),
  total_bytes: z.optional(z.number()),
  done: z.optional(z.boolean()),
})
export type LiveEvent = z.infer<typeof liveEvent>

export const events = {
  stream: endpoint({
    method: 'GET',
    path: '/events',
    summary: 'A stream of what changed (text/event-stream), read by fetch with the bearer token',
    download: 'text/event-stream',
  }),
}
