import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities, type Activity } from '#contract/accounts/activities.ts'
import { admin } from '#contract/operations/admin.ts'
import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { auth } from '#contract/accounts/auth.ts'
import type { QueryInput } from '#contract/platform/endpoint.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { ownModel } from '#contract/models/own-model.ts'
import { passwordReset } from '#contract/accounts/password-reset.ts'
import { profile } from '#contract/accounts/profile.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { anAdministrator, setAdmin, type TestAdministrator } from '../../../tests/support/administrators.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { postFile } from '../../../tests/support/post-file.ts'
import { withMailSent } from '../../../tests/support/system-mail.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

const IP = '203.0.113.9'
const headers = { 'X-Forwarded-For': IP }
const TYPED = 'what I typed for a password'

let app: TestApp
let keeper: TestAdministrator

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  keeper = await anAdministrator(app)
})
afterAll(() => app.end())

async function listed(query: Partial<QueryInput<typeof activities.list>>): Promise<Activity[]> {
  const answer = await call(app.url, activities.list, { token: keeper.adminToken, query })
  expect(answer.status).toBe(200)
  return answer.body.activities
}
const kinds = (rows: readonly Activity[]) => rows.map(({ activity_type }) => activity_type)

test('what a user does is written down with time, address and account', async () => {
  const user = await signUp(app.url)
  const { token, id } = user
  const asked = { token, headers }
  await call(app.url, auth.login, { headers, body: { email: user.email, password: TYPED } })
  await call(app.url, auth.login, { headers, body: { email: user.email, password: user.password } })
  await withMailSent(app, call(app.url, passwordReset.requestLink, { headers, body: { email: user.email } }))
  await call(app.url, profile.update, { ...asked, body: { company_name: 'Muster' } })
  await call(app.url, mailboxSetup.practice, asked)
  await call(app.url, ownModel.remove, asked)
  const added = await call(app.url, contacts.add, {
    ...asked,
    body: { name: 'Kim', email: 'kim@people.example' },
  })
  await call(app.url, contacts.remove, { ...asked, params: { id: added.body.id } })
  await fetch(`${app.url}/api/v1/contacts/export`, {
    headers: { ...headers, Authorization: `Bearer ${token}` },
  })
  const file = new File(['Name,Email\nLee,lee@people.example\n'], 'people.csv')
  await postFile(app.url, contacts.import, token, file, headers)
  await call(app.url, auth.logout, asked)

  const rows = await listed({ user_id: id })
  expect(kinds(rows)).toEqual([
    'log_out',
    'contacts_imported',
    'contacts_exported',
    'contacts_deleted',
    'own_model_changed',
    'mail_settings_changed',
    'profile_changed',
    'password_reset_requested',
    'log_in',
    'log_in_failed',
    'account_opened',
  ])
  expect(rows[1]).toMatchObject({
    user_id: id,
    user_email: user.email,
    description: 'Contacts imported: 1 added, 0 updated, 0 skipped',
    ip_address: IP,
    risk_score: 0,
  })
  expect(rows.find(({ activity_type }) => activity_type === 'log_in_failed')?.risk_score).toBe(20)
  const { rows: stored } = await runSql(app.context.db, 'SELECT a::text FROM activities a')
  const everything = JSON.stringify(stored)
  expect(everything).not.toContain(TYPED)
})

test('a bad log-in without an account is written down, without what was typed', async () => {
  await call(app.url, auth.login, { headers, body: { email: 'nobody@howl.example', password: TYPED } })
  const [row] = await listed({ type: 'log_in_failed', search: IP })
  expect(row).toMatchObject({ user_id: null, ip_address: IP, description: 'Failed log-in' })
  expect(await listed({ search: 'nobody@howl.example' })).toEqual([])
})

