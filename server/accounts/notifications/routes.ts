import { notifications } from '#contract/accounts/notifications.ts'
import { done, serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { listNotifications, markAllRead, markRead } from './list-notifications.ts'

export function notificationRoutes(app: Server): void {
  serve(app, notifications.list, ({ context, query }) => listNotifications(context, query.limit))
  serve(app, notifications.markRead, ({ context, params }) => done(markRead(context, params.id)))
  serve(app, notifications.markAllRead, ({ context, body }) =>
    done(markAllRead(context, new Date(body.until))),
  )
}
