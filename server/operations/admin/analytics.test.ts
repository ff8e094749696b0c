import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admin } from '#contract/operations/admin.ts'
import { adminAnalytics } from '#contract/operations/admin-analytics.ts'
import { auth } from '#contract/accounts/auth.ts'
import { leaving } from '#contract/operations/leaving.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { purgeAccounts } from '#server/operations/leaving/purge-accounts.ts'
import {
  adminTokenOf,
  anAdministrator,
  type TestAdministrator,
} from '../../../tests/support/administrators.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { systemMailOn, systemMailTo } from '../../../tests/support/system-mail.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter, sendAs } from '../../../tests/support/writing.ts'

const QUARTER_MS = 15 * 60_000
const DAY_MS = 96 * QUARTER_MS

/** Days are those in UTC, whichever zone a call names. */
const ZONES = ['UTC', 'Asia/Kathmandu']

let app: TestApp
let boss: TestAdministrator

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  boss = await anAdministrator(app)
})
afterAll(() => app.end())

type Asked = { days?: '30' | '90' | '365'; time_zone?: string }
const analytics = async (query: Asked = {}, { url } = app, { adminToken } = boss) =>
  (await call(url, adminAnalytics.read, { token: adminToken, query: { time_zone: 'UTC', ...query } })).body
type Periods = Awaited<ReturnType<typeof analytics>>['periods']
const sums = (periods: Periods) => ({
  signups: periods.reduce((sum, { signups }) => sum + signups, 0),
  deletions: periods.reduce((sum, { deletions }) => sum + deletions, 0),
  emails_sent: periods.reduce((sum, { emails_sent: sent }) => sum + sent, 0),
})
const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: 'UTC', dateStyle: 'short' })

/** Accounts that were opened, and perhaps deleted, at these times. */
async function addAccounts(of: TestApp, accounts: readonly { opened: Date; deleted: Date | null }[]) {
  await runSql(
    of.context.db,
    `INSERT INTO users (email, email_key, username, username_key, password_hash, name, created_at, deleted_at)
     SELECT key, key, key, key, '-', 'Tester', opened, deleted
     FROM unnest($1::timestamptz[], $2::timestamptz[]) WITH ORDINALITY AS a(opened, deleted, n),
       LATERAL (SELECT 'counted' || n || '@howl.example' AS key) k`,
    [accounts.map(({ opened }) => opened), accounts.map(({ deleted }) => deleted)],
  )
}

