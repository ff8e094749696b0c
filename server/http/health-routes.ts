import { health } from '#contract/health.ts'
import { databaseAnswers } from '../database/transaction.ts'
import { lastHeartbeat } from '../jobs/store.ts'
import type { Context } from '../context.ts'
import { serve } from './serve.ts'
import type { Server } from './server.ts'

/** Health for load balancers and for the curious; public, so it tells nothing about users. */
export function healthRoutes(app: Server): void {
  serve(app, health.root, ({ context }) => report(context))
  serve(app, health.base, ({ context }) => report(context))
}

async function report(context: Context) {
  const alive = await databaseAnswers(context.db)
  const beat = alive ? await lastHeartbeat(context.db) : null
  return {
    status: alive ? ('ok' as const) : ('degraded' as const),
    version: context.config.version,
    database: alive ? ('ok' as const) : ('down' as const),
    worker_lag: beat === null ? null : Math.max(0, (context.clock.now().getTime() - beat.getTime()) / 1000),
  }
}
