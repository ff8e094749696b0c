import { timeline } from '#contract/timeline.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'
import { timelineOf } from './timeline-of.ts'

export function timelineRoutes(app: Server): void {
  serve(app, timeline.ofContact, ({ context, user, params, query }) =>
    timelineOf(context, user, params.id, query),
  )
}
