import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { emptyDatabase, type TestDatabase } from '../../../tests/support/database.ts'
import { startOldPostgres } from '../../../tests/support/old-postgres.ts'
import { refusedStart } from '../../../tests/support/refused-start.ts'
import { sql } from '../../../tests/support/sql.ts'
import { checkDatabase } from './check-database.ts'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'
import { databaseIn, urlWith } from './swap-databases.ts'

const PASSWORD = 'not-for-logs'
const role = `howl_guest_${randomBytes(4).toString('hex')}`

let database: TestDatabase
let admin: pg.Client

beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('databaseUrl') })
  await admin.connect()
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`)
})
beforeEach(async () => {
  database = await emptyDatabase()
  return () => database.drop()
})
afterAll(async () => {
  await admin.query(`DROP ROLE ${role}`)
  await admin.end()
})

/** The database's address for the role that has no rights in it yet. */
function asGuest(): string {
  const url = new URL(database.url)
  url.username = role
  url.password = PASSWORD
  return url.href
}

const inDatabase = (statements: string) => sql(database.url, statements)

it('says which file of DATABASE_URL cannot be read', async () => {
  const url = `${database.url}?sslmode=verify-full&sslrootcert=/missing/root.pem`
  expect(await fault(url)).toContain('/missing/root.pem')
})

/** What `npm start` says before it ends. */
async function refusal(url: string): Promise<string> {
  const { code, said } = await refusedStart({ DATABASE_URL: url })
  expect(code).toBe(1)
  return isOneSentence(said)
}

/** The same without a process of its own. */
async function fault(url: string): Promise<string> {
  const error = await checkDatabase(url).then(
    () => null,
    (thrown: Error) => thrown,
  )
  return isOneSentence(error?.message ?? '')
}

function isOneSentence(said: string): string {
  expect(said).toMatch(/^Howl cannot start: [^\n]+[.;]$/)
  expect(said).not.toContain(PASSWORD)
  return said
}

async function tablesIn(): Promise<number> {
  const [row] = await sql<{ n: string }>(
    database.url,
    `SELECT count(*) AS n FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
  )
  return Number(row?.n)
}

describe('a start ends with one sentence, and writes nothing, on', () => {
  it('a PostgreSQL that is too old', async () => {
    const old = await startOldPostgres({ version: '14.12 (Debian 14.12-1)', database: 'howl', role: 'howl' })
    const said = await refusal(old.url)
    await old.stop()
    expect(said).toBe(
      'Howl cannot start: the server of DATABASE_URL is PostgreSQL 14.12, and Howl needs PostgreSQL 15 or later: upgrade it, or remove DATABASE_URL to use the PostgreSQL that comes with Howl.',
    )
  })

  it.each(['LATIN1', 'SQL_ASCII'])('a database in %s', async (encoding) => {
    const name = `${databaseIn(database.url)}_odd`
    await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}' LOCALE 'C'
      LOCALE_PROVIDER libc`)
    const said = await refusal(urlWith(database.url, name))
    await admin.query(`DROP DATABASE ${name}`)
    expect(said).toContain(`the database ${name} has the encoding ${encoding}, and Howl needs UTF8`)
    expect(said).toContain(
      "CREATE DATABASE howl_utf8 TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8' OWNER",
    )
  })

  it('a role that does not own the database, and starts with the sentence’s own command', async () => {
    const said = await refusal(asGuest())
    const [, command = ''] = /run (.+;)$/.exec(said) ?? []
    expect(command).toBe(`ALTER DATABASE ${databaseIn(database.url)} OWNER TO ${role};`)
    expect(await tablesIn()).toBe(0)
    await admin.query(command)
    await checkDatabase(asGuest())
    const { db, close } = connect(asGuest(), () => {})
    await migrate(db)
    await close()
    await admin.query(`ALTER DATABASE ${databaseIn(database.url)} OWNER TO CURRENT_USER`)
    await inDatabase(`REASSIGN OWNED BY ${role} TO CURRENT_USER`)
  })

  it('an owner whose schema was taken away', async () => {
    await admin.query(`ALTER DATABASE ${databaseIn(database.url)} OWNER TO ${role}`)
    await inDatabase('ALTER SCHEMA public OWNER TO CURRENT_USER; REVOKE CREATE ON SCHEMA public FROM PUBLIC')
    const said = await fault(asGuest())
    expect(said).toContain(`and, in that database, GRANT ALL ON SCHEMA public TO ${role};`)
    await inDatabase(`GRANT ALL ON SCHEMA public TO ${role}`)
    await checkDatabase(asGuest())
    await admin.query(`ALTER DATABASE ${databaseIn(database.url)} OWNER TO CURRENT_USER`)
  })

  it('tables that a dump has given to somebody else', async () => {
    const { db, close } = connect(database.url, () => {})
    await migrate(db)
    await close()
    await inDatabase(`GRANT ALL ON SCHEMA public TO ${role};
      GRANT ALL ON DATABASE ${databaseIn(database.url)} TO ${role}`)
    const said = await fault(asGuest())
    expect(said).toContain(`the role ${role} may not change them`)
    expect(said).toContain(`pg_restore --no-owner --role=${role}`)
  })

  it('a role whose tables go into a schema of its own', async () => {
    await admin.query(`ALTER DATABASE ${databaseIn(database.url)} OWNER TO ${role}`)
    await inDatabase(`CREATE SCHEMA ${role} AUTHORIZATION ${role}`)
    const said = await fault(asGuest())
    const [, command = ''] = /run (.+;)$/.exec(said) ?? []
    await admin.query(command)
    await checkDatabase(asGuest())
    await admin.query(`ALTER DATABASE ${databaseIn(database.url)} OWNER TO CURRENT_USER`)
  })

  it('a database that writes dates in another style', async () => {
    await admin.query(`ALTER DATABASE ${databaseIn(database.url)} SET datestyle = 'German'`)
    expect(await fault(database.url)).toContain('SET datestyle = ISO;')
  })

  it('a database that takes no changes', async () => {
    await admin.query(`ALTER DATABASE ${databaseIn(database.url)} SET default_transaction_read_only = on`)
    expect(await fault(database.url)).toContain('is read-only, as on a standby')
  })

  it('a password that is wrong', async () => {
    const url = new URL(asGuest())
    url.password = 'p%40ss'
    const said = await fault(url.href)
    expect(said).toContain(`does not let the role ${role} in (password authentication failed`)
    expect(said).toContain('write @ as %40')
    expect(said).not.toMatch(/p%40ss|p@ss/)
  })

  it('a database that is not there', async () => {
    expect(await fault(urlWith(database.url, 'howl_nowhere'))).toContain(
      'has no database howl_nowhere: create it there with CREATE DATABASE howl_nowhere OWNER',
    )
  })

  it('a server that is not there', async () => {
    expect(await fault('postgres://howl:not-for-logs@127.0.0.1:1/howl')).toBe(
      'Howl cannot start: PostgreSQL at 127.0.0.1:1 cannot be reached (connect ECONNREFUSED 127.0.0.1:1): start it, or correct DATABASE_URL.',
    )
    expect(await fault('postgres://howl:not-for-logs@localhost:1/howl')).toContain('ECONNREFUSED')
  })
})
