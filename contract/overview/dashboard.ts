import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { timeZone } from '../platform/values.ts'

/** How far back the activity of the dashboard may be asked for, in days. */
export const ACTIVITY_DAYS = [7, 30, 90] as const
export type ActivityDays = (typeof ACTIVITY_DAYS)[number]

const count = z.number()
/** The time zone whose days are meant; by default the user's own. */
const time_zone = z.optional(timeZone)

/** What happened on one calendar day of the user's time zone. */
export const activityDay = z.object({
  /** `2026-03-29`. */
  day: z.string(),
  sent: count,
  replies: count,
  meetings: count,
})
export type ActivityDay = z.infer<typeof activityDay>

/** What is waiting for the user today. */
export const today = z.object({
  /** Pending tasks that are overdue, and those due today. */
  overdue_tasks: count,
  tasks_today: count,
  /** Meetings today that are not cancelled, and how many of them are neither over nor completed. */
  meetings_today: count,
  meetings_to_come: count,
  /** Invoices whose due date has passed, and what they come to by currency, in minor units. */
  overdue_invoices: count,
  overdue_amounts: z.array(z.object({ currency: z.string(), amount: count })),
  /** Replies among the newest 1,000 unread mails of the inbox. */
  unread_replies: count,
})
export type Today = z.infer<typeof today>

export const dashboard = {
  activity: endpoint({
    method: 'GET',
    path: '/dashboard/activity',
    summary: 'Mails sent, replies and meetings of each of the last days, oldest first; today is the last',
    query: z.object({
      days: z._default(z.enum(ACTIVITY_DAYS.map(String) as ['7', '30', '90']), '30'),
      time_zone,
    }),
    reply: z.array(activityDay),
  }),
  today: endpoint({
    method: 'GET',
    path: '/dashboard/today',
    summary: 'What waits for the user today',
    query: z.object({ time_zone }),
    reply: today,
  }),
}
