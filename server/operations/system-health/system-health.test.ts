import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { activities } from '#contract/accounts/activities.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import {
  CHECK_NAMES,
  type CheckName,
  type CheckReport,
  systemHealth,
} from '#contract/operations/system-health.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { MIGRATIONS } from '#server/platform/database/migrate.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { makeLanguageModel } from '#server/platform/gateways/language-model.ts'
import { startLoop } from '#server/platform/jobs/loop.ts'
import {
  adminTokenOf,
  anAdministrator,
  type TestAdministrator,
} from '../../../tests/support/administrators.ts'
import { call } from '../../../tests/support/client.ts'
import { type DnsServer, startDnsServer } from '../../../tests/support/dns-server.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import { type ModelServer, startModel } from '../../../tests/support/model.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { storeMails } from '../../../tests/support/stored-mails.ts'
import { systemMailTo } from '../../../tests/support/system-mail.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter } from '../../../tests/support/writing.ts'
import { LIMITS } from './system-health.ts'
import { healthContext, runCheck } from './run-check.ts'

const DAY_MS = 86_400_000

/** What stands in front of Howl, as a proxy would. */
let front: Server
let answer: RequestListener
let dns: DnsServer
let sink: SmtpSink
let systemSink: SmtpSink
let model: ModelServer
let app: TestApp
let admin: TestAdministrator

const portOf = (server: Server) => (server.address() as AddressInfo).port
const howl: RequestListener = (_, response) =>
  void response.end(JSON.stringify({ version: app.context.config.version, worker_lag: 0 }))

beforeAll(async () => {
  front = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1')
  await once(front, 'listening')
  answer = howl
  ;[dns, sink, systemSink, model] = await Promise.all([
    startDnsServer(),
    startSmtpSink(),
    startSmtpSink(),
    startModel(),
  ])
  app = await startTestApp({
    environment: {
      ...systemMailTo(systemSink),
      DNS_SERVERS: dns.address,
      AI_BASE_URL: model.baseUrl,
      AI_MODEL: 'tiny',
      AI_DAILY_CAP_TOTAL: '3',
      PUBLIC_URL: `http://127.0.0.1:${portOf(front)}`,
    },
  })
  admin = await anAdministrator(app)
})
afterAll(async () => {
  await app.end()
  await Promise.all([sink.stop(), systemSink.stop(), model.stop(), dns.stop()])
  front.close()
})
afterEach(() => {
  answer = howl
  sink.setScript(undefined)
  systemSink.setScript(undefined)
  model.answer('Hello.')
  dns.mood = 'answers'
})

const ask = async (name: CheckName, again = false): Promise<CheckReport> => {
  const found = await call(app.url, systemHealth.check, {
    params: { name },
    query: { again: again ? 'true' : 'false' },
    token: admin.adminToken,
  })
  expect(found.status).toBe(200)
  return found.body
}
/** A check with other limits or settings than those of the app, which is not asked over HTTP. */
const look = (
  name: CheckName,
  { limits = {}, config = {} }: { limits?: Partial<typeof LIMITS | object>; config?: Partial<Config> } = {},
) => {
  const context = healthContext(app.context)
  const settings = { ...context.config, ...config }
  return runCheck(
    {
      ...context,
      config: settings,
      model: makeLanguageModel(settings.model),
      limits: { ...LIMITS, ...limits },
    },
    name,
  )
}
const words = ({ findings }: CheckReport) =>
  findings.flatMap(({ subject, seen, wrong, mend }) => [subject, seen, wrong, mend]).join(' ')
const sql = (text: string, values: unknown[] = []) => runSql(app.context.db, text, values)

async function connected(user: TestUser, address: string, port = sink.port): Promise<void> {
  const body = mailAccountAt({ port }, { from: address })
  expect((await call(app.url, mailboxSetup.save, { token: user.token, body })).status).toBe(200)
}

