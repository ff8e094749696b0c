import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { profile } from '#contract/accounts/profile.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { makeMetrics } from '../metrics.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { type ModelServer, startModel } from '../../../tests/support/model.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter } from '../../../tests/support/writing.ts'
import { showWorkerMetrics } from './metrics-routes.ts'

const TOKEN = 'only-the-collector-knows'

type Sample = { name: string; labels: Record<string, string>; value: number }

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?[\d.]+(?:e[+-]?\d+)?|NaN|[+-]Inf)$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y

function must(isRight: boolean, line: string): void {
  if (!isRight) throw new Error(`This is not Prometheus' text format: ${line}`)
}

/** Reads Prometheus' text format (0.0.4) strictly: every line is a sample of a family that was introduced, once. */
function parse(text: string): Sample[] {
  must(text.endsWith('\n'), 'the last line has no end')
  const types = new Map<string, string>()
  const seen = new Set<string>()
  const samples: Sample[] = []
  let current = ''
  for (const line of text.slice(0, -1).split('\n')) {
    if (line.startsWith('# HELP ')) {
      current = line.split(' ')[2] ?? ''
      must(NAME.test(current) && !types.has(current), line)
    } else if (line.startsWith('# TYPE ')) {
      const [, , name = '', type = ''] = line.split(' ')
      must(name === current && ['counter', 'gauge', 'histogram'].includes(type), line)
      types.set(name, type)
    } else {
      const [, name = '', labelText = '', value = ''] = LINE.exec(line) ?? []
      const base = types.get(current) === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name
      must(name !== '' && base === current, line)
      const labels: Record<string, string> = {}
      for (let at = 0; at < labelText.length; at = LABEL.lastIndex) {
        LABEL.lastIndex = at
        const found = LABEL.exec(labelText)
        must(found !== null, line)
        labels[found?.[1] ?? ''] = found?.[2] ?? ''
      }
      const series = `${name}{${labelText}}`
      must(!seen.has(series), `${line} comes twice`)
      seen.add(series)
      samples.push({ name, labels, value: Number(value) })
    }
  }
  return samples
}

let app: TestApp
let sink: SmtpSink
let model: ModelServer

beforeAll(async () => {
  ;[sink, model] = await Promise.all([startSmtpSink(), startModel()])
  app = await startTestApp({
    environment: { METRICS_TOKEN: TOKEN, AI_BASE_URL: model.baseUrl, AI_MODEL: 'tiny' },
  })
})
afterAll(async () => {
  await app.end()
  await Promise.all([sink.stop(), model.stop()])
})

