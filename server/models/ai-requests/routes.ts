import { aiUsage } from '#contract/models/ai-usage.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { changeCap, readUsage } from './read-usage.ts'

export function aiUsageRoutes(app: Server): void {
  serve(app, aiUsage.get, ({ context, user }) => readUsage(context, user.id))
  serve(app, aiUsage.saveCap, ({ context, user, body }) => changeCap(context, user.id, body.requests_a_day))
}
