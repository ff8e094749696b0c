import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

let app: TestApp
let beside: pg.Client

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  beside = new pg.Client({ connectionString: app.databaseUrl })
  await beside.connect()
})
afterAll(async () => {
  await beside.end()
  await app.end()
})

test('a call whose connection the database cuts is told to come again, and the next one is answered', async () => {
  const { token } = await signUp(app.url)
  const me = () => fetch(app.url + pathOf(auth.me), { headers: { Authorization: `Bearer ${token}` } })
  await beside.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE')
  const answer = me()
  const waiting = `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE NOT granted AND relation = 'users'::regclass AND datname = current_database()`
  while ((await beside.query(waiting)).rowCount === 0);
  const { status, headers, body } = await answer.then(async (got) => ({
    status: got.status,
    headers: got.headers,
    body: await got.json(),
  }))
  await beside.query('ROLLBACK')
  expect(status).toBe(503)
  expect(headers.get('Retry-After')).toBe('5')
  expect(body).toEqual({
    detail: 'Howl is busy or restarting. Please try again in a moment.',
    code: 'UNAVAILABLE',
  })
  expect((await me()).status).toBe(200)
})
