import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admin } from '#contract/operations/admin.ts'
import { auth } from '#contract/accounts/auth.ts'
import type { QueryInput } from '#contract/platform/endpoint.ts'
import { leaving } from '#contract/operations/leaving.ts'
import { runSql } from '#server/platform/database/transaction.ts'
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

const DAY_MS = 86_400_000

let sink: SmtpSink
let app: TestApp
let boss: TestAdministrator

beforeAll(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({ environment: systemMailTo(sink) })
  boss = await anAdministrator(app, { name: 'Bess Boss' })
})
afterAll(async () => {
  await app.end()
  await sink.stop()
})

const token = () => boss.adminToken
type UsersQuery = Partial<NonNullable<QueryInput<typeof admin.users>>>
const users = async (query: UsersQuery = {}) =>
  (await call(app.url, admin.users, { query, token: token() })).body
const emails = async (query: Parameters<typeof users>[0]) =>
  (await users(query)).users.map(({ email }) => email)

describe('the figures', () => {
  it('follow every account through its states, many at once', async () => {
    const house = await startTestApp()
    const keeper = await anAdministrator(house)
    const { db } = house.context
    const people = await Promise.all(Array.from({ length: 12 }, async () => signUp(house.url)))
    const change = (sets: string, from: number, to = from + 1) =>
      Promise.all(
        people.slice(from, to).map(({ id }) => runSql(db, `UPDATE users SET ${sets} WHERE id = $1`, [id])),
      )
    await change('is_active = false', 0, 4)
    await change('deleted_at = created_at', 2, 8)
    await Promise.all([
      change('deleted_at = NULL, is_active = true', 2, 4),
      change(`pricing_tier = 'starter'`, 4, 6),
      change('deleted_at = created_at', 10),
    ])
    await runSql(db, 'DELETE FROM users WHERE id = ANY($1)', [people.slice(7, 9).map(({ id }) => id)])
    // Live are 0 and 1 (inactive), 2, 3, 9 and 11; deleted are 4, 5, 6 and 10.
    const counts = async () =>
      (await call(house.url, admin.stats, { token: keeper.adminToken })).body.user_stats
    expect(await counts()).toMatchObject({ total_users: 11, active_users: 5, deleted_users: 4 })
    const total = async (query: UsersQuery) =>
      (await call(house.url, admin.users, { query, token: keeper.adminToken })).body.total
    expect(await total({})).toBe(7)
    expect(await total({ include_deleted: 'true' })).toBe(11)
    expect(await total({ status: 'inactive' })).toBe(2)
    expect(await total({ status: 'deleted' })).toBe(4)
    // Who was never counted, the account of system mail, does not count when it changes either.
    await runSql(db, 'UPDATE users SET is_active = NOT is_active WHERE is_system')
    await runSql(db, 'DELETE FROM users WHERE id = ANY($1)', [people.map(({ id }) => id)])
    expect(await counts()).toMatchObject({ total_users: 1, active_users: 1, deleted_users: 0 })
    await house.end()
  })

  it('count sign-ups by the days of the administrator, plans, deletions and feedback', async () => {
    const house = await startTestApp()
    const keeper = await anAdministrator(house)
    const [old, lastWeek, yesterday] = [
      await signUp(house.url),
      await signUp(house.url),
      await signUp(house.url),
    ]
    const { db } = house.context
    const setCreated = (id: number, at: Date) =>
      runSql(db, 'UPDATE users SET created_at = $2 WHERE id = $1', [id, at])
    const midnight = (await runSql(db, `SELECT date_trunc('day', $1::timestamptz, 'Asia/Tokyo') AS at`, [
      house.clock.now(),
    ])) as { rows: { at: Date }[] }
    const at = midnight.rows[0]?.at.getTime() ?? 0
    await setCreated(yesterday.id, new Date(at - 1000))
    await setCreated(lastWeek.id, new Date(at - 6 * DAY_MS - 1000))
    await setCreated(old.id, new Date(at - 29 * DAY_MS - 1000))
    await runSql(db, `UPDATE users SET pricing_tier = 'starter' WHERE id = $1`, [old.id])
    const answers = {
      category: 'pricing',
      details: 'Too dear',
      contact_consent: true,
      contact_method: 'email',
    } as const
    await call(house.url, leaving.giveFeedback, { token: lastWeek.token, body: { ...answers, rating: 4 } })
    await call(house.url, leaving.deleteAccount, { token: lastWeek.token })
    await call(house.url, leaving.giveFeedback, {
      token: yesterday.token,
      body: { ...answers, category: 'support', rating: 1, contact_consent: false },
    })

    const { body } = await call(house.url, admin.stats, {
      token: keeper.adminToken,
      headers: { 'X-User-Timezone': 'Asia/Tokyo' },
    })
    expect(body.user_stats).toEqual({
      total_users: 4,
      active_users: 3,
      deleted_users: 1,
      admin_users: 1,
      new_signups_today: 1,
      new_signups_week: 2,
      new_signups_month: 3,
    })
    expect(body.tier_distribution).toEqual([
      { tier: 'free', count: 2 },
      { tier: 'starter', count: 1 },
    ])
    expect(body.recent_users.map(({ email }) => email)).toEqual([keeper.email, yesterday.email, old.email])
    expect(body.recent_deletions).toMatchObject([
      { email: lastWeek.email, reason: null, category: 'pricing' },
    ])
    // Feedback without a deletion is no reason for one.
    expect(body.deletion_reasons).toEqual([{ reason: 'pricing', count: 1 }])
    expect(body.feedback_stats).toEqual({
      categories: [
        { category: 'pricing', count: 1 },
        { category: 'support', count: 1 },
      ],
      users_with_feedback: 2,
      average_rating: 2.5,
      contact_consent_rate: 50,
    })
    expect(body.feedback_details[0]).toEqual({
      id: expect.any(Number),
      email: yesterday.email,
      category: 'support',
      custom_category: '',
      rating: 1,
      details: 'Too dear',
      given_at: expect.any(String),
    })
    expect(body.admin_user).toEqual({ full_name: 'Ada Muster', email: keeper.email })
    await house.end()
  })
})