const ask = (token = TOKEN) => fetch(`${app.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } })
const samples = async () => parse(await (await ask()).text())
const valueOf = (all: readonly Sample[], name: string, labels: Record<string, string> = {}) =>
  all
    .filter((each) => each.name === name)
    .find((each) => Object.entries(labels).every(([key, value]) => each.labels[key] === value))?.value

describe('GET /metrics', () => {
  test('is not there without METRICS_TOKEN, and closed to whoever does not name it', async () => {
    const without = await startTestApp({ roles: ['web'] })
    const answer = await fetch(`${without.url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } })
    expect(answer.status).toBe(404)
    await without.end()
    expect((await fetch(`${app.url}/metrics`)).status).toBe(401)
    expect((await ask(`${TOKEN}x`)).status).toBe(401)
    const right = await ask()
    expect([right.status, right.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
  })

  test('counts calls by route pattern and status, without names, addresses or ids', async () => {
    const user = await signUp(app.url)
    const before = await samples()
    await call(app.url, profile.update, { token: user.token, body: { phone: '1' } })
    for (const id of [1, 2, 3]) await call(app.url, emails.get, { token: user.token, params: { id } })
    await fetch(`${app.url}/api/v1/no-such-call/${user.email}?secret=1`)
    const all = await samples()
    const labels = { method: 'GET', route: '/api/v1/emails/:id', status: '404' }
    expect(valueOf(all, 'howl_http_requests_total', labels)).toBe(
      (valueOf(before, 'howl_http_requests_total', labels) ?? 0) + 3,
    )
    const route = pathOf(profile.update)
    const timed = { method: 'PUT', route }
    const count = valueOf(all, 'howl_http_request_duration_seconds_count', timed)
    expect(count).toBe(1)
    expect(valueOf(all, 'howl_http_request_duration_seconds_bucket', { ...timed, le: '+Inf' })).toBe(count)
    const buckets = all.filter(
      ({ name, labels: of }) => name === 'howl_http_request_duration_seconds_bucket' && of['route'] === route,
    )
    const heights = buckets.map(({ value }) => value)
    expect(heights).toEqual(heights.toSorted((one, other) => one - other))
    const text = await (await ask()).text()
    for (const personal of [user.email, user.username, 'secret', 'no-such-call', 'Muster'])
      expect(text).not.toContain(personal)
  })

  test('counts mails, reads of mailboxes and questions to the model', async () => {
    const user = await connectWriter(app, sink)
    const before = await samples()
    const mail = { to: 'bob@customer.example', subject: 'Hello', content: 'Hello' }
    await call(app.url, emails.send, { token: user.token, body: mail })
    sink.setScript(({ step }) => (step === 'rcpt' ? { reply: '550 5.1.1 No such user' } : undefined))
    await call(app.url, emails.send, { token: user.token, body: mail })
    await app.context.model.write({ system: 'Be brief.', prompt: 'Hello?', maxOutputTokens: 20 })
    model.answer({ status: 500 })
    await app.context.model
      .write({ system: 'Be brief.', prompt: 'Hello?', maxOutputTokens: 20 })
      .catch(() => {})
    // Nobody listens at this port.
    const imap = { imap_host: '127.0.0.1', imap_port: 1, imap_username: 'ada', imap_password: 'secret' }
    await call(app.url, mailboxSetup.save, { token: user.token, body: imap })
    const failedReads = async () => valueOf(await samples(), 'howl_imap_syncs_total', { outcome: 'failed' })
    await expect.poll(failedReads).toBeGreaterThanOrEqual(1)
    const all = await samples()
    const more = (name: string, labels: Record<string, string>) =>
      (valueOf(all, name, labels) ?? 0) - (valueOf(before, name, labels) ?? 0)
    expect(more('howl_mails_total', { outcome: 'sent' })).toBeGreaterThanOrEqual(1)
    expect(more('howl_mails_total', { outcome: 'failed' })).toBe(1)
    expect(more('howl_model_calls_total', { owner: 'house', outcome: 'answered' })).toBe(1)
    expect(more('howl_model_calls_total', { owner: 'house', outcome: 'down' })).toBe(1)
    expect(more('howl_model_call_duration_seconds_count', { owner: 'house' })).toBe(2)
  })

  test('tells of pool, event loop, memory, jobs and worker', async () => {
    // A worker tells of its first round with its next beat.
    await expect.poll(async () => valueOf(await samples(), 'howl_worker_round_age_seconds')).toBeLessThan(30)
    const all = await samples()
    expect(valueOf(all, 'howl_database_up')).toBe(1)
    for (const state of ['waiting', 'active', 'dead'])
      expect(valueOf(all, 'howl_jobs', { state })).toBeGreaterThanOrEqual(0)
    expect(valueOf(all, 'howl_workers')).toBe(1)
    expect(valueOf(all, 'howl_worker_lag_seconds')).toBeLessThan(5)
    expect(valueOf(all, 'howl_database_pool_connections', { state: 'idle' })).toBeGreaterThanOrEqual(0)
    expect(valueOf(all, 'howl_event_loop_delay_seconds', { quantile: '0.99' })).toBeGreaterThan(0)
    expect(valueOf(all, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(valueOf(all, 'howl_info', { version: app.context.config.version })).toBe(1)
  })
})

describe('a process that is only a worker', () => {
  test('shows its metrics at METRICS_PORT, and nothing else', async () => {
    const port = await new Promise<number>((resolve) => {
      const told = {
        ...app.context.log,
        info: (text: string) => resolve(Number(/port (\d+)/.exec(text)?.[1])),
      }
      const config = { ...app.context.config, metrics: { token: TOKEN, port: 0 } }
      void showWorkerMetrics({ ...app.context, config, log: told }).then((stop) => (hide = stop))
    })
    const at = (where: string, token?: string) =>
      fetch(
        `http://127.0.0.1:${port}${where}`,
        token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } },
      )
    expect((await at('/metrics')).status).toBe(401)
    expect((await at('/health', TOKEN)).status).toBe(404)
    const text = await (await at('/metrics', TOKEN)).text()
    expect(valueOf(parse(text), 'howl_database_up')).toBe(1)
    await hide()
  })
})
let hide: () => Promise<void> = async () => {}

describe('labels', () => {
  test('are escaped, and their sets are bounded', () => {
    const metrics = makeMetrics()
    metrics.count('howl_mails_total', { outcome: 'a"b\\c\nd' })
    expect(parse(metrics.text())).toEqual([
      { name: 'howl_mails_total', labels: { outcome: String.raw`a\"b\\c\nd` }, value: 1 },
    ])
    for (let n = 0; n < 5000; n++) {
      metrics.count('howl_mails_total', { outcome: `${n}` })
      metrics.observe('howl_model_call_duration_seconds', { owner: `${n}` }, n)
    }
    const all = parse(metrics.text())
    expect(all.filter(({ name }) => name === 'howl_mails_total')).toHaveLength(2000)
    expect(all.filter(({ name }) => name === 'howl_model_call_duration_seconds_count')).toHaveLength(2000)
  })
})
