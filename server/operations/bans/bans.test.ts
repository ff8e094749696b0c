import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { activities } from '#contract/accounts/activities.ts'
import { admin } from '#contract/operations/admin.ts'
import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { auth } from '#contract/accounts/auth.ts'
import { APPEAL_MAX, BAN_REASONS, bans } from '#contract/operations/bans.ts'
import { BASE_PATH } from '#contract/platform/endpoint.ts'
import { newAccounts } from '#contract/accounts/new-accounts.ts'
import { notifications } from '#contract/accounts/notifications.ts'
import { passwordReset } from '#contract/accounts/password-reset.ts'
import { twoStep } from '#contract/accounts/two-step.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import {
  adminTokenOf,
  anAdministrator,
  setAdmin,
  type TestAdministrator,
} from '../../../tests/support/administrators.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { newestSystemMail, systemMailOn, systemMailTo } from '../../../tests/support/system-mail.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { codeOf, switchTwoStepOn } from '../../../tests/support/two-step.ts'
import { banUser } from './ban-user.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Two web processes on one database, with one clock; the first one's worker ends bans and sends system mail. */
let sink: SmtpSink
let app: TestApp
let other: TestApp
let boss: TestAdministrator
let ada: TestUser

beforeAll(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({ environment: systemMailTo(sink) })
  other = await startTestApp({ roles: ['web'], database: { url: app.databaseUrl }, clock: app.clock })
  boss = await anAdministrator(app, { name: 'Bess Boss' })
})
afterAll(async () => {
  await other?.end()
  await app?.end()
  await sink?.stop()
})
beforeEach(async () => {
  ada = await signUp(app.url)
  boss = { ...boss, adminToken: await adminTokenOf(app, boss) }
})

type Given = {
  reason?: (typeof BAN_REASONS)[number]
  description?: string
  ban_duration_days?: number | null
}
const ban = (user: { id: number }, given: Given = {}) =>
  call(app.url, bans.ban, {
    token: boss.adminToken,
    body: { user_id: user.id, reason: 'spam', description: 'Mailed a bought list', ...given },
  })
const unban = (user: { id: number }, reason = 'A mistake') =>
  call(app.url, bans.unban, { token: boss.adminToken, body: { user_id: user.id, reason } })
const logIn = (user = ada, more: { password?: string; totp?: string } = {}, base = app.url) =>
  call(base, auth.login, { body: { email: user.email, password: user.password, ...more } })
const appeal = (token: string | undefined, message = 'They all asked me to write') =>
  call(app.url, bans.appeal, { body: { appeal_token: token ?? '', message } })
const answer = (id: number, decision: 'lift' | 'keep', text = 'We have looked at it') =>
  call(app.url, bans.answer, {
    token: boss.adminToken,
    params: { id },
    body: { decision, answer: text },
  })
const listed = async (query: { status?: string } = {}) =>
  (await call(app.url, bans.list, { token: boss.adminToken, query: query as never })).body.bans
const bansOf = async (user = ada, query: { status?: string } = {}) =>
  (await listed(query)).filter(({ user_id: id }) => id === user.id)
const isSignedIn = async (token: string, base = app.url) =>
  (await call(base, auth.me, { token })).status === 200
const typesOf = async (user: { id: number }) =>
  (
    await call(app.url, activities.list, { token: boss.adminToken, query: { user_id: user.id } })
  ).body.activities.map(({ activity_type: type }) => type)
/** The zone of users who have none, and whose client tells none. */
const inWords = (at: string) =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Kolkata' }).format(new Date(at))} (Asia/Kolkata)`