describe('sign-ups, deletions and mails', () => {
  let house: TestApp
  let keeper: TestAdministrator
  /** Accounts at every hour of the day and every quarter, for more than a year. */
  let accounts: { opened: Date; deleted: Date | null }[]
  let own: Date

  beforeAll(async () => {
    house = await startTestApp({ roles: ['web'] })
    keeper = await anAdministrator(house)
    const now = house.clock.now().getTime()
    own = house.clock.now()
    accounts = Array.from({ length: 1500 }, (_, n) => {
      const opened = now - 60_000 - n * (6 * 60 + 35) * 60_000
      const left = opened + (n % 40) * 7 * 3_600_000
      return { opened: new Date(opened), deleted: n % 3 === 0 && left < now ? new Date(left) : null }
    })
    await addAccounts(house, accounts)
    const first = Math.floor((now - 380 * DAY_MS) / QUARTER_MS) * QUARTER_MS
    await runSql(
      house.context.db,
      `INSERT INTO mail_activity (user_id, at, source, sent)
       SELECT u.id, date_bin('1 hour', at, 'epoch'), 'left', quarters_of(array_agg(at))
       FROM (SELECT id FROM users WHERE email LIKE 'counted%' LIMIT 2) u,
         generate_series($1::timestamptz, $2::timestamptz, interval '15 minutes') AS at,
         generate_series(1, (extract(epoch FROM at) / 900)::bigint * 7919 % 5) AS one GROUP BY 1, 2`,
      [new Date(first), new Date(Math.floor(now / QUARTER_MS) * QUARTER_MS)],
    )
  })
  afterAll(() => house.end())

  const sentAt = (at: number) => 2 * (((at / QUARTER_MS) * 7919) % 5)

  it.each(ZONES)('are counted on their days in UTC (%s)', async (time_zone) => {
    const expected = new Map<string, { signups: number; deletions: number; emails_sent: number }>()
    const on = (at: number) => {
      const day = calendar.format(at)
      if (!expected.has(day)) expected.set(day, { signups: 0, deletions: 0, emails_sent: 0 })
      return expected.get(day)!
    }
    on(own.getTime()).signups += 1
    for (const { opened, deleted } of accounts) {
      on(opened.getTime()).signups += 1
      if (deleted !== null) on(deleted.getTime()).deletions += 1
    }
    const last = Math.floor(own.getTime() / QUARTER_MS) * QUARTER_MS
    for (let at = last; at > last - 375 * DAY_MS; at -= QUARTER_MS) on(at).emails_sent += sentAt(at)

    for (const days of ['30', '90'] as const) {
      const { by, periods } = await analytics({ days, time_zone }, house, keeper)
      expect([by, periods.length]).toEqual(['day', Number(days)])
      expect(periods.at(-1)?.from).toBe(calendar.format(house.clock.now()))
      expect(periods.map(({ active_users: _, ...each }) => each)).toEqual(
        periods.map(({ from }) => ({
          from,
          ...(expected.get(from) ?? { signups: 0, deletions: 0, emails_sent: 0 }),
        })),
      )
    }
    const { by, periods } = await analytics({ days: '365', time_zone }, house, keeper)
    expect(by).toBe('week')
    const weeks = periods.map(({ from }) => from)
    expect(weeks.every((from) => new Date(`${from}T00:00:00Z`).getUTCDay() === 1)).toBe(true)
    expect(weeks[0]! <= calendar.format(house.clock.now().getTime() - 364 * DAY_MS)).toBe(true)
    for (const [at, { from, active_users: _, ...counted }] of periods.entries()) {
      const until = weeks[at + 1] ?? '9999'
      const inWeek = [...expected].filter(([day]) => day >= from && day < until).map(([, each]) => each)
      expect([from, counted]).toEqual([
        from,
        {
          signups: inWeek.reduce((sum, { signups }) => sum + signups, 0),
          deletions: inWeek.reduce((sum, { deletions }) => sum + deletions, 0),
          emails_sent: inWeek.reduce((sum, { emails_sent: sent }) => sum + sent, 0),
        },
      ])
    }
  })
})

describe('what is counted', () => {
  it('is a deletion until the account is restored, and stays counted when it is removed', async () => {
    const before = await analytics()
    const [restored, removed] = [await signUp(app.url), await signUp(app.url)]
    for (const { token } of [restored, removed]) await call(app.url, leaving.deleteAccount, { token })
    const deleted = await analytics()
    expect(sums(deleted.periods)).toMatchObject({
      signups: sums(before.periods).signups + 2,
      deletions: sums(before.periods).deletions + 2,
    })
    await call(app.url, admin.restoreUser, { params: { id: restored.id }, token: boss.adminToken })
    expect(sums((await analytics()).periods).deletions).toBe(sums(before.periods).deletions + 1)

    app.clock.forward(31 * DAY_MS)
    await purgeAccounts(app.context)
    const { rows } = await runSql(app.context.db, 'SELECT id FROM users WHERE id = $1', [removed.id])
    expect(rows).toEqual([])
    boss = { ...boss, adminToken: await adminTokenOf(app, boss) }
    const after = await analytics({ days: '90' })
    expect(after.removed_users).toBe(before.removed_users + 1)
    expect(sums(after.periods)).toMatchObject({
      signups: sums(before.periods).signups + 2,
      deletions: sums(before.periods).deletions + 1,
    })
  })

  it('are mails that left, without those of Howl itself', async () => {
    const sink: SmtpSink = await startSmtpSink()
    const house = await startTestApp({ environment: systemMailTo(sink) })
    const keeper = await anAdministrator(house)
    const ada = await connectWriter(house, sink)
    await sendAs(house, ada)
    await sendAs(house, ada, { subject: 'Another offer', to: 'cy@customer.example' })
    // A confirmation of the address has left too, and the mail about the deletion.
    const gone = await signUp(house.url)
    await call(house.url, leaving.deleteAccount, { token: gone.token })
    await systemMailOn(sink, gone.email, 'Your Howl account was deleted')
    await expect.poll(async () => sums((await analytics({}, house, keeper)).periods).emails_sent).toBe(2)
    await house.end()
    await sink.stop()
  })

  it('refuses other spans of time, and zones that do not exist', async () => {
    for (const query of ['?days=31', '?time_zone=Nowhere/Atall']) {
      const answer = await fetch(`${app.url}/api/v1/admin/analytics${query}`, {
        headers: { Authorization: `Bearer ${boss.adminToken}` },
      })
      expect(answer.status).toBe(400)
    }
  })
})

