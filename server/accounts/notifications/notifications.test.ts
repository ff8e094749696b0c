import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { admin } from '#contract/operations/admin.ts'
import { events } from '#contract/platform/events.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { notifications } from '#contract/accounts/notifications.ts'
import { anAdministrator, type TestAdministrator } from '../../../tests/support/administrators.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { inTransaction, runSql } from '../../platform/database/transaction.ts'
import { clearNotifications } from './notify-administrators.ts'
import { type NewNotification, notifyAdministrators } from './notifications.ts'

const DAY_MS = 86_400_000

let app: TestApp
let boss: TestAdministrator

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  boss = await anAdministrator(app)
})
afterAll(() => app.end())
beforeEach(() => runSql(app.context.db, 'DELETE FROM admin_notifications'))

const tell = (more: Partial<NewNotification> = {}) =>
  notifyAdministrators(app.context, app.context.db, {
    title: 'Something happened',
    message: 'Look at it.',
    priority: 2,
    topic: `topic ${Math.random()}`,
    ...more,
  })
const token = () => boss.adminToken
const list = async (limit?: number) =>
  (await call(app.url, notifications.list, { token: token(), query: limit === undefined ? {} : { limit } }))
    .body

test('a notification has its title, words, priority, time and user, newest first', async () => {
  const user = await signUp(app.url)
  await tell({ title: 'First' })
  app.clock.forward(1000)
  await tell({ title: 'Second', priority: 4, userId: user.id })
  const { notifications: rows, unread } = await list()
  expect(rows).toMatchObject([
    { title: 'Second', message: 'Look at it.', priority: 4, is_read: false, user_email: user.email },
    { title: 'First', priority: 2, user_email: null },
  ])
  expect(unread).toBe(2)
  expect((await list(1)).notifications).toHaveLength(1)
})

test('an unread one of the same topic is renewed; a read one is not', async () => {
  await tell({ topic: 'risk 1', title: 'Warned', priority: 4 })
  await tell({ topic: 'risk 1', title: 'Warned again', priority: 2 })
  const { notifications: once } = await list()
  expect(once).toMatchObject([{ title: 'Warned again', priority: 4 }])
  await call(app.url, notifications.markRead, { token: token(), params: { id: once[0]?.id ?? 0 } })
  await tell({ topic: 'risk 1', title: 'Once more' })
  expect((await list()).notifications).toHaveLength(2)
})

test('one is marked as read for everybody, a missing one is 404', async () => {
  await tell()
  const [row] = (await list()).notifications
  const read = { token: token(), params: { id: row?.id ?? 0 } }
  expect((await call(app.url, notifications.markRead, read)).status).toBe(200)
  expect((await call(app.url, notifications.markRead, read)).status).toBe(200)
  expect(await list()).toMatchObject({ unread: 0, notifications: [{ is_read: true }] })
  expect(
    await call(app.url, notifications.markRead, { token: token(), params: { id: 987_654_321 } }),
  ).toMatchObject({ status: 404, error: { detail: 'There is no such notification.' } })
})

test('all are marked as read that have been seen, and none that has come since', async () => {
  await tell({ title: 'Seen' })
  const [seen] = (await list()).notifications
  app.clock.forward(1000)
  await tell({ title: 'Come since' })
  const body = { until: seen?.created_at ?? '' }
  expect((await call(app.url, notifications.markAllRead, { token: token(), body })).status).toBe(200)
  expect((await list()).notifications).toMatchObject([
    { title: 'Come since', is_read: false },
    { title: 'Seen', is_read: true },
  ])
})

test('they are kept for 90 days', async () => {
  await tell()
  app.clock.forward(89 * DAY_MS)
  expect(await clearNotifications(app.context)).toBe(0)
  app.clock.forward(2 * DAY_MS)
  expect(await clearNotifications(app.context)).toBe(1)
  boss = await anAdministrator(app)
})

test('open pages of administrators hear of one once it is committed; those of users never do', async () => {
  const asAdministrator = await openStream(pathOf(notifications.stream), boss.adminToken)
  const asUser = await openStream(pathOf(events.stream), boss.token)
  await expect(
    inTransaction(app.context.db, async (tx) => {
      await notifyAdministrators(app.context, tx, {
        title: 'Undone',
        message: '',
        priority: 1,
        topic: 'undone',
      })
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  await app.context.live.publish(app.context.db, boss.id, { topic: 'contacts' })
  // What is the user's does not reach the administrator's stream, and the other way round.
  expect(await asUser.next()).toEqual({ topic: 'contacts' })
  await tell()
  expect(await asAdministrator.next()).toEqual({ topic: 'notifications' })
  await app.context.live.publish(app.context.db, boss.id, { topic: 'todos' })
  expect(await asUser.next()).toEqual({ topic: 'todos' })
  // The end of a session ends the streams of both kinds.
  await app.context.live.publish(app.context.db, boss.id, { topic: 'session' })
  expect(await asAdministrator.next()).toBeNull()
  expect(await asUser.next()).toBeNull()
})

test('who is demoted hears nothing any more, and it is written down once', async () => {
  const other = await anAdministrator(app)
  const stream = await openStream(pathOf(notifications.stream), other.adminToken)
  const demote = () =>
    call(app.url, admin.changeUser, {
      params: { id: other.id },
      body: { is_admin: false },
      token: boss.adminToken,
    })
  await Promise.all([demote(), demote()])
  expect(await stream.next()).toBeNull()
  const { rows } = await runSql(
    app.context.db,
    `SELECT FROM activities WHERE activity_type = 'administrator_unmade' AND description LIKE $1`,
    [`%user ${other.id}`],
  )
  expect(rows).toHaveLength(1)
})

/**
 * An open stream of events; `next` returns null when the server has ended it. What it tells of the account is left out: a sign-up
 * may still be telling of it.
 */
async function openStream(path: string, bearer: string) {
  const response = await fetch(app.url + path, { headers: { Authorization: `Bearer ${bearer}` } })
  expect(response.status).toBe(200)
  const reader = (response.body as ReadableStream<BufferSource>)
    .pipeThrough(new TextDecoderStream())
    .getReader()
  let text = ''
  const next = async (): Promise<unknown> => {
    for (;;) {
      const data = /^data: (.*)\n\n/m.exec(text)
      if (data !== null) {
        text = text.slice(data.index + data[0].length)
        if (data[1] === '{"topic":"account"}') continue
        return JSON.parse(data[1] ?? '')
      }
      const { done, value } = await reader.read()
      if (done) return null
      text += value
    }
  }
  return { next }
}