describe('a ban', () => {
  it('ends every session in every process, streams too, and tells why and until when by mail', async () => {
    const { body: elsewhere } = await logIn(ada, {}, other.url)
    expect(await isSignedIn(elsewhere.token, other.url)).toBe(true)
    const stream = await fetch(`${other.url}${BASE_PATH}/events`, {
      headers: { Authorization: `Bearer ${elsewhere.token}` },
    })
    const { status, body } = await ban(ada, { ban_duration_days: 7 })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user_id: ada.id,
      user_email: ada.email,
      reason: 'spam',
      status: 'active',
      banned_by: boss.email,
      is_automatic: false,
      appeal_submitted_at: null,
    })
    expect(Date.parse(body.expires_at ?? '') - Date.parse(body.banned_at)).toBe(7 * DAY_MS)
    expect(await isSignedIn(ada.token)).toBe(false)
    // The stream ends: read to its end.
    await stream.text()
    await expect.poll(() => isSignedIn(elsewhere.token, other.url)).toBe(false)

    const mail = await systemMailOn(sink, ada.email, 'Your Howl account is banned')
    expect(mail.text).toContain(`is banned until ${inWords(body.expires_at ?? '')}.`)
    expect(mail.text).toContain('The reason: Spam. Mailed a bought list')
    expect(mail.text).toContain('/login')
    expect(await typesOf(ada)).toContain('account_banned')
    const acts = await call(app.url, activities.list, {
      token: boss.adminToken,
      query: { user_id: boss.id, type: 'admin_act' },
    })
    expect(acts.body.activities.map(({ description }) => description)).toContain(
      `Act of an administrator: banned user ${ada.id}`,
    )
  })

  it('in force takes no second one, and leaves the first as it is', async () => {
    const [first, second] = await Promise.all([ban(ada), ban(ada)])
    const third = await ban(ada, { reason: 'fraud', ban_duration_days: 1 })
    expect(second.body.id).toBe(first.body.id)
    expect(third.body).toEqual(first.body)
    expect(await bansOf()).toHaveLength(1)
    expect((await typesOf(ada)).filter((type) => type === 'account_banned')).toHaveLength(1)
  })

  it('makes its user Inactive in the lists', async () => {
    const find = async () => {
      const { body } = await call(app.url, admin.users, { token: boss.adminToken, query: { limit: 100 } })
      return body.users.find(({ id }) => id === ada.id)
    }
    const active = async () =>
      (await call(app.url, admin.stats, { token: boss.adminToken })).body.user_stats.active_users
    const before = await active()
    await ban(ada)
    expect(await find()).toMatchObject({ is_active: false })
    expect(await active()).toBe(before - 1)
    await unban(ada)
    expect(await find()).toMatchObject({ is_active: true })
    expect(await active()).toBe(before)
  })

  it.each(BAN_REASONS)('can have the reason %s', async (reason) => {
    expect((await ban(ada, { reason })).body.reason).toBe(reason)
  })

  it('is not of oneself, of nobody, of the deleted, nor of the last administrator', async () => {
    expect(await ban(boss)).toMatchObject({ status: 409, error: { detail: 'You cannot ban yourself.' } })
    expect(await ban({ id: 987_654_321 })).toMatchObject({
      status: 404,
      error: { detail: 'There is no such user.' },
    })
    expect((await unban({ id: 987_654_321 })).status).toBe(404)
    expect(await unban(ada)).toMatchObject({ status: 409, error: { detail: 'This user is not banned.' } })
    const rules = { userId: boss.id, reason: 'abuse', description: 'Too much', days: 1, by: null } as const
    await expect(banUser(app.context, rules)).rejects.toMatchObject({
      status: 409,
      message: 'The last administrator of this Howl cannot be banned.',
    })
    const second = await anAdministrator(app)
    const both = await Promise.allSettled([
      banUser(app.context, rules),
      banUser(app.context, { ...rules, userId: second.id }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await runSql(
      app.context.db,
      `UPDATE bans SET status = 'lifted', ended_at = banned_at WHERE user_id = ANY($1::bigint[])`,
      [[boss.id, second.id]],
    )
    await runSql(app.context.db, 'UPDATE users SET is_active = true WHERE id = ANY($1::bigint[])', [
      [boss.id, second.id],
    ])
    boss = { ...boss, adminToken: await adminTokenOf(app, boss) }
    await call(app.url, admin.deleteUser, {
      token: boss.adminToken,
      params: { id: ada.id },
      body: { reason: 'Gone' },
    })
    expect((await ban(ada)).status).toBe(404)
    await setAdmin(app, second.id, false)
  })

  it.each([
    [{ description: ' ' }, 'Please enter a description'],
    [{ description: 'x'.repeat(1001) }, 'Please keep this under 1000 characters'],
    [{ reason: 'envy' as never }, 'Please choose a reason'],
    [{ ban_duration_days: 0 }, 'Please enter a whole number of days from 1 to 3,650, or leave it empty'],
    [{ ban_duration_days: 1.5 }, 'Please enter a whole number of days from 1 to 3,650, or leave it empty'],
    [{ ban_duration_days: 3651 }, 'Please enter a whole number of days from 1 to 3,650, or leave it empty'],
  ])('with %j is refused', async (given, detail) => {
    expect(await ban(ada, given)).toMatchObject({ status: 400, error: { detail } })
    expect(await bansOf()).toEqual([])
  })

  it('by the rules of abuse names no administrator', async () => {
    const { isNew } = await banUser(app.context, {
      userId: ada.id,
      reason: 'multiple_accounts',
      description: 'Twelve accounts from one address',
      days: null,
      by: null,
    })
    expect(isNew).toBe(true)
    expect(await bansOf()).toMatchObject([{ is_automatic: true, banned_by: null, expires_at: null }])
    const { description } = (
      await call(app.url, activities.list, {
        token: boss.adminToken,
        query: { user_id: ada.id, type: 'account_banned' },
      })
    ).body.activities[0] ?? { description: '' }
    expect(description).toBe('Account banned: Multiple accounts, for good, by the rules of abuse')
  })

  it('of an administrator closes the administrator area at once, and its log-in', async () => {
    const keeper = await anAdministrator(app)
    await ban(keeper)
    expect(await call(other.url, admin.stats, { token: keeper.adminToken })).toMatchObject({
      status: 403,
      error: { detail: 'Access denied. Admin privileges required.' },
    })
    const { email, password } = keeper
    const right = await call(app.url, adminAuth.login, { body: { email, password } })
    expect(right).toMatchObject({ status: 403, error: { code: 'BANNED' } })
    const wrong = await call(app.url, adminAuth.login, { body: { email, password: 'not it' } })
    expect(wrong).toMatchObject({ status: 401, error: { detail: 'Wrong email or password' } })
    await unban(keeper)
    expect((await call(app.url, adminAuth.login, { body: { email, password } })).status).toBe(200)
  })

  it('goes with its account when that is removed, and an administrator who is removed stays a number', async () => {
    const keeper = await anAdministrator(app)
    const { body } = await call(app.url, bans.ban, {
      token: keeper.adminToken,
      body: { user_id: ada.id, reason: 'spam', description: 'Spam' },
    })
    await runSql(app.context.db, 'UPDATE users SET is_admin = false WHERE id = $1', [keeper.id])
    await runSql(app.context.db, 'DELETE FROM users WHERE id = $1', [keeper.id])
    expect(await bansOf()).toMatchObject([{ id: body.id, banned_by: null, is_automatic: false }])
    const { error } = await logIn()
    await appeal(error.appeal_token)
    await runSql(app.context.db, 'DELETE FROM users WHERE id = $1', [ada.id])
    expect(await bansOf()).toEqual([])
  })
})

describe('whoever is banned', () => {
  it('reads why and until when once the password is right, and nothing before', async () => {
    const { body } = await ban(ada, { ban_duration_days: 3 })
    const wrong = await logIn(ada, { password: 'not the password' })
    expect(wrong).toMatchObject({ status: 401, error: { detail: 'Wrong username or email or password' } })
    expect(Object.keys(wrong.error).sort()).toEqual(['code', 'detail'])
    const right = await logIn()
    expect(right).toMatchObject({
      status: 403,
      error: {
        code: 'BANNED',
        detail: `This account is banned until ${inWords(body.expires_at ?? '')}. The reason: Spam. Mailed a bought list`,
        ban: {
          reason: 'spam',
          description: 'Mailed a bought list',
          expires_at: body.expires_at,
          appeal_submitted_at: null,
          appeal_answer: null,
        },
      },
    })
    expect(right.error.appeal_token).toMatch(/^[\w-]{40,}$/)
    const kept = (await runSql(app.context.db, 'SELECT * FROM bans WHERE user_id = $1', [ada.id])).rows
    expect(JSON.stringify(kept)).not.toContain(right.error.appeal_token)
    expect(await typesOf(ada)).toContain('ban_shown')
  })

  it('for good reads that', async () => {
    await ban(ada, { reason: 'fraud', description: 'False invoices' })
    const { error } = await logIn()
    expect(error.detail).toBe('This account is banned for good. The reason: Fraud. False invoices')
    expect(error.ban?.expires_at).toBeNull()
  })

  it('with two-step sign-in reads it after the code only', async () => {
    const { secret } = await switchTwoStepOn(app.url, ada, () => app.clock.now())
    await ban(ada)
    expect((await logIn()).error).toMatchObject({ code: 'TOTP_REQUIRED' })
    expect((await logIn(ada, { totp: '000000' })).error.ban).toBeUndefined()
    const { status, error } = await logIn(ada, { totp: codeOf(secret, app.clock.now()) })
    expect([status, error.code]).toEqual([403, 'BANNED'])
    expect((await call(app.url, twoStep.get, { token: ada.token })).status).toBe(401)
  })

  it('may set a new password, which ends no ban, and cannot sign up again with the address', async () => {
    await ban(ada)
    await systemMailOn(sink, ada.email, 'Your Howl account is banned')
    const asked = await call(app.url, passwordReset.requestOtp, { body: { email: ada.email } })
    expect(asked.body).toMatchObject({ exists: true, otp_sent: true })
    const { subject } = await newestSystemMail(sink, ada.email, 2)
    const otp = /^\w{6}/.exec(subject)?.[0] ?? ''
    const password = 'vortex-Lampe-93'
    const reset = await call(app.url, passwordReset.resetByOtp, {
      body: { email: ada.email, otp, new_password: password, confirm_password: password },
    })
    expect(reset.status).toBe(200)
    expect((await logIn(ada, { password })).error.code).toBe('BANNED')
    const again = await call(app.url, newAccounts.register, {
      body: { email: ada.email, username: 'adaagain', password, name: 'Ada', company_name: 'Muster' },
    })
    expect(again).toMatchObject({
      status: 400,
      error: { detail: 'Email already exists. Please use a different email.' },
    })
  })

  it('is not slowed down for the right password', async () => {
    const strict = await startTestApp({
      roles: ['web'],
      environment: { RATE_LIMITS: 'on' },
      database: { url: app.databaseUrl },
      clock: app.clock,
    })
    try {
      await ban(ada)
      for (let n = 0; n < 8; n++) expect((await logIn(ada, {}, strict.url)).status).toBe(403)
    } finally {
      await strict.end()
    }
  })
})

describe('the end of a ban', () => {
  it('comes by itself: in the list, at log-in, and with the loop', async () => {
    await ban(ada, { ban_duration_days: 2 })
    const web = await signUp(app.url)
    await ban(web, { ban_duration_days: 2 })
    app.clock.forward(2 * DAY_MS - HOUR_MS)
    expect((await logIn()).error.code).toBe('BANNED')
    app.clock.forward(HOUR_MS + 1000)
    // Nobody waits for the loop.
    expect((await logIn(web, {}, other.url)).status).toBe(200)
    boss = { ...boss, adminToken: await adminTokenOf(app, boss) }
    expect(await bansOf()).toMatchObject([{ status: 'expired' }])
    await expect.poll(() => typesOf(ada)).toContain('ban_expired')
    expect(await bansOf(ada, { status: 'expired' })).toMatchObject([{ status: 'expired' }])
    expect(await bansOf(ada, { status: 'active' })).toEqual([])
    expect((await logIn()).status).toBe(200)
    expect((await typesOf(web)).filter((type) => type === 'ban_expired')).toHaveLength(1)
    // A new one begins after it.
    expect((await ban(ada)).body.status).toBe('active')
    expect(await bansOf()).toHaveLength(2)
  })

  it('is told by mail where an administrator lifts it', async () => {
    await ban(ada)
    const { status, body } = await unban(ada, 'It was somebody else')
    expect([status, body.status, body.unban_reason]).toEqual([200, 'lifted', 'It was somebody else'])
    expect((await logIn()).status).toBe(200)
    const mail = await systemMailOn(sink, ada.email, 'Your Howl account is no longer banned')
    expect(mail.text).toContain('The reason: It was somebody else')
    expect(await typesOf(ada)).toContain('ban_lifted')
    expect((await unban(ada)).status).toBe(409)
  })
})

describe('an appeal', () => {
  it('reaches the administrator once, whose answer keeps the ban, or lifts it', async () => {
    const { body } = await ban(ada)
    const first = (await logIn()).error.appeal_token
    const second = (await logIn()).error.appeal_token
    // Only the newest is good.
    expect((await appeal(first)).status).toBe(400)
    expect((await appeal(second, '  ')).error.detail).toBe('Please write why the ban should end')
    expect((await appeal(second, 'x'.repeat(APPEAL_MAX + 1))).status).toBe(400)
    const sent = await Promise.all([appeal(second), appeal(second)])
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await bansOf(ada, { status: 'appealed' })).toMatchObject([
      { id: body.id, appeal_message: 'They all asked me to write', appeal_answered_at: null },
    ])
    const told = await call(app.url, notifications.list, { token: boss.adminToken, query: {} })
    expect(told.body.notifications.filter(({ user_id: id }) => id === ada.id)).toMatchObject([
      { title: 'A banned user appeals', user_email: ada.email, is_read: false },
    ])
    const waiting = (await logIn()).error
    expect(waiting.appeal_token).toBeUndefined()
    expect(waiting.ban?.appeal_submitted_at).not.toBeNull()

    const kept = await answer(body.id, 'keep', 'Three of them complained')
    expect(kept.body).toMatchObject({ status: 'active', appeal_decision: 'keep' })
    expect(await answer(body.id, 'keep')).toMatchObject({
      status: 409,
      error: { detail: 'There is no appeal that waits for an answer.' },
    })
    const no = await systemMailOn(sink, ada.email, 'Your appeal: the ban stays')
    expect(no.text).toContain('The answer to your appeal: Three of them complained')
    expect(await bansOf(ada, { status: 'appealed' })).toEqual([])

    const again = (await logIn()).error
    expect(again.ban?.appeal_answer).toBe('Three of them complained')
    expect((await appeal(again.appeal_token)).status).toBe(200)
    expect((await answer(body.id, 'lift', 'You are right')).body).toMatchObject({
      status: 'lifted',
      unban_reason: 'You are right',
    })
    expect((await logIn()).status).toBe(200)
    const yes = await systemMailOn(sink, ada.email, 'Your appeal: the ban was lifted')
    expect(yes.text).toContain('You are right')
    expect(await answer(body.id, 'lift')).toMatchObject({
      status: 409,
      error: { detail: 'This ban has ended already.' },
    })
    expect((await answer(987_654_321, 'lift')).status).toBe(404)
  })

  it('is possible three times, each for an hour', async () => {
    const { body } = await ban(ada)
    const late = (await logIn()).error.appeal_token
    app.clock.forward(HOUR_MS + 1000)
    boss = { ...boss, adminToken: await adminTokenOf(app, boss) }
    expect((await appeal(late)).status).toBe(400)
    for (let n = 0; n < 3; n++) {
      expect((await appeal((await logIn()).error.appeal_token)).status).toBe(200)
      await answer(body.id, 'keep')
    }
    expect((await logIn()).error.appeal_token).toBeUndefined()
  })

  it('comes too late for a ban that has ended, and from nowhere for a token that is made up', async () => {
    await ban(ada)
    const { appeal_token: token } = (await logIn()).error
    await unban(ada)
    expect((await appeal(token)).status).toBe(400)
    expect((await appeal('made up')).status).toBe(400)
    expect((await appeal('')).status).toBe(400)
  })

  it('is limited by address', async () => {
    const strict = await startTestApp({ roles: ['web'], environment: { RATE_LIMITS: 'on' } })
    try {
      const statuses: number[] = []
      for (let n = 0; n < 21; n++)
        statuses.push(
          (await call(strict.url, bans.appeal, { body: { appeal_token: 'x', message: 'Please' } })).status,
        )
      expect(statuses.filter((status) => status === 400)).toHaveLength(20)
      expect(statuses.at(-1)).toBe(429)
    } finally {
      await strict.end()
    }
  })
})

