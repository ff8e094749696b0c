import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const report = z.object({
  status: z.enum(['ok', 'starting', 'degraded']),
  version: z.string(),
  database: z.enum(['ok', 'down']),
  /** Seconds since the last heartbeat of a worker; null if there was none. */
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
  metrics: endpoint({
    method: 'GET',
    path: '/metrics',
    root: true,
    access: 'public',
    summary: 'Metrics of this process for Prometheus, for whoever names METRICS_TOKEN',
    download: 'text/plain',
  }),
}
