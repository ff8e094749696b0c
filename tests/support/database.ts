import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { connect } from '#server/platform/database/connect.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { sql, withClient } from './sql.ts'

/** A migrated database that each test's own is copied from; made once per run. */
const TEMPLATE = 'howl_template'
const LOCK = 7_012_026

export type TestDatabase = { url: string; drop: () => Promise<void> }

/** On a server of this run's own the next copy is made while a test runs: nobody waits for its thousand files. */
const MAKES_AHEAD = (process.env['TEST_DATABASE_URL'] ?? '') === ''
/** By server: projects of tests have servers of different versions. */
const ahead = new Map<string, Promise<TestDatabase>>()

/** A database of its own, empty and migrated, on the test run's PostgreSQL. */
export async function freshDatabase(): Promise<TestDatabase> {
  const server = inject('databaseUrl')
  const mine = ahead.get(server) ?? copyOfTemplate()
  ahead.delete(server)
  const database = await mine
  if (MAKES_AHEAD && !ahead.has(server)) {
    const next = copyOfTemplate()
    // Only the test that takes it is told of an error.
    next.catch(() => {})
    ahead.set(server, next)
  }
  return database
}

async function copyOfTemplate(): Promise<TestDatabase> {
  return newDatabase(async (client, server, name) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE])
    if (found.rowCount === 0) await makeTemplate(client, server)
    // Copying files costs a fifteenth of what writing each page to the log does; nothing here must survive a crash.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`)
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK])
  })
}

/** A database of its own without any table. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return newDatabase(async (client, _, name) => void (await client.query(`CREATE DATABASE ${name}`)))
}

async function newDatabase(
  make: (client: pg.Client, server: string, name: string) => Promise<void>,
): Promise<TestDatabase> {
  const server = inject('databaseUrl')
  const name = `howl_${randomBytes(6).toString('hex')}`
  await withClient(server, (client) => make(client, server, name))
  return {
    url: urlOf(server, name),
    drop: async () => void (await sql(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}

async function makeTemplate(client: pg.Client, server: string): Promise<void> {
  const making = `${TEMPLATE}_making`
  await client.query(`DROP DATABASE IF EXISTS ${making} WITH (FORCE)`)
  await client.query(`CREATE DATABASE ${making}`)
  const { db, close } = connect(urlOf(server, making), () => {})
  await migrate(db)
  await close()
  await client.query(`ALTER DATABASE ${making} RENAME TO ${TEMPLATE}`)
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
