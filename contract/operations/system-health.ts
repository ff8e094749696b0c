import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, instant } from '../platform/values.ts'

/** The worst first: `unknown` means that it could not be told. */
export const HEALTH_STATES = ['failure', 'warning', 'unknown', 'ok'] as const
export type HealthState = (typeof HEALTH_STATES)[number]

/** Every check, those that are quick before those that wait for somebody else's server. */
export const CHECKS = {
  database: { title: 'Database', group: 'Database' },
  migrations: { title: 'Version', group: 'Database' },
  activity_log: { title: 'Activity log', group: 'Database' },
  backups: { title: 'Backups', group: 'Database' },
  worker: { title: 'Background work', group: 'Work' },
  queue: { title: 'Jobs', group: 'Work' },
  outgoing_mail: { title: 'Outgoing mail', group: 'Mail' },
  mailboxes: { title: 'Users’ mailboxes', group: 'Mail' },
  disk: { title: 'Disk', group: 'Server' },
  memory: { title: 'Memory', group: 'Server' },
  files: { title: 'Secret files', group: 'Server' },
  exchange_rates: { title: 'Exchange rates', group: 'Outside' },
  clock: { title: 'Clock', group: 'Server' },
  public_url: { title: 'Public address', group: 'Outside' },
  certificate: { title: 'Certificate', group: 'Outside' },
  system_mail: { title: 'Mail from Howl itself', group: 'Mail' },
  sending_domains: { title: 'Sending domains', group: 'Mail' },
  model: { title: 'Language model', group: 'Outside' },
} as const

export type CheckName = keyof typeof CHECKS
export const CHECK_NAMES = Object.keys(CHECKS) as [CheckName, ...CheckName[]]

const finding = z.object({
  /** What it is about where a check looks at several things, such as a domain. */
  subject: z.nullable(z.string()),
  state: z.enum(HEALTH_STATES),
  seen: z.string(),
  /** What is wrong, and how to mend it; null where nothing is to be done. */
  wrong: z.nullable(z.string()),
  mend: z.nullable(z.string()),
})
export type Finding = z.infer<typeof finding>

const checkReport = z.object({
  name: z.enum(CHECK_NAMES),
  /** The worst of its findings. */
  state: z.enum(HEALTH_STATES),
  findings: z.array(finding),
  /** Answers of servers elsewhere are kept for a while. */
  checked_at: instant,
  took_ms: z.number(),
})
export type CheckReport = z.infer<typeof checkReport>

/** Dead jobs in a list. */
export const DEAD_JOBS_MAX = 200

const deadJob = z.object({
  id: z.string(),
  /** What was to be done. */
  title: z.string(),
  /** Whose work it was; null where it was nobody's, or the account is gone. */
  user_id: z.nullable(z.number()),
  user_email: z.nullable(z.string()),
  created_at: instant,
  failed_at: instant,
  attempts: z.number(),
  error: z.string(),
})
export type DeadJob = z.infer<typeof deadJob>

const NO_JOB = 'This is not a job'
const jobParams = z.object({ id: z.string().check(atMost(36, NO_JOB), z.regex(/^[\da-f-]{36}$/i, NO_JOB)) })
const changed = z.object({ changed: z.number() })

export const systemHealth = {
  check: endpoint({
    method: 'GET',
    path: '/admin/system/checks/:name',
    access: 'admin',
    summary: 'One check of whether this Howl is well',
    params: z.object({ name: z.enum(CHECK_NAMES, { error: 'There is no such check' }) }),
    /** Asks servers elsewhere again, whatever is known of them. */
    query: z.object({ again: z._default(z.enum(['true', 'false']), 'false') }),
    reply: checkReport,
    limit: { max: 240, seconds: 60 },
  }),
  deadJobs: endpoint({
    method: 'GET',
    path: '/admin/jobs/dead',
    access: 'admin',
    summary: 'Jobs that failed every attempt, the newest first',
    reply: z.object({ jobs: z.array(deadJob), total: z.number() }),
  }),
  retryJob: endpoint({
    method: 'POST',
    path: '/admin/jobs/:id/retry',
    access: 'admin',
    summary: 'Try a dead job again',
    params: jobParams,
    reply: changed,
  }),
  dropJob: endpoint({
    method: 'POST',
    path: '/admin/jobs/:id/drop',
    access: 'admin',
    summary: 'Take a dead job off the list',
    params: jobParams,
    reply: changed,
  }),
  retryJobs: endpoint({
    method: 'POST',
    path: '/admin/jobs/dead/retry',
    access: 'admin',
    summary: 'Try every dead job again',
    reply: changed,
  }),
  dropJobs: endpoint({
    method: 'POST',
    path: '/admin/jobs/dead/drop',
    access: 'admin',
    summary: 'Take every dead job off the list',
    reply: changed,
  }),
}
