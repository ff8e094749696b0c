import { timeline } from '#contract/overview/timeline.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { timelineOf } from './timeline-of.ts'

export function timelineRoutes(app: Server): void {
  serve(app, timeline.ofContact, ({ context, user, params, query }) =>
    timelineOf(context, user, params.id, query),
  )
}
