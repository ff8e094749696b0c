import type { FastifyReply } from 'fastify'
import { events } from '#contract/platform/events.ts'
import { notifications } from '#contract/accounts/notifications.ts'
import type { Audience } from '../security/tokens.ts'
import type { LiveHub } from './events.ts'
import { serve } from './serve.ts'
import type { Server } from './server.ts'

/** The streams of live events: server-sent events, read by fetch so that the token can be sent as a header. */
export function eventRoutes(app: Server, hub: LiveHub): void {
  const open = (userId: number, reply: FastifyReply, audience: Audience): undefined => {
    reply.hijack()
    reply.raw.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
    })
    hub.open(userId, reply.raw, audience)
  }
  serve(app, events.stream, async ({ user, reply }) => open(user.id, reply, 'user'))
  serve(app, notifications.stream, async ({ user, reply }) => open(user.id, reply, 'admin'))
}
