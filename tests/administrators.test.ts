import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONTRACT } from '#contract/contract.ts'
import { banUser } from '#server/operations/bans/bans.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { anAdministrator, setAdmin, type TestAdministrator } from './support/administrators.ts'
import { signUp, type TestUser } from './support/factories.ts'
import { ask, type Named } from './support/tenant-rows.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

// Who may make the calls of administrators. The sweep is derived from the contract, so it includes a new call
// automatically. Nothing of a call's own input is right: whoever gets as far as that has come in.

let app: TestApp
let keeper: TestAdministrator
let demoted: TestAdministrator
let banned: TestAdministrator
let deleted: TestAdministrator
let user: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  keeper = await anAdministrator(app)
  demoted = await anAdministrator(app)
  banned = await anAdministrator(app)
  deleted = await anAdministrator(app)
  user = await signUp(app.url)
})
afterAll(() => app.end())

const calls = [...CONTRACT].filter(([, { access }]) => access === 'admin')
const ofUsers = [...CONTRACT].filter(
  ([, { access, download }]) => access === 'user' && download !== 'text/event-stream',
)
const paramsOf = (path: string): Named =>
  Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, '987654321']))

test('there are calls of administrators', () => expect(calls.length).toBeGreaterThan(1))

test.each(calls)('%s wants the token of an administrator', async (_, endpoint) => {
  const asking = async (token?: string) => {
    const answer = await ask(app.url, endpoint, { params: paramsOf(endpoint.path), ...(token && { token }) })
    const { detail } = JSON.parse(answer.text) as { detail?: string }
    return [answer.status, detail]
  }
  const denied = [403, 'Access denied. Admin privileges required.']
  expect((await asking())[0]).toBe(401)
  expect((await asking('nonsense'))[0]).toBe(401)
  expect((await asking(`${keeper.adminToken.slice(0, -3)}AAA`))[0]).toBe(401)
  expect(await asking(user.token)).toEqual(denied)
  // An administrator's own token as a user is a user's too.
  expect(await asking(keeper.token)).toEqual(denied)

  await setAdmin(app, demoted.id, true)
  // Each of them comes in before, so that the refusal is of what happens next.
  const me = CONTRACT.get('adminAuth.me')
  if (me === undefined) throw new Error('There is no call adminAuth.me')
  expect((await ask(app.url, me, { token: demoted.adminToken })).status).toBe(200)
  await setAdmin(app, demoted.id, false)
  expect(await asking(demoted.adminToken)).toEqual(denied)

  const { db } = app.context
  await banUser(app.context, {
    userId: banned.id,
    reason: 'abuse',
    description: 'Abuse',
    days: null,
    by: null,
  })
  expect(await asking(banned.adminToken)).toEqual(denied)
  await runSql(db, 'UPDATE users SET deleted_at = created_at WHERE id = $1', [deleted.id])
  expect(await asking(deleted.adminToken)).toEqual(denied)
})

test.each(ofUsers)('%s is not opened by the token of an administrator', async (_, endpoint) => {
  const answer = await ask(app.url, endpoint, { params: paramsOf(endpoint.path), token: keeper.adminToken })
  expect(answer.status).toBe(401)
})
