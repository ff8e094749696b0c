import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../tests/support/database.ts'
import { connect, poolOf } from './connect.ts'
import { withCopyConnection } from './copy.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let open: ReturnType<typeof connect>

beforeAll(async () => {
  database = await freshDatabase()
  open = connect(database.url, () => {})
})
afterAll(async () => {
  await open.close()
  await database.drop()
})

test('work that is given up while it waits for a connection keeps none', async () => {
  const pool = poolOf(open.db)
  const all = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const givenUp = new AbortController()
  const work = withCopyConnection(open.db, givenUp.signal, async () => 'done')
  await expect.poll(() => pool.waitingCount).toBe(1)
  givenUp.abort(new Error('The tab was closed'))
  for (const client of all) client.release()
  await expect(work).rejects.toThrow('The tab was closed')
  expect(pool.totalCount - pool.idleCount).toBe(0)
})
