import { afterAll, beforeAll, expect, test } from 'vitest'
import { followUps } from '#contract/outreach/follow-ups.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { movableClock, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

const CONTACTS = 6000
const clock = movableClock()
let app: TestApp
let user: TestUser

beforeAll(async () => {
  clock.stand()
  app = await startTestApp({ roles: ['web'], clock })
  user = await signUp(app.url)
})
afterAll(() => app.end())

const add = (count: number, prefix: string) =>
  runSql(
    app.context.db,
    `INSERT INTO contacts (user_id, name, email, email_key, created_at, updated_at)
     SELECT $1, 'Person ' || n, $3 || n || '@x.example', $3 || n || '@x.example', $4, $4 FROM generate_series(1, $2::int) n RETURNING id`,
    [user.id, count, prefix, clock.now()],
  )
const read = async () => (await call(app.url, followUps.counts, { token: user.token })).body

test('the counts of few contacts are always those of this moment', async () => {
  await add(1, 'first')
  expect((await read()).left_out).toEqual([{ reason: 'never_mailed', contacts: 1 }])
  await add(1, 'second')
  expect((await read()).left_out).toEqual([{ reason: 'never_mailed', contacts: 2 }])
})

test('those of many are kept for half a minute and say when they were made; a choice of the user renews them', async () => {
  const { rows } = await add(CONTACTS, 'many')
  const counted = await read()
  expect(counted).toMatchObject({
    left_out: [{ reason: 'never_mailed', contacts: CONTACTS + 2 }],
    counted_at: clock.now().toISOString(),
  })
  await add(1, 'third')
  clock.forward(29_000)
  expect(await read()).toEqual(counted)
  clock.forward(1000)
  expect(await read()).toMatchObject({
    left_out: [{ reason: 'never_mailed', contacts: CONTACTS + 3 }],
    counted_at: clock.now().toISOString(),
  })
  await add(1, 'fourth')
  const params = { id: Number((rows as { id: number }[])[0]?.id) }
  const body = { choice: 'never' as const }
  expect((await call(app.url, followUps.choose, { token: user.token, params, body })).status).toBe(200)
  expect((await read()).left_out).toEqual([{ reason: 'never_mailed', contacts: CONTACTS + 4 }])
})