describe('active users', () => {
  it('are those of the day, each once', async () => {
    const house = await startTestApp({ roles: ['web'] })
    const keeper = await anAdministrator(house)
    await addAccounts(
      house,
      Array.from({ length: 6 }, () => ({ opened: new Date('2020-01-01'), deleted: null })),
    )
    // The administrator came in at this moment; all others came in before.
    await runSql(house.context.db, 'UPDATE house_days SET seen = 0')
    await runSql(house.context.db, 'DELETE FROM seen_users')
    const { rows } = await runSql(house.context.db, `SELECT id FROM users WHERE email LIKE 'counted%'`)
    const users = (rows as { id: number }[]).map(({ id }) => id)
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    const now = house.clock.now().getTime()
    const seen: { user: number; at: number }[] = []
    for (let at = now - 95 * DAY_MS; at < now; at += random(400) * 60_000)
      seen.push({ user: users[random(users.length)] ?? 0, at })
    await runSql(
      house.context.db,
      `INSERT INTO sessions (user_id, id, created_at, last_seen_at, expires_at, ip, user_agent)
       SELECT user_id, gen_random_uuid(), at, at, at + interval '30 days', '', ''
       FROM unnest($1::bigint[], $2::timestamptz[]) AS s(user_id, at) ORDER BY at`,
      [seen.map(({ user }) => user), seen.map(({ at }) => new Date(at))],
    )
    for (const time_zone of ZONES) {
      const days = new Map<string, Set<number>>()
      for (const { user, at } of seen) {
        const day = calendar.format(at)
        days.set(day, (days.get(day) ?? new Set()).add(user))
      }
      const { periods } = await analytics({ days: '90', time_zone }, house, keeper)
      expect(periods.map(({ from, active_users: users }) => [from, users])).toEqual(
        periods.map(({ from }) => [from, days.get(from)?.size ?? 0]),
      )
      // A week's is the mean of its days.
      const year = await analytics({ days: '365', time_zone }, house, keeper)
      const week = year.periods.at(-3)!
      const inWeek = Array.from({ length: 7 }, (_, n) =>
        new Date(Date.parse(`${week.from}T00:00:00Z`) + n * DAY_MS).toISOString().slice(0, 10),
      )
      const mean = inWeek.reduce((sum, day) => sum + (days.get(day)?.size ?? 0), 0) / 7
      expect(week.active_users).toBe(Math.round(mean * 10) / 10)
      expect(year.periods[0]?.active_users).toBeNull()
      expect(year.active_users_since).toBe(new Date(Math.floor(seen[0]!.at / DAY_MS) * DAY_MS).toISOString())
    }
    await house.end()
  })

  it('are counted as they make calls', async () => {
    const house = await startTestApp({ roles: ['web'] })
    const keeper = await anAdministrator(house)
    const user = await signUp(house.url)
    const today = async () => (await analytics({}, house, keeper)).periods.at(-1)?.active_users
    expect(await today()).toBe(2)
    house.clock.forward(DAY_MS)
    const token = await adminTokenOf(house, keeper)
    const fresh = { ...keeper, adminToken: token }
    const tomorrow = async () => (await analytics({}, house, fresh)).periods.at(-1)?.active_users
    expect(await tomorrow()).toBe(1)
    // Who a token belongs to is remembered for a second.
    await expect
      .poll(async () => {
        await call(house.url, auth.me, { token: user.token })
        return tomorrow()
      })
      .toBe(2)
    await house.end()
  })
})
