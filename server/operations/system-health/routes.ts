import { systemHealth } from '#contract/operations/system-health.ts'
import { origin } from '../../platform/http/origin.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { dropDeadJobs, listDeadJobs, retryDeadJobs } from './dead-jobs.ts'
import { emptyCheckMemory, healthContext, runCheck } from './run-check.ts'

export function systemHealthRoutes(app: Server): void {
  const memory = emptyCheckMemory()
  serve(app, systemHealth.check, ({ context, params, query }) =>
    runCheck(healthContext(context), params.name, memory, { again: query.again === 'true' }),
  )
  serve(app, systemHealth.deadJobs, ({ context }) => listDeadJobs(context))
  serve(app, systemHealth.retryJobs, async ({ context, user, request }) => ({
    changed: await retryDeadJobs(context, null, { caller: user, origin: origin(request) }),
  }))
  serve(app, systemHealth.dropJobs, async ({ context, user, request }) => ({
    changed: await dropDeadJobs(context, null, { caller: user, origin: origin(request) }),
  }))
  serve(app, systemHealth.retryJob, async ({ context, user, params, request }) => ({
    changed: await retryDeadJobs(context, params.id, { caller: user, origin: origin(request) }),
  }))
  serve(app, systemHealth.dropJob, async ({ context, user, params, request }) => ({
    changed: await dropDeadJobs(context, params.id, { caller: user, origin: origin(request) }),
  }))
}
