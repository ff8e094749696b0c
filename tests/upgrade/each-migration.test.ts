import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#server/database/connect.ts'
import { migrate, migrationNames } from '#server/database/migrate.ts'
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

// Every migration after the older version is tried with rows in the tables that are there by then. Rows of tables that are
// newer than that version are those of an app of today, as far as the columns exist.

const OLDER_VERSION = '0021-html-in-raw'
const ROWS = readFileSync(new URL('./rows-0021.sql', import.meta.url), 'utf8')
/** Rows of each table that are tried until one fits its table's checks at that time. */
const TRIED = 5

type Row = Record<string, unknown>

let database: TestDatabase
let client: pg.Client
let ofToday: Map<string, Row[]>
/** Rows that a migration lost, and tables that stood empty although rows of today are known. */
const faults: string[] = []
let fresh: TestDatabase

beforeAll(async () => {
  ofToday = await rowsOfToday()
  database = await emptyDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { db, close } = connect(database.url, () => {})
  await migrate(db, OLDER_VERSION)
  await client.query(`SET session_replication_role = replica; ${ROWS} RESET session_replication_role;`)
  const names = migrationNames()
  for (const name of names.slice(names.indexOf(OLDER_VERSION) + 1)) {
    const before = await countsOf(client)
    await migrate(db, name).catch((error: unknown) => {
      throw new Error(`${name} fails where there are rows: ${(error as Error).message}`, { cause: error })
    })
    const after = await countsOf(client)
    for (const [table, rows] of before)
      if ((after.get(table) ?? rows) < rows) faults.push(`${name} lost rows of ${table}`)
    for (const [table, rows] of after) if (rows === 0) await fillByToday(name, table)
  }
  await close()
  fresh = await freshDatabase()
}, 180_000)
afterAll(async () => {
  await client?.end()
  await database?.drop()
  await fresh?.drop()
})

/** Rows of all tables of an app of today, written by its own commands. */
async function rowsOfToday(): Promise<Map<string, Row[]>> {
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

/** Puts rows of today into a table that a migration has made, as far as it has their columns yet. */
async function fillByToday(migration: string, table: string): Promise<void> {
  const rows = ofToday.get(table) ?? []
  if (rows.length === 0) return
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
  if (filled === 0) faults.push(`${table}, made by ${migration}, stays empty: ${why}`)
}

test('every migration keeps the rows of every table that was there', () => {
  expect(faults).toEqual([])
})

test('in the end every table has rows that an app of today has', async () => {
  const counts = await countsOf(client)
  const empty = [...counts].flatMap(([table, rows]) => (rows === 0 ? [table] : []))
  expect(empty.filter((table) => (ofToday.get(table) ?? []).length > 0)).toEqual([])
  expect(counts.size - empty.length).toBeGreaterThan(60)
})

test('the schema is that of a new database', async () => {
  expect(await schemaText(database.url)).toEqual(await schemaText(fresh.url))
})

test('an upgrade that is cut off changes nothing, and the next start does all of it', async () => {
  const older = await emptyDatabase()
  const { db, close } = connect(older.url, () => {})
  const other = new pg.Client({ connectionString: older.url })
  await other.connect()
  try {
    await migrate(db, OLDER_VERSION)
    await other.query(`SET session_replication_role = replica; ${ROWS} RESET session_replication_role;`)
    const before = await schemaText(older.url)
    const counts = await countsOf(other)
    // A reader holds up the first migration that changes the users; there the upgrade is cut off.
    await other.query('BEGIN; LOCK TABLE users IN ACCESS SHARE MODE')
    const cutOff = migrate(db).then(
      () => 'done',
      (error: Error) => error.message,
    )
    let waiting: { pid: number }[] = []
    while (waiting.length === 0) {
      const found = await other.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND wait_event = 'relation'`,
      )
      waiting = found.rows
    }
    for (const { pid } of waiting) await other.query('SELECT pg_terminate_backend($1)', [pid])
    expect(await cutOff).not.toBe('done')
    await other.query('COMMIT')
    expect(await schemaText(older.url)).toEqual(before)
    expect(await countsOf(other)).toEqual(counts)
    await migrate(db)
    expect(await schemaText(older.url)).toEqual(await schemaText(fresh.url))
  } finally {
    await other.end()
    await close()
    await older.drop()
  }
})