test('tries at the administrator area are written down, wrong codes and log-ins included', async () => {
  const user = await signUp(app.url)
  const from = { 'X-Forwarded-For': '203.0.113.40' }
  await call(app.url, adminAuth.accessCode, { headers: from, body: { code: TYPED } })
  await call(app.url, adminAuth.login, { headers: from, body: { email: user.email, password: TYPED } })
  await call(app.url, adminAuth.login, {
    headers: from,
    body: { email: user.email, password: user.password },
  })
  const tried = await call(app.url, activities.list, { headers: from, token: user.token })
  expect(tried.status).toBe(403)
  const rows = () => listed({ search: '203.0.113.40' })
  await expect
    .poll(async () => kinds(await rows()))
    .toEqual(['admin_refused', 'admin_refused', 'admin_log_in_failed', 'admin_code_failed'])
  const scores = (await rows()).map(({ risk_score }) => risk_score)
  expect(scores.toReversed()).toEqual([40, 50, 60, 70])
})

test('what an administrator does is written down with whom it was done to', async () => {
  const user = await signUp(app.url)
  const asked = { token: keeper.adminToken, headers, params: { id: user.id } }
  await call(app.url, admin.changeUser, { ...asked, body: { pricing_tier: 'starter' } })
  await call(app.url, admin.changeCredits, { ...asked, body: { amount: 5 } })
  await call(app.url, admin.deleteUser, { ...asked, body: { reason: 'Asked for by phone' } })
  await call(app.url, admin.restoreUser, asked)
  const rows = await listed({ type: 'admin_act' })
  expect(rows.map(({ description, user_id, ip_address }) => [description, user_id, ip_address])).toEqual(
    [
      `restored user ${user.id}`,
      `deleted user ${user.id}`,
      `5 credits given to user ${user.id}`,
      `plan of user ${user.id} set to starter`,
    ].map((act) => [`Act of an administrator: ${act}`, keeper.id, IP]),
  )
  const [restored, deleted] = await listed({ user_id: user.id })
  expect(restored).toMatchObject({ activity_type: 'account_restored' })
  expect(deleted).toMatchObject({ activity_type: 'account_deleted', ip_address: null })
})

test('whoever is refused again and again does not fill the log', async () => {
  const from = { 'X-Forwarded-For': '203.0.113.41' }
  for (let n = 0; n < 30; n++) await call(app.url, activities.list, { headers: from })
  await call(app.url, adminAuth.me, { headers: from })
  await expect.poll(async () => (await listed({ search: '203.0.113.41 me' })).length).toBe(1)
  // Each entry is written behind the answer, and not in the order of the calls.
  await expect.poll(async () => (await listed({ search: '203.0.113.41' })).length).toBe(6)
})

test('administrators, and nobody else, list and check', async () => {
  const user = await signUp(app.url)
  for (const endpoint of [activities.list, activities.check]) {
    expect((await call(app.url, endpoint)).status).toBe(401)
    expect((await call(app.url, endpoint, { token: user.token })).status).toBe(403)
  }
  const report = await call(app.url, activities.check, { token: keeper.adminToken })
  expect(report.body).toMatchObject({ ok: true, faults: [] })
  expect(report.body.checked).toBeGreaterThan(10)
  const other = await anAdministrator(app)
  expect((await call(app.url, activities.list, { token: other.adminToken })).status).toBe(200)
  await setAdmin(app, other.id, false)
  expect((await call(app.url, activities.list, { token: other.adminToken })).status).toBe(403)
})

test.each([
  ['limit', '0'],
  ['limit', '201'],
  ['page', 'x'],
  ['user_id', '-1'],
  ['type', 'nonsense'],
  ['min_risk', '101'],
  ['from', 'yesterday'],
  ['search', 'x'.repeat(121)],
])('%s=%s is refused with a sentence', async (name, value) => {
  const url = `${app.url}/api/v1/admin/users/activities?${name}=${value}`
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${keeper.adminToken}` } })
  expect(answer.status).toBe(400)
  expect(((await answer.json()) as { detail: string }).detail).not.toBe('')
})
