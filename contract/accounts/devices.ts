import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { instant, text } from '../platform/values.ts'

export const sessionRow = z.object({
  id: z.string(),
  created_at: instant,
  last_seen_at: instant,
  ip: z.string(),
  user_agent: z.string(),
  current: z.boolean(),
})

/** Where an account is signed in. */
export const devices = {
  sessions: endpoint({
    method: 'GET',
    path: '/auth/sessions',
    summary: 'Where this account is signed in',
    reply: z.array(sessionRow),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    summary: 'End one session',
    params: z.object({ id: text(64) }),
    reply: z.object({ ok: z.boolean() }),
  }),
  endOtherSessions: endpoint({
    method: 'POST',
    path: '/auth/sessions/end-others',
    summary: 'End all sessions but this one',
    reply: z.object({ ended: z.number() }),
  }),
}
