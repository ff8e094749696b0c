import { events } from '#contract/events.ts'
import type { LiveHub } from './events.ts'
import { serve } from './serve.ts'
import type { Server } from './server.ts'

/** The stream of live events: server-sent events, read by fetch so that the token can be sent as a header. */
export function eventRoutes(app: Server, hub: LiveHub): void {
  serve(app, events.stream, async ({ user, reply }) => {
    reply.hijack()
    reply.raw.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
    })
    hub.open(user.id, reply.raw)
    return undefined
  })
}
