import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { health } from '#contract/platform/health.ts'
import type { Context } from '../context.ts'
import { notFound, unauthenticated } from '../errors.ts'
import { DeadlinePassed, withinDeadline } from '../gateways/deadline.ts'
import { countJobs } from '../jobs/dead-jobs-store.ts'
import { backgroundWork } from '../jobs/store.ts'
import { WORKER_DEAD_MS } from '../jobs/worker-lease.ts'
import { type Gauge, gauge, gaugesText } from '../metrics.ts'
import { serve } from './serve.ts'
import type { Server } from './server.ts'

type IntervalHistogram = ReturnType<typeof monitorEventLoopDelay>

const TEXT = 'text/plain; version=0.0.4; charset=utf-8'
/** Whoever collects metrics gives up after some seconds; those of this process come without the database too. */
const DATABASE_MS = 3000
/** How finely the event loop's delay is measured (ms). */
const LOOP_RESOLUTION_MS = 20

/**
 * Counts what is answered, and shows all metrics of this process at /metrics to whoever names METRICS_TOKEN. Call it before
 * the routes of the domains are added: it counts those that come later.
 */
export function metricsRoutes(app: Server): void {
  const { context } = app.howl
  const { metrics } = context.config
  if (metrics !== null) countAnswers(app)
  const loopDelay = metrics === null ? null : measuredLoop()
  app.addHook('onClose', async () => void loopDelay?.disable())
  serve(app, health.metrics, async ({ request, reply }) => {
    if (metrics === null) throw notFound('Page not found')
    if (!isToken(request.headers.authorization, metrics.token)) throw unauthenticated()
    await reply
      .type(TEXT)
      .serializer(String)
      .send(await metricsText(context, loopDelay))
    return undefined
  })
}

/** Shows the metrics of a process that is only a worker, and nothing else. Returns how to stop. */
export async function showWorkerMetrics(context: Context): Promise<() => Promise<void>> {
  const { metrics, host } = context.config
  if (metrics === null || metrics.port === null) return async () => {}
  const loopDelay = measuredLoop()
  const server = createServer((request, response) => {
    const answer = (status: number, text: string) =>
      response.writeHead(status, { 'content-type': TEXT, 'cache-control': 'no-store' }).end(text)
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') answer(404, 'Not found\n')
    else if (!isToken(request.headers.authorization, metrics.token))
      answer(401, 'The token is missing or wrong\n')
    else
      metricsText(context, loopDelay).then(
        (text) => answer(200, text),
        (error: unknown) => {
          context.log.warn({ err: error }, 'the metrics could not be shown')
          answer(500, 'The metrics could not be read\n')
        },
      )
  })
  server.maxConnections = 20
  server.requestTimeout = 10_000
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(metrics.port, host, listening.resolve)
  await listening.promise
  const address = server.address()
  if (typeof address === 'object' && address !== null)
    context.log.info(`the metrics of this worker are at port ${address.port}`)
  return async () => {
    loopDelay.disable()
    server.closeAllConnections()
    await new Promise<void>((closed) => server.close(() => closed()))
  }
}

function measuredLoop(): IntervalHistogram {
  const histogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
  histogram.enable()
  return histogram
}

function countAnswers(app: Server): void {
  const { metrics } = app.howl.context.memory
  app.addHook('onResponse', async (request, reply) => {
    const { url } = request.routeOptions
    // An address that no route knows could be anything that somebody typed.
    const labels = { method: request.method, route: url ?? 'none' }
    const status = String(reply.statusCode)
    metrics.count('howl_http_requests_total', { ...labels, status })
    // How long a stream of events stays open says nothing about how fast anything is.
    if (url?.endsWith('/events') !== true)
      metrics.observe('howl_http_request_duration_seconds', labels, reply.elapsedTime / 1000)
  })
}

function isToken(authorization: string | undefined, token: string): boolean {
  const given = /^bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  // Digests have one length, as the comparison asks for.
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}

async function metricsText(context: Context, loopDelay: IntervalHistogram | null): Promise<string> {
  const { memory } = context
  const inDatabase = await withinDeadline(DATABASE_MS, databaseGauges(context), () => {}).catch(
    (error: unknown) => {
      if (!(error instanceof DeadlinePassed))
        context.log.warn({ err: error }, 'metrics of the database are missing')
      return null
    },
  )
  const up = gauge('howl_database_up', 'Whether the database answers', inDatabase === null ? 0 : 1)
  return memory.metrics.text() + gaugesText([...ofProcess(context, loopDelay), up, ...(inDatabase ?? [])])
}

/** Figures that every process tells alike: take the largest, not the sum. */
async function databaseGauges({ db, clock }: Context): Promise<Gauge[]> {
  const now = clock.now()
  const [jobs, { workers, beat, round }] = await Promise.all([
    countJobs(db, now),
    backgroundWork(db, new Date(now.getTime() - WORKER_DEAD_MS)),
  ])
  const states = jobs === null ? [] : (['waiting', 'active', 'dead'] as const)
  const age = (at: Date | null) =>
    at === null ? [] : [{ value: Math.max(0, (now.getTime() - at.getTime()) / 1000) }]
  const same = '(the same in every process)'
  return [
    gauge(
      'howl_jobs',
      `Jobs of the queue, by state ${same}`,
      states.map((state) => ({ labels: { state }, value: jobs?.[state] ?? 0 })),
    ),
    gauge('howl_workers', `Processes alive that do background work ${same}`, workers),
    gauge('howl_worker_lag_seconds', `Seconds since one of them was heard of ${same}`, age(beat)),
    gauge(
      'howl_worker_round_age_seconds',
      `Seconds since a step of the background work came to an end ${same}`,
      age(round),
    ),
  ]
}

function ofProcess({ db, config }: Context, loopDelay: IntervalHistogram | null): Gauge[] {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const { totalCount, idleCount, waitingCount } = db.pool
  const quantile = (percent: number) => (loopDelay === null ? 0 : loopDelay.percentile(percent) / 1e9)
  const gauges = [
    gauge('howl_info', 'The version that runs', [
      { labels: { version: config.version, node: process.versions.node }, value: 1 },
    ]),
    gauge('howl_database_pool_connections', 'Connections of this process to the database, by state', [
      { labels: { state: 'busy' }, value: totalCount - idleCount },
      { labels: { state: 'idle' }, value: idleCount },
    ]),
    gauge('howl_database_pool_waiting', 'Queries of this process that wait for a connection', waitingCount),
    gauge(
      'howl_event_loop_delay_seconds',
      'How late the event loop is, since the last time this was asked for',
      [
        { labels: { quantile: '0.5' }, value: quantile(50) },
        { labels: { quantile: '0.99' }, value: quantile(99) },
        { labels: { quantile: '1' }, value: loopDelay === null ? 0 : loopDelay.max / 1e9 },
      ],
    ),
    gauge('process_resident_memory_bytes', 'Resident memory size in bytes', rss),
    gauge('nodejs_heap_bytes', 'Memory of JavaScript, by kind', [
      { labels: { kind: 'used' }, value: heapUsed },
      { labels: { kind: 'total' }, value: heapTotal },
      { labels: { kind: 'external' }, value: external },
    ]),
    {
      ...gauge(
        'process_cpu_seconds_total',
        'Total user and system CPU time spent in seconds',
        (user + system) / 1e6,
      ),
      type: 'counter' as const,
    },
    gauge(
      'process_start_time_seconds',
      'Start time of the process since unix epoch in seconds',
      Math.round(performance.timeOrigin) / 1000,
    ),
  ]
  loopDelay?.reset()
  return gauges
}
