import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { typedInstant } from '../platform/typed-instant.ts'
import { countUpTo, id, instant } from '../platform/values.ts'

export const NOTIFICATIONS_PAGE_MAX = 200
/** Colours of a priority or a severity, 1 to 5: from here on red, orange, yellow; blue below. */
export const SEVERITY_STEPS = { red: 4, orange: 3, yellow: 2 } as const

export const notification = z.object({
  id,
  title: z.string(),
  message: z.string(),
  /** 1 to 5. */
  priority: z.number(),
  /** True once any administrator has read it. */
  is_read: z.boolean(),
  /** Whom it is about, where it is about one user, and their address as it is now. */
  user_id: z.nullable(z.number()),
  user_email: z.nullable(z.string()),
  created_at: instant,
})
export type Notification = z.infer<typeof notification>

export const notifications = {
  list: endpoint({
    method: 'GET',
    path: '/admin/notifications',
    access: 'admin',
    summary: 'What administrators should know of, newest first',
    query: z.object({
      limit: countUpTo(NOTIFICATIONS_PAGE_MAX, 20),
    }),
    reply: z.object({ notifications: z.array(notification), unread: z.number() }),
  }),
  markRead: endpoint({
    method: 'POST',
    path: '/admin/notifications/:id/read',
    access: 'admin',
    summary: 'Mark a notification as read, for all administrators',
    params: z.object({ id }),
    reply: z.object({ ok: z.boolean() }),
  }),
  markAllRead: endpoint({
    method: 'POST',
    path: '/admin/notifications/read',
    access: 'admin',
    summary: 'Mark the notifications up to an instant as read, for all administrators',
    /** The time of the newest one that was seen: what has come since stays unread. */
    body: z.object({ until: typedInstant }),
    reply: z.object({ ok: z.boolean() }),
  }),
  stream: endpoint({
    method: 'GET',
    path: '/admin/events',
    access: 'admin',
    summary: 'A stream that tells when there are new notifications (text/event-stream)',
    download: 'text/event-stream',
  }),
}
