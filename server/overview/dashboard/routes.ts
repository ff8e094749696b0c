import { dashboard } from '#contract/overview/dashboard.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { readActivity } from './read-activity.ts'
import { readToday } from './read-today.ts'

export function dashboardRoutes(app: Server): void {
  serve(app, dashboard.activity, ({ context, user, query }) =>
    readActivity(context, user.id, { timeZone: query.time_zone ?? user.timeZone, count: Number(query.days) }),
  )
  serve(app, dashboard.today, ({ context, user, query }) =>
    readToday(context, user.id, query.time_zone ?? user.timeZone),
  )
}
