import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const report = z.object({
  status: z.enum(['ok', 'starting', 'degraded']),
  version: z.string(),
  database: z.enum(['ok', 'down']),
  /** Seconds since the worker last said that it is alive; null while none has. */
  worker_lag: z.nullable(z.number()),
})

export const health = {
  root: endpoint({
    method: 'GET',
    path: '/health',
    root: true,
    access: 'public',
    summary: 'Ready to serve?',
    reply: report,
  }),
  base: endpoint({
    method: 'GET',
    path: '/health',
    access: 'public',
    summary: 'Ready to serve?',
    reply: report,
  }),
}
