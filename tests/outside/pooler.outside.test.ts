import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkDatabase } from '#server/platform/database/check-database.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { refusedStart } from '../support/refused-start.ts'
import { sql } from '../support/sql.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await emptyDatabase()
})
afterAll(() => database.drop())

it('npm start refuses a pooler in transaction mode in one sentence, and writes nothing', async () => {
  const pooler = await startPgBouncer(database.url, { pool_mode: 'transaction' })
  const { code, said } = await refusedStart({ DATABASE_URL: pooler.url })
  await pooler.stop()
  expect(said).toBe(
    'Howl cannot start: DATABASE_URL leads to a connection pooler that gives every transaction another connection (PgBouncer: pool_mode = transaction), and Howl needs connections that stay its own: set DATABASE_URL to PostgreSQL itself, or use pool_mode = session.',
  )
  expect(code).toBe(1)
  expect(await tablesIn(database.url)).toBe(0)
})

it.each([
  ['transaction', '0', 4],
  ['transaction', '1', 2],
  ['transaction', '1', 4],
  ['statement', '0', 4],
  ['statement', '1', 2],
])('a pooler in %s mode is known (round robin: %s; used by %i before)', async (mode, robin, idle) => {
  const pooler = await startPgBouncer(database.url, { pool_mode: mode, server_round_robin: robin })
  try {
    await useAtOnce(pooler.url, idle)
    await expect(checkDatabase(pooler.url)).rejects.toThrow('leads to a connection pooler')
  } finally {
    await pooler.stop()
  }
})

it('a pooler in session mode is taken, also when others have used it', async () => {
  const pooler = await startPgBouncer(database.url, { pool_mode: 'session' })
  try {
    await checkDatabase(pooler.url)
    await useAtOnce(pooler.url, 4)
    await checkDatabase(pooler.url)
  } finally {
    await pooler.stop()
  }
})

/** Makes the pooler open several connections, all in use at once: a question may then be answered by any of them. */
async function useAtOnce(url: string, connections: number): Promise<void> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }))
  const gate = new pg.Client({ connectionString: database.url })
  await Promise.all([gate, ...clients].map((client) => client.connect()))
  await gate.query('SELECT pg_advisory_lock(1)')
  const held = clients.map((client) => client.query('SELECT pg_advisory_xact_lock_shared(1)'))
  const waiting = async () =>
    (await gate.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).rowCount
  await expect.poll(waiting).toBe(connections)
  await gate.query('SELECT pg_advisory_unlock(1)')
  await Promise.all(held)
  await Promise.all([gate, ...clients].map((client) => client.end()))
}

async function tablesIn(url: string): Promise<number> {
  const [row] = await sql<{ n: string }>(
    url,
    `SELECT count(*) AS n FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
  )
  return Number(row?.n)
}