describe('a Howl that is well', () => {
  test('says so in every check, but where nobody can tell yet', async () => {
    const reports = await Promise.all(CHECK_NAMES.map((name) => ask(name)))
    const states = Object.fromEntries(reports.map(({ name, state }) => [name, state]))
    expect(states).toEqual({
      // It warns where the machine of the tests is busy.
      database: expect.stringMatching(/ok|warning/),
      migrations: 'ok',
      activity_log: 'unknown',
      backups: 'warning',
      worker: 'ok',
      queue: 'ok',
      outgoing_mail: 'ok',
      mailboxes: 'ok',
      disk: expect.stringMatching(/ok|warning/),
      memory: expect.stringMatching(/ok|warning/),
      files: 'ok',
      exchange_rates: 'ok',
      clock: expect.stringMatching(/ok|unknown/),
      public_url: 'ok',
      certificate: 'ok',
      system_mail: 'ok',
      sending_domains: expect.any(String),
      model: 'ok',
    })
    for (const report of reports) expect(words(report)).not.toMatch(/undefined|NaN|null|\[object/)
  })

  test('refuses a check that there is not', async () => {
    const params = { name: 'astrology' }
    const found = await call(app.url, systemHealth.check, { params, token: admin.adminToken })
    expect([found.status, found.error.detail]).toEqual([400, 'name: There is no such check'])
  })
})

describe('the database', () => {
  test('warns of a transaction that stays open, and of connections that run out', async () => {
    await inTransaction(app.context.db, async (tx) => {
      await runSql(tx, 'SELECT 1')
      const report = await look('database', { limits: { transactionLong: -1, connectionsAll: 0 } })
      expect(report.state).toBe('failure')
      expect(words(report)).toMatch(/A transaction has been open for \d+ seconds?/)
      expect(words(report)).toContain('New connections will soon be refused.')
    })
  })

  test('names a change that is missing, and one that only a newer version knows', async () => {
    await sql(`DELETE FROM kysely_migration WHERE name = '0100-baseline'`)
    expect(words(await ask('migrations'))).toContain('lacks a change of this version (0100-baseline)')
    await sql(
      `INSERT INTO kysely_migration (name, timestamp) VALUES ('0100-baseline', '2026'), ('9999-later', '2026')`,
    )
    const report = await ask('migrations')
    expect(report.state).toBe('failure')
    expect(words(report)).toContain('changed by a newer version (9999-later)')
    await sql(`DELETE FROM kysely_migration WHERE name = '9999-later'`)
    expect((await ask('migrations')).state).toBe('ok')
  })

  test('is fine with the schema of the version before the baseline, and names an older one', async () => {
    const names = Object.keys(MIGRATIONS)
    const named = async (given: string[]) => {
      await sql('DELETE FROM kysely_migration')
      await sql(`INSERT INTO kysely_migration (name, timestamp) SELECT unnest($1::text[]), '2026'`, [given])
    }
    await named(['0090-mail-identity'])
    expect((await ask('migrations')).state).toBe(names.length === 1 ? 'ok' : 'warning')
    await named(['0088-mail-troubles'])
    const report = await ask('migrations')
    expect(report.state).toBe('failure')
    expect(words(report)).toContain(
      'too old for this version to bring it up to date (its last change is 0088',
    )
    await named(names)
  })

  test('tells how the last check of the activity log ended', async () => {
    const check = () => call(app.url, activities.check, { token: admin.adminToken })
    await check()
    expect(words(await ask('activity_log'))).toMatch(/checked just now.+Nothing was changed/)
    const change = (score: number) =>
      app.context.db.transaction().execute(async (tx) => {
        await runSql(tx, 'SET LOCAL session_replication_role = replica')
        await runSql(
          tx,
          'UPDATE activities SET risk_score = $1 WHERE id = (SELECT min(id) FROM activities)',
          [score],
        )
      })
    await change(99)
    await check()
    expect((await ask('activity_log')).state).toBe('failure')
    await change(0)
    await check()
    expect((await ask('activity_log')).state).toBe('ok')
  })

  test('knows how old the last backup is', async () => {
    const folder = path.join(app.dataDir, 'backups')
    await mkdir(folder, { recursive: true })
    const made = (daysAgo: number, failed: object | null = null) => {
      const taken_at = new Date(app.clock.now().getTime() - daysAgo * DAY_MS).toISOString()
      return writeFile(
        path.join(folder, 'last.json'),
        JSON.stringify({ good: { taken_at, bytes: 2048 }, failed }),
      )
    }
    await made(0)
    expect((await ask('backups')).state).toBe('ok')
    await made(5)
    expect((await ask('backups')).state).toBe('warning')
    await made(40)
    expect(await ask('backups')).toMatchObject({
      state: 'failure',
      findings: [{ seen: 'The last backup was made 40 days ago (2 kB).' }],
    })
    await made(0, { at: app.clock.now().toISOString(), why: 'the disk is full' })
    const report = await ask('backups')
    expect(report.state).toBe('failure')
    expect(words(report)).toContain('the disk is full')
  })
})

describe('background work', () => {
  test('is missed where no process does it', async () => {
    const alone = await startTestApp({ roles: ['web'] })
    const report = await runCheck(healthContext(alone.context), 'worker')
    expect(report).toMatchObject({
      state: 'failure',
      findings: [{ seen: 'No process does background work.' }],
    })
    // A worker that hangs still says that it is alive.
    const now = alone.clock.now()
    await runSql(
      alone.context.db,
      `INSERT INTO workers (id, started_at, heartbeat_at, is_worker, round_at) VALUES ('stuck', $1, $1, true, $2)`,
      [now, new Date(now.getTime() - 600_000)],
    )
    expect(words(await runCheck(healthContext(alone.context), 'worker'))).toContain(
      'No step of its work has come to an end for 10 minutes.',
    )
    await alone.end()
  })

  test('names a loop that fails again and again, until it works', async () => {
    let isBroken = true
    startLoop(app.context, 'broken work', 5, async () => {
      if (isBroken) throw new Error('broken')
    })
    await expect.poll(async () => words(await ask('worker'))).toContain('fail again and again: broken work.')
    isBroken = false
    await expect.poll(async () => (await ask('worker')).state).toBe('ok')
  })

  describe('dead jobs', () => {
    const list = async () => (await call(app.url, systemHealth.deadJobs, { token: admin.adminToken })).body
    const noted = async (text: string) =>
      (
        await call(app.url, activities.list, {
          query: { search: text, type: 'admin_act' },
          token: admin.adminToken,
        })
      ).body.activities

    // Neither these accounts nor what their runs have asked of the model is to be seen by the tests that follow.
    afterAll(() => sql(`DELETE FROM mailboxes WHERE address = 'ada@far.example'; DELETE FROM ai_house_days`))

    /** A run whose last attempt fails: nobody can read to whom it goes. */
    async function aDeadJob(userId: number): Promise<string> {
      const before = (await list()).total
      await sql(
        `WITH box AS (INSERT INTO mailboxes (user_id, is_primary, address, created_at)
           VALUES ($1, true, 'ada@far.example', $2) RETURNING id)
         INSERT INTO outreach_batches (user_id, mailbox_id, state, started_at, failures, audience)
         SELECT $1, id, 'running', $2, 5, '5' FROM box`,
        [userId, app.clock.now()],
      )
      await expect.poll(async () => (await list()).total).toBe(before + 1)
      return (await list()).jobs[0]?.id ?? ''
    }

    test('are listed with whose they are and why, without secrets; warn; are dropped', async () => {
      const user = await signUp(app.url)
      const id = await aDeadJob(user.id)
      expect((await list()).jobs[0]).toMatchObject({
        title: 'Bulk run',
        user_id: user.id,
        user_email: user.email,
        attempts: 6,
        error: expect.stringMatching(/\w/),
      })
      await sql(`UPDATE outreach_batches SET last_failure = $2 WHERE user_id = $1`, [
        user.id,
        'connect smtp://ada:hunter2@far.example failed, password=hunter3\n    at secret.ts:1',
      ])
      expect((await list()).jobs[0]?.error).toBe('connect smtp://…@far.example failed, password=…')
      const report = await ask('queue')
      expect(report.state).toBe('warning')
      expect(words(report)).toContain('1 job has failed every attempt.')

      const drop = () => call(app.url, systemHealth.dropJob, { params: { id }, token: admin.adminToken })
      expect((await drop()).body).toEqual({ changed: 1 })
      expect((await drop()).status).toBe(404)
      expect((await list()).total).toBe(0)
      expect((await ask('queue')).state).toBe('ok')
      expect(await noted('dropped')).toHaveLength(1)
    })

    test('are tried again, one or all, and each once', async () => {
      const [one, other] = [await signUp(app.url), await signUp(app.url)]
      await aDeadJob(one.id)
      await aDeadJob(other.id)
      // What was wrong is mended.
      await sql(`UPDATE outreach_batches SET audience = NULL`)
      const { body } = await call(app.url, systemHealth.retryJobs, { token: admin.adminToken })
      expect(body).toEqual({ changed: 2 })
      const states = async () =>
        (
          await sql(`SELECT state FROM outreach_batches WHERE user_id = ANY($1)`, [[one.id, other.id]])
        ).rows.map((row) => (row as { state: string }).state)
      await expect.poll(states).toEqual(['done', 'done'])
      expect((await list()).total).toBe(0)
      const again = await call(app.url, systemHealth.retryJobs, { token: admin.adminToken })
      expect(again.body).toEqual({ changed: 0 })
      expect(await noted('tried')).toHaveLength(1)
      const odd = { id: '-'.repeat(36) }
      const token = admin.adminToken
      expect([400, 404]).toContain((await call(app.url, systemHealth.dropJob, { params: odd, token })).status)
    })
  })
})

describe('the server', () => {
  test('warns of a disk that fills up, and fails on a full one', async () => {
    const endless = { bytes: Infinity, share: 2 }
    expect(
      (await look('disk', { limits: { diskLittle: endless, diskFull: { bytes: 0, share: 0 } } })).state,
    ).toBe('warning')
    const full = await look('disk', { limits: { diskFull: endless } })
    expect(full).toMatchObject({
      state: 'failure',
      findings: [{ wrong: expect.stringContaining('The disk is full') }],
    })
    // A folder that is not there is no full disk.
    expect((await look('disk', { config: { dataDir: '/nowhere' } })).state).toBe('unknown')
  })

  test('fails where memory is nearly gone', async () => {
    expect((await look('memory', { limits: { memoryFull: { bytes: Infinity, share: 2 } } })).state).toBe(
      'failure',
    )
  })

  test('names secrets that others can open, and a key that is gone', async () => {
    const file = path.join(app.dataDir, 'secret-key')
    const config = { secretKey: null }
    expect(words(await look('files', { config }))).toContain('secret-key is not there')
    await writeFile(file, 'a key', { mode: 0o600 })
    expect((await look('files', { config })).state).toBe('ok')
    await chmod(file, 0o644)
    const report = await look('files', { config })
    expect(report.state).toBe('failure')
    expect(words(report)).toContain(`chmod 600 ${file}`)
  })

  test('compares its clock with the database, and with a server elsewhere', async () => {
    let offset = 0
    answer = (_, response) => {
      response.setHeader('Date', new Date(app.clock.now().getTime() + offset).toUTCString())
      response.end()
    }
    const config = { exchangeRatesUrl: `${app.context.config.publicUrl}/rates` }
    expect(words(await look('clock', { config }))).toContain('The clock agrees with 127.0.0.1.')
    offset = 20_000
    expect(await look('clock', { config })).toMatchObject({ state: 'warning' })
    const context = healthContext(app.context)
    const clock = { now: () => new Date(app.clock.now().getTime() + 61_000) }
    const report = await runCheck({ ...context, clock }, 'clock')
    expect(report.findings[0]).toMatchObject({
      subject: 'Database',
      state: 'failure',
      seen: expect.stringMatching(/^The clock is (5|6)\d seconds ahead of the database\.$/) as string,
    })
  })
})

describe('mail', () => {
  test('counts mailboxes that are refused, and tells nothing of their mails', async () => {
    const user = await signUp(app.url)
    await connected(user, 'ada@muster.example')
    sink.setScript(({ step }) => (step === 'auth' ? { reply: '535 5.7.8 Wrong password' } : undefined))
    const body = { to: 'bob@customer.example', subject: 'A secret offer', content: 'Only for you' }
    await call(app.url, emails.send, { token: user.token, body })
    await expect.poll(async () => (await ask('mailboxes')).state).toBe('warning')
    const report = await ask('mailboxes')
    expect(words(report)).toContain('1 of 1 mailbox is refused by the mail server.')
    expect(words(report)).toContain('127.0.0.1 (1)')
    expect(words(report)).not.toMatch(/secret|bob|ada/)
  })

  test('fails where most mailboxes are in trouble: that is not their owners’ doing', async () => {
    const user = await signUp(app.url)
    await connected(user, 'eva@muster.example')
    const until = new Date(app.clock.now().getTime() + 3_600_000)
    await sql(
      `UPDATE mailboxes SET send_pause_until = $1, last_error = 'Not now' WHERE NOT is_practice AND NOT is_system`,
      [until],
    )
    const report = await ask('mailboxes')
    expect(report.state).toBe('failure')
    expect(words(report)).toContain('hardly their owners’ doing')
  })

  test('fails where mail does not leave though nothing holds it back', async () => {
    const quiet = await startTestApp({ roles: ['web'] })
    const user = await connectWriter(quiet, sink)
    await call(quiet.url, emails.send, {
      token: user.token,
      body: { to: 'bob@customer.example', subject: 'Hello', content: 'Hello' },
    })
    await runSql(
      quiet.context.db,
      `UPDATE deliveries SET state = 'queued', queue = 'due', next_try_at = $1`,
      [new Date(quiet.clock.now().getTime() - 3 * 3_600_000)],
    )
    const report = await runCheck(healthContext(quiet.context), 'outgoing_mail')
    expect(report.state).toBe('failure')
    expect(words(report)).toContain('The oldest should have left 3 hours ago.')
    await quiet.end()
  })

  test('tries the server of mails from Howl itself: password, silence, nothing set', async () => {
    const smtp = readConfig({ SYSTEM_SMTP_URL: `smtp://howl:secret@127.0.0.1:${systemSink.port}` }).systemSmtp
    expect((await look('system_mail', { config: { systemSmtp: smtp } })).state).toBe('ok')
    systemSink.setScript(({ step }) => (step === 'auth' ? { reply: '535 5.7.8 Wrong password' } : undefined))
    const refused = await look('system_mail', { config: { systemSmtp: smtp } })
    expect(refused.state).toBe('failure')
    expect(words(refused)).toContain('did not accept the user name and password')
    expect(words(refused)).not.toContain('secret')
    systemSink.setScript(({ step }) => (step === 'connect' ? 'stall' : undefined))
    const silent = await look('system_mail', { config: { systemSmtp: smtp } })
    expect(silent.state).toBe('failure')
    expect(silent.took_ms).toBeLessThan(15_000)
    const none = await look('system_mail', { config: { systemSmtp: null } })
    expect(none.state).toBe('warning')
    expect(words(none)).toContain('SYSTEM_SMTP_URL is not set.')
    expect(words(none)).toContain('Password codes are only written to the log')
    const publicUrl = 'https://howl.muster.example'
    expect((await look('system_mail', { config: { systemSmtp: null, publicUrl } })).state).toBe('failure')
    const open = { systemSmtp: null, host: '0.0.0.0' }
    expect((await look('system_mail', { config: open })).state).toBe('failure')
  }, 30_000)

  describe('of domains', () => {
    const DOMAIN = 'wolf-and-moon.com'
    const stateOf = ({ findings }: CheckReport, record: string) =>
      findings.find(({ subject }) => subject === `${DOMAIN} · ${record}`)
    let user: TestUser

    beforeAll(async () => {
      user = await signUp(app.url)
      await connected(user, `ada@${DOMAIN}`)
    })

    test('fails without records, and says which to add', async () => {
      const report = await look('sending_domains')
      expect(stateOf(report, 'SPF')).toMatchObject({ state: 'failure', seen: 'There is no SPF record.' })
      expect(stateOf(report, 'DKIM')).toMatchObject({ state: 'unknown' })
      expect(stateOf(report, 'DMARC')).toMatchObject({
        state: 'warning',
        mend: expect.stringContaining(`_dmarc.${DOMAIN}`),
      })
    })

    test('is well with all three, and finds the selector of mails that came in', async () => {
      dns.records.set(DOMAIN, ['google-site-verification=x', 'v=spf1 include:mail.example -all'])
      dns.records.set(`_dmarc.${DOMAIN}`, ['v=DMARC1; p=none'])
      const [mailId] = await storeMails(app, user.id, [{ from: `eva@${DOMAIN}` }])
      const raw = `DKIM-Signature: v=1; a=rsa-sha256; d=${DOMAIN};\r\n s=odd2026; h=from\r\nFrom: eva@${DOMAIN}\r\n\r\nHello`
      await sql('UPDATE email_bodies SET raw = $3 WHERE user_id = $1 AND email_id = $2', [
        user.id,
        mailId,
        Buffer.from(raw),
      ])
      const missing = await look('sending_domains')
      expect(stateOf(missing, 'DKIM')).toMatchObject({
        state: 'failure',
        seen: 'Mails are signed with odd2026, but this key is not published.',
      })
      dns.records.set(`odd2026._domainkey.${DOMAIN}`, [`v=DKIM1; k=rsa; p=${'A'.repeat(392)}`])
      const report = await look('sending_domains')
      expect(['SPF', 'DKIM', 'DMARC'].map((record) => stateOf(report, record)?.state)).toEqual([
        'ok',
        'ok',
        'ok',
      ])
    })

    test.each([
      ['SPF', DOMAIN, ['v=spf1 +all'], 'failure', 'every server in the world'],
      ['SPF', DOMAIN, ['v=spf1 a -all', 'v=spf1 mx -all'], 'failure', 'none counts'],
      ['SPF', DOMAIN, ['v=spf1 mx'], 'warning', 'does not say'],
      ['SPF', DOMAIN, [`v=spf1 ${'include:x.example '.repeat(11)}-all`], 'failure', 'more than ten'],
      ['DMARC', `_dmarc.${DOMAIN}`, ['v=DMARC1; rua=mailto:a@b.example'], 'failure', 'counts as none'],
    ])('finds a broken %s record at %s: %j', async (record, name, texts, state, wrong) => {
      const before = dns.records.get(name) ?? []
      dns.records.set(name, texts)
      const found = stateOf(await look('sending_domains'), record)
      expect(found).toMatchObject({ state, wrong: expect.stringContaining(wrong) })
      dns.records.set(name, before)
    })

    test.each(['hangs', 'babbles'] as const)(
      'a name server that %s makes it unknown, in time',
      async (mood) => {
        dns.mood = mood
        const report = await look('sending_domains')
        expect(stateOf(report, 'SPF')?.state ?? report.state).toBe('unknown')
        expect(report.took_ms).toBeLessThan(26_000)
      },
      40_000,
    )

    test('is asked about once an hour, unless somebody presses “Check again”', async () => {
      await ask('sending_domains', true)
      const before = dns.asked.length
      await Promise.all([ask('sending_domains'), ask('sending_domains')])
      expect(dns.asked.length).toBe(before)
      app.clock.forward(10_000)
      await ask('sending_domains', true)
      expect(dns.asked.length).toBeGreaterThan(before)
      const asked = dns.asked.length
      app.clock.forward(61 * 60_000)
      // An hour without use ends an administrator's session.
      admin = { ...admin, adminToken: await adminTokenOf(app, admin) }
      await ask('sending_domains')
      expect(dns.asked.length).toBeGreaterThan(asked)
    })
  })
})

describe('what is outside', () => {
  test.each([
    ['is no Howl', (_, response) => void response.end('<html>'), 'but is not Howl'],
    [
      'is another Howl',
      (_, response) => void response.end(JSON.stringify({ version: '0.0.1', worker_lag: 1 })),
      'Another Howl answers there',
    ],
    [
      'sends visitors elsewhere',
      (_, response) => void response.writeHead(302, { location: 'https://else.example/x' }).end(),
      'sends visitors on to https://else.example.',
    ],
    ['hangs up', (request) => void request.socket.destroy(), 'does not answer'],
  ] as [string, RequestListener, string][])(
    'fails where the public address %s',
    async (_, behaviour, text) => {
      answer = behaviour
      const report = await ask('public_url')
      expect(report.state).toBe('failure')
      expect(words(report)).toContain(text)
    },
  )

  test('fails where passwords would travel unencrypted', async () => {
    const report = await look('public_url', { config: { publicUrl: 'http://howl.invalid' } })
    expect(words(report)).toContain('The address begins with http.')
  })

  test('finds a certificate that nobody trusts', async () => {
    const secure = await startSmtpSink({ security: 'tls' })
    const report = await look('certificate', { config: { publicUrl: `https://localhost:${secure.port}` } })
    expect(report.state).toBe('failure')
    expect(words(report)).toMatch(/not trusted|ended/)
    await secure.stop()
    const gone = await look('certificate', { config: { publicUrl: `https://localhost:${secure.port}` } })
    expect(gone.state).toBe('unknown')
  })

  test('asks the language model, and tells when its cap is reached', async () => {
    const asked = model.questions.length
    expect(words(await look('model'))).toMatch(/tiny at 127\.0\.0\.1:\d+ answered in \d+ ms/)
    expect(model.questions.length).toBe(asked + 1)
    model.answer({ status: 500, message: 'out of order' })
    expect((await look('model')).state).toBe('failure')
    model.answer('Hello.')
    await sql(`INSERT INTO ai_house_days (day, requests) VALUES ($1, 3)`, [
      app.clock.now().toISOString().slice(0, 10),
    ])
    const capped = await look('model')
    expect(capped.state).toBe('warning')
    expect(words(capped)).toContain('3 of 3 requests of today are used.')
  })

  test('warns of exchange rates that no longer come', async () => {
    const config = { exchangeRatesUrl: 'https://rates.example' }
    const now = app.clock.now().getTime()
    const keep = (fetchedAgo: number, nextIn: number) =>
      sql(
        `INSERT INTO exchange_rates (base, rates, as_of, fetched_at, source, next_try_at) VALUES ('USD', '{}', $1, $1, 'rates.example', $2)
         ON CONFLICT (base) DO UPDATE SET as_of = $1, fetched_at = $1, next_try_at = $2`,
        [new Date(now - fetchedAgo), new Date(now + nextIn)],
      )
    // Nobody has opened an invoice for a week: nothing is wrong.
    await keep(7 * DAY_MS, -7 * DAY_MS + 3_600_000)
    expect((await look('exchange_rates', { config })).state).toBe('ok')
    await keep(7 * DAY_MS, 300_000)
    expect((await look('exchange_rates', { config })).state).toBe('warning')
  })
})
