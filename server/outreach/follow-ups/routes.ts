import { followUps } from '#contract/outreach/follow-ups.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { choose } from './choose.ts'
import { pageOfDays, pageOfLeftOut, pageOfUpcoming, readCounts, readOverview } from './show-follow-ups.ts'

export function followUpRoutes(app: Server): void {
  serve(app, followUps.get, ({ context, user }) => readOverview(context, user.id))
  serve(app, followUps.counts, ({ context, user }) => readCounts(context, user.id))
  serve(app, followUps.upcoming, ({ context, user, query }) => pageOfUpcoming(context, user.id, query))
  serve(app, followUps.leftOut, ({ context, user, query }) => pageOfLeftOut(context, user.id, query))
  serve(app, followUps.days, ({ context, user, query }) => pageOfDays(context, user.id, query))
  serve(app, followUps.choose, ({ context, user, params, body }) => choose(context, user.id, params.id, body))
}