describe('the list of users', () => {
  it('has pages of 20, the newest first, and deleted ones only when asked for', async () => {
    const made: string[] = []
    for (let each = 0; each < 22; each += 1) {
      app.clock.forward(1000)
      made.unshift((await signUp(app.url)).email)
    }
    expect(await emails({ page: 1 })).toEqual(made.slice(0, 20))
    expect((await emails({ page: 2 })).slice(0, 2)).toEqual(made.slice(20))
    const { total, total_pages: pages } = await users({ limit: 5 })
    expect(pages).toBe(Math.ceil(total / 5))
    expect(await emails({ page: 1000 })).toEqual([])

    const gone = await signUp(app.url)
    await call(app.url, leaving.deleteAccount, { token: gone.token })
    expect(await emails({})).not.toContain(gone.email)
    const [first] = (await users({ include_deleted: 'true' })).users
    expect(first).toMatchObject({ email: gone.email, deleted_at: expect.any(String), available_credits: 0 })
    // The account that system mail leaves by is nobody.
    expect(
      (await emails({ include_deleted: 'true', limit: 100 })).every((email) =>
        email.includes('@howl.example'),
      ),
    ).toBe(true)
  })
})

describe('a search of users', () => {
  it('finds beginnings of words in name, address, user name and company, and an id', async () => {
    const jorg = await signUp(app.url, { name: 'Jörg Größe-O’Neil', email: 'j.groesse+shop@kuchen.example' })
    const other = await signUp(app.url, { name: 'Jorge Kuch', email: 'kuch@other.example' })
    const found = async (search: string) => (await users({ search })).users.map(({ id }) => id)
    for (const search of ['jörg', 'GRÖSS', 'größe-o', 'j.groesse+shop@kuchen.example', 'shop', `${jorg.id}`])
      expect([search, await found(search)]).toEqual([search, search === 'GRÖSS' ? [] : [jorg.id]])
    expect(await found('kuch')).toEqual([other.id, jorg.id])
    expect(await found('kuch jorge')).toEqual([other.id])
    expect(await found('örg')).toEqual([])
    expect(await found(other.username)).toEqual([other.id])
    // What would be signs of a query elsewhere finds nothing, and nothing breaks.
    for (const search of ['@', `'`, `kuch' | 'a`, `%_`, '\\', ':*', '!kuch & (', '<->'])
      expect((await users({ search })).users.every(({ id }) => id === other.id || id === jorg.id)).toBe(true)
    const { total, total_pages: pages } = await users({ search: 'kuch', limit: 1 })
    expect([total, pages]).toEqual([2, 2])
  })

  it('is narrowed by what has become of the account', async () => {
    const [live, closed, gone] = [
      await signUp(app.url, { name: 'Quentin Live' }),
      await signUp(app.url, { name: 'Quentin Closed' }),
      await signUp(app.url, { name: 'Quentin Gone' }),
    ]
    await runSql(app.context.db, 'UPDATE users SET is_active = false WHERE id = $1', [closed.id])
    await call(app.url, leaving.deleteAccount, { token: gone.token })
    const found = async (query: UsersQuery) =>
      (await users({ search: 'quentin', ...query })).users.map(({ id }) => id)
    expect(await found({})).toEqual([closed.id, live.id])
    expect(await found({ include_deleted: 'true' })).toEqual([gone.id, closed.id, live.id])
    expect(await found({ status: 'active' })).toEqual([live.id])
    expect(await found({ status: 'inactive', include_deleted: 'true' })).toEqual([closed.id])
    expect(await found({ status: 'deleted' })).toEqual([gone.id])
  })
})

