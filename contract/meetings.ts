import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, instant } from './values.ts'

export const meeting = z.object({
  id,
  title: z.string(),
  description: z.string(),
  start_time: instant,
  end_time: instant,
  location: z.string(),
  attendees: z.array(z.string()),
  type: z.enum(['in-person', 'video', 'phone']),
  status: z.enum(['scheduled', 'completed', 'cancelled']),
  notes: z.string(),
  meeting_link: z.string(),
})

export const meetings = {
  list: endpoint({
    method: 'GET',
    path: '/meetings/',
    access: 'user',
    summary: 'Meetings by start time',
    reply: z.array(meeting),
  }),
}
