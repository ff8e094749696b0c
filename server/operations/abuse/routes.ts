import { abuse } from '#contract/operations/abuse.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { listPatterns, readStatistics } from './list-patterns.ts'

export function abuseRoutes(app: Server): void {
  serve(app, abuse.statistics, ({ context }) => readStatistics(context))
  serve(app, abuse.patterns, ({ context, query }) => listPatterns(context, query.days))
}