describe('an administrator', () => {
  it('deletes an account with a reason that its owner reads, and restores it', async () => {
    const user = await signUp(app.url)
    const params = { id: user.id }
    const remove = (body: { user_id?: number; reason: string }) =>
      call(app.url, admin.deleteUser, { params, token: token(), body })
    expect((await remove({ user_id: user.id + 1, reason: 'Spam' })).status).toBe(400)
    expect((await remove({ user_id: user.id, reason: 'Sent spam' })).status).toBe(200)
    expect((await call(app.url, auth.me, { token: user.token })).status).toBe(401)
    const { text } = await systemMailOn(sink, user.email, 'Your Howl account was deleted')
    expect(text).toContain('An administrator deleted it. The reason: Sent spam')
    expect(await remove({ reason: 'Sent spam' })).toMatchObject({ status: 409 })
    const { body } = await call(app.url, admin.stats, { token: token() })
    expect(body.recent_deletions[0]).toMatchObject({ email: user.email, reason: 'Sent spam' })

    expect((await call(app.url, admin.restoreUser, { params, token: token() })).status).toBe(200)
    expect((await call(app.url, admin.restoreUser, { params, token: token() })).status).toBe(409)
    const { email, password } = user
    expect((await call(app.url, auth.login, { body: { email, password } })).status).toBe(200)
  })

  it('deletes without a reason too, and its owner reads who it was', async () => {
    const user = await signUp(app.url)
    const answer = await call(app.url, admin.deleteUser, {
      params: { id: user.id },
      token: token(),
      body: { user_id: user.id, reason: '  ' },
    })
    expect(answer.status).toBe(200)
    const { text } = await systemMailOn(sink, user.email, 'Your Howl account was deleted')
    expect(text).toContain('An administrator deleted it.')
    expect(text).not.toContain('The reason')
    const { body } = await call(app.url, admin.stats, { token: token() })
    expect(body.recent_deletions[0]).toMatchObject({ email: user.email, reason: '' })
  })

  it('cannot restore what was deleted more than 30 days ago', async () => {
    const user = await signUp(app.url)
    const params = { id: user.id }
    await call(app.url, admin.deleteUser, { params, token: token(), body: { reason: 'Spam' } })
    await runSql(
      app.context.db,
      `UPDATE users SET deleted_at = deleted_at - interval '31 days' WHERE id = $1`,
      [user.id],
    )
    const answer = await call(app.url, admin.restoreUser, { params, token: token() })
    expect(answer.status).toBeGreaterThanOrEqual(404)
  })

  it('puts users on plans and gives and takes credits', async () => {
    const user = await signUp(app.url)
    await runSql(app.context.db, 'UPDATE users SET email_confirmed_at = created_at WHERE id = $1', [user.id])
    const params = { id: user.id }
    const changed = await call(app.url, admin.changeUser, {
      params,
      token: token(),
      body: { pricing_tier: 'professional' },
    })
    expect(changed.body).toMatchObject({ pricing_tier: 'professional', available_credits: 0 })
    expect((await call(app.url, auth.me, { token: user.token })).body.pricing_tier).toBe('professional')
    const credit = (amount: number) =>
      call(app.url, admin.changeCredits, { params, token: token(), body: { amount } })
    expect((await credit(70)).body).toEqual({ available_credits: 70 })
    expect((await credit(-30)).body).toEqual({ available_credits: 40 })
    expect(await credit(-41)).toMatchObject({
      status: 409,
      error: { detail: 'This user has not so many credits.' },
    })
    for (const amount of [0, 1.5, 100_001]) expect((await credit(amount)).status).toBe(400)
    expect((await users({ limit: 1 })).users[0]).toMatchObject({ id: user.id, available_credits: 40 })
  })

  it('makes others administrators, and ends it at once', async () => {
    const user = await signUp(app.url)
    const params = { id: user.id }
    const set = (isAdmin: boolean) =>
      call(app.url, admin.changeUser, { params, token: token(), body: { is_admin: isAdmin } })
    expect((await set(true)).body.is_admin).toBe(true)
    const theirs = await adminTokenOf(app, user)
    expect((await call(app.url, admin.stats, { token: theirs })).status).toBe(200)
    expect((await set(false)).body.is_admin).toBe(false)
    expect((await call(app.url, admin.stats, { token: theirs })).status).toBe(403)
  })

  it('cannot delete or demote himself, and nobody who is not there', async () => {
    const params = { id: boss.id }
    const own = await call(app.url, admin.deleteUser, { params, token: token(), body: { reason: 'Tired' } })
    expect(own).toMatchObject({ status: 409, error: { detail: 'You cannot delete your own account here.' } })
    const demoted = await call(app.url, admin.changeUser, {
      params,
      token: token(),
      body: { is_admin: false },
    })
    expect(demoted).toMatchObject({
      status: 409,
      error: { detail: expect.stringContaining('your own rights') },
    })
    const { rows } = await runSql(app.context.db, 'SELECT id FROM users WHERE is_system')
    const system = (rows as { id: number }[])[0]?.id ?? 987_654_321
    for (const id of [987_654_321, system]) {
      const missing = await call(app.url, admin.deleteUser, {
        params: { id },
        token: token(),
        body: { reason: 'Nobody' },
      })
      expect(missing).toMatchObject({ status: 404, error: { detail: 'There is no such user.' } })
    }
  })
})
