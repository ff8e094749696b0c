import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '#server/platform/database/connect.ts'
import type { Database } from '#server/platform/database/handles.ts'
import { migrate, MIGRATIONS } from '#server/platform/database/migrate.ts'
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/database.ts'
import { schemaText } from '../support/schema-text.ts'
import {
  aChat,
  aDeletedDraft,
  aDoneImport,
  anAccount,
  anEuInvoice,
  anUpload,
  aPayment,
  aProposal,
  aQuestion,
  aReminder,
  aSentReminder,
  aTenant,
  stoppedContact,
  undoableAct,
} from '../support/tenant-rows.ts'
import { startTestApp } from '../support/test-app.ts'
import { BASELINE } from './before-baseline.ts'

// Every migration after the baseline is tried with rows in the tables that are there by then. Rows of tables that are newer
// than the baseline are those of an app of today, as far as the columns exist.

/** Rows for every table of the baseline. */
const ROWS = readFileSync(new URL('./rows-0100.sql', import.meta.url), 'utf8')
/** Rows of each table that are tried until one fits its table's checks at that time. */
const TRIED = 5

type Row = Record<string, unknown>
type Migrations = Readonly<Record<string, string>>

let fresh: TestDatabase
let old: { database: TestDatabase; client: pg.Client; db: Database }

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh?.drop())

/** A database of the baseline, with rows in every table. */
beforeEach(async () => {
  const database = await emptyDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { db, close } = connect(database.url, () => {})
  old = { database, client, db }
  await migrate(db, BASELINE)
  await client.query(`SET session_replication_role = replica; ${ROWS} RESET session_replication_role;`)
  return async () => {
    await client.end()
    await close()
    await database.drop()
  }
})

let known: Promise<Map<string, Row[]>> | undefined
/** Rows of all tables of an app of today, written by its own commands; made once, for migrations that add tables. */
const rowsOfToday = () => (known ??= writeRowsOfToday())

async function writeRowsOfToday(): Promise<Map<string, Row[]>> {
  const app = await startTestApp({ roles: ['web'] })
  try {
    for (const mark of ['goldcrest', 'siskin']) {
      const tenant = await aTenant(app, mark)
      for (const make of [
        aChat,
        aDeletedDraft,
        aDoneImport,
        anAccount,
        anEuInvoice,
        anUpload,
        aPayment,
        aProposal,
        aQuestion,
        aReminder,
        aSentReminder,
        stoppedContact,
        undoableAct,
      ] as ((owner: typeof tenant) => Promise<unknown>)[])
        await make(tenant)
    }
    const reader = new pg.Client({ connectionString: app.databaseUrl })
    await reader.connect()
    const rows = new Map<string, Row[]>()
    for (const table of (await countsOf(reader)).keys()) {
      const found = await reader.query<{ row: Row }>(
        `SELECT to_jsonb(t) AS row FROM ${table} t LIMIT ${TRIED}`,
      )
      rows.set(
        table,
        found.rows.map(({ row }) => row),
      )
    }
    await reader.end()
    return rows
  } finally {
    await app.end()
  }
}

