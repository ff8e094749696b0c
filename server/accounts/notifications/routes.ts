import { notifications } from '#contract/accounts/notifications.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { listNotifications } from './list-notifications.ts'
import { markAllRead, markRead } from './mark-read.ts'

export function notificationRoutes(app: Server): void {
  serve(app, notifications.list, ({ context, query }) => listNotifications(context, query.limit))
  serve(app, notifications.markRead, async ({ context, params }) => {
    await markRead(context, params.id)
    return { ok: true }
  })
  serve(app, notifications.markAllRead, async ({ context, body }) => {
    await markAllRead(context, new Date(body.until))
    return { ok: true }
  })
}