describe('the lists', () => {
  it('have pages of bans, the newest first', async () => {
    const users = [await signUp(app.url), await signUp(app.url), ada]
    for (const user of users) await ban(user)
    const page = (n: number) =>
      call(app.url, bans.list, { token: boss.adminToken, query: { limit: 2, page: n } })
    const { body } = await page(1)
    expect(body.bans.map(({ user_id: id }) => id)).toEqual([ada.id, users[1]?.id])
    expect(body.has_more).toBe(true)
    expect((await page(2)).body.bans[0]?.user_id).toBe(users[0]?.id)
    const wrong = await call(app.url, bans.list, { token: boss.adminToken, query: { limit: 0 } })
    expect(wrong.status).toBe(400)
  })

  it('find a user by id, address, user name and name, with the ban in force', async () => {
    const tim = await signUp(app.url, { name: 'Timothea Search' })
    await ban(tim, { reason: 'abuse' })
    const find = async (search: string) =>
      (await call(app.url, bans.findUsers, { token: boss.adminToken, query: { search } })).body
    for (const search of [String(tim.id), tim.email.toUpperCase(), tim.username, 'timothea s'])
      expect((await find(search)).users[0]).toMatchObject({
        id: tim.id,
        email: tim.email,
        full_name: 'Timothea Search',
        ban: { reason: 'abuse' },
      })
    expect(await find('')).toEqual({ users: [], has_more: false })
    expect(await find('%')).toEqual({ users: [], has_more: false })
    expect(await find(tim.email)).toMatchObject({ users: [{ id: tim.id }], has_more: false })
    const many = await find('user')
    expect(many.users).toHaveLength(5)
    expect(many.has_more).toBe(true)
    await unban(tim)
    expect((await find(tim.email)).users[0]?.ban).toBeNull()
  })
})