async function countsOf(on: pg.Client): Promise<Map<string, number>> {
  const { rows } = await on.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND relname NOT LIKE 'kysely%' ORDER BY 1`,
  )
  const counts = new Map<string, number>()
  for (const { name } of rows) {
    const counted = await on.query<{ n: string }>(`SELECT count(*) AS n FROM ${name}`)
    counts.set(name, Number(counted.rows[0]?.n))
  }
  return counts
}

/**
 * Runs one migration after the other.
 *
 * @returns the rows that a migration lost, and tables that stay empty although rows of today are known
 */
async function faultsOf(migrations: Migrations): Promise<string[]> {
  const { client, db } = old
  const faults: string[] = []
  for (const name of Object.keys(migrations).filter((each) => each > BASELINE)) {
    const before = await countsOf(client)
    await migrate(db, name, migrations).catch((error: unknown) => {
      throw new Error(`${name} fails where there are rows: ${(error as Error).message}`, { cause: error })
    })
    const after = await countsOf(client)
    for (const [table, rows] of before)
      if ((after.get(table) ?? rows) < rows) faults.push(`${name} lost rows of ${table}`)
    for (const [table, rows] of after) {
      const why = rows === 0 ? await fillByToday(table) : null
      if (why !== null) faults.push(`${table}, made by ${name}, stays empty: ${why}`)
    }
  }
  return faults
}

/** Puts rows of today into a table that is empty, as far as it has their columns yet; returns why none fits. */
async function fillByToday(table: string): Promise<string | null> {
  const { client } = old
  const rows = (await rowsOfToday()).get(table) ?? []
  if (rows.length === 0) return null
  const { rows: columns } = await client.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  )
  const given = columns.map(({ name }) => name).filter((name) => name.replaceAll('"', '') in (rows[0] ?? {}))
  let filled = 0
  let why = ''
  await client.query('SET session_replication_role = replica')
  for (const row of rows) {
    try {
      await client.query(
        `INSERT INTO ${table} (${given.join(', ')}) OVERRIDING SYSTEM VALUE
         SELECT ${given.join(', ')} FROM jsonb_populate_record(NULL::${table}, $1)`,
        [row],
      )
      filled += 1
    } catch (error) {
      why = (error as Error).message
    }
  }
  await client.query('RESET session_replication_role')
  return filled === 0 ? why : null
}

const emptyIn = (counts: Map<string, number>) => [...counts].flatMap(([table, n]) => (n === 0 ? [table] : []))

test('every migration keeps the rows of every table, and makes the schema of a new database', async () => {
  expect(emptyIn(await countsOf(old.client))).toEqual([])
  expect(await faultsOf(MIGRATIONS)).toEqual([])
  expect(await schemaText(old.database.url)).toEqual(await schemaText(fresh.url))
})

describe('of planted migrations after the baseline', () => {
  const planted = (text: string) => ({ ...MIGRATIONS, '9999-planted': text })

  test('one that keeps all rows is fine', async () => {
    const text = `ALTER TABLE users ADD COLUMN motto text NOT NULL DEFAULT ''; CREATE TABLE mottos (text text);`
    expect(await faultsOf(planted(text))).toEqual([])
    const { rows } = await old.client.query('SELECT motto FROM users')
    expect(rows).toEqual([{ motto: '' }, { motto: '' }])
  })

  test('one that loses rows is named, and a table that it makes again gets rows of today', async () => {
    const text = `CREATE TABLE copied (LIKE todos INCLUDING ALL); DROP TABLE todos CASCADE;
      ALTER TABLE copied RENAME TO todos;`
    expect(await faultsOf(planted(text))).toEqual(['9999-planted lost rows of todos'])
    expect(emptyIn(await countsOf(old.client))).toEqual([])
  })

  test('one that makes a table again into which no row of today fits is named', async () => {
    const text = 'DELETE FROM todos; ALTER TABLE todos ADD CHECK (id < 0);'
    expect(await faultsOf(planted(text))).toEqual([
      '9999-planted lost rows of todos',
      expect.stringMatching(/^todos, made by 9999-planted, stays empty: .*todos_id_check/),
    ])
  })

  test('one that fails where there are rows is named', async () => {
    await expect(faultsOf(planted('ALTER TABLE users ADD COLUMN motto text NOT NULL'))).rejects.toThrow(
      /^9999-planted fails where there are rows: .*motto/,
    )
  })

  test('an upgrade that is cut off changes nothing, and the next start does all of it', async () => {
    const { client, db, database } = old
    const migrations = {
      ...planted('ALTER TABLE users ADD COLUMN motto text'),
      '9998-planted': 'CREATE TABLE mottos (text text)',
    }
    const before = await schemaText(database.url)
    const counts = await countsOf(client)
    // A reader holds up the migration that changes the users; there the upgrade is cut off.
    const reader = new pg.Client({ connectionString: database.url })
    await reader.connect()
    await reader.query('BEGIN; LOCK TABLE users IN ACCESS SHARE MODE')
    const cutOff = migrate(db, undefined, migrations).then(
      () => 'done',
      (error: Error) => error.message,
    )
    let waiting: { pid: number }[] = []
    while (waiting.length === 0) {
      const found = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND wait_event = 'relation'`,
      )
      waiting = found.rows
    }
    for (const { pid } of waiting) await client.query('SELECT pg_terminate_backend($1)', [pid])
    expect(await cutOff).not.toBe('done')
    await reader.end()
    expect(await schemaText(database.url)).toEqual(before)
    expect(await countsOf(client)).toEqual(counts)
    await migrate(db, undefined, migrations)
    expect((await client.query('SELECT motto FROM users, mottos')).rows).toEqual([])
  })
})
