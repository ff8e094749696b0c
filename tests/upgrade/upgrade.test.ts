import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/auth.ts'
import { contacts } from '#contract/contacts.ts'
import { emails } from '#contract/emails.ts'
import { mailboxSetup } from '#contract/mailbox-setup.ts'
import { mailboxes } from '#contract/mailboxes.ts'
import { connect } from '#server/database/connect.ts'
import { migrate } from '#server/database/migrate.ts'
import { runSql } from '#server/database/transaction.ts'
import { call } from '../support/client.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/reading.ts'
import { backUp, emptyHouse, restoreInto } from '../support/restored-house.ts'
import { schemaText } from '../support/schema-text.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

// A database of an older version, with rows in every table, is brought up to date and goes on working.

const OLDER_VERSION = '0021-html-in-raw'
/** What that version had written: two users with mailboxes, mail, contacts, imports and a paused run. */
const ROWS = readFileSync(new URL('./rows-0021.sql', import.meta.url), 'utf8')
const PASSWORD = 'correct horse battery'
/** Tables that have another name since. */
const RENAMED: Record<string, string> = {
  delivery_hands: 'delivery_workers',
  stirred_mails: 'relocations',
  contact_acts: 'contact_actions',
  contact_standings: 'contact_statuses',
}
const OLD_NAMES = String.raw`\m(shelf|delivery_hands|stirred_mails|lane|contact_acts|act_id|contact_standings?)\M`

let database: TestDatabase
let client: pg.Client
let before: Map<string, number>
let after: Map<string, number>
let app: TestApp
let token: string

beforeAll(async () => {
  database = await emptyDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { db, close } = connect(database.url, () => {})
  await migrate(db, OLDER_VERSION)
  // What triggers had made of the rows is among the rows.
  await client.query(`SET session_replication_role = replica; ${ROWS} RESET session_replication_role;`)
  before = await rowsOfTables()
  await migrate(db)
  after = await rowsOfTables()
  await close()
  app = await startTestApp({ database, environment: { LOG_LEVEL: 'error' } })
  const { rows } = await client.query<{ email: string }>('SELECT email FROM users ORDER BY id LIMIT 1')
  const loggedIn = await call(app.url, auth.login, {
    body: { email: rows[0]?.email ?? '', password: PASSWORD },
  })
  token = loggedIn.body.token
})
afterAll(async () => {
  await client?.end()
  await app?.end()
})

/** How many rows each table has. */
async function rowsOfTables(): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%' ORDER BY 1`,
  )
  const counts = new Map<string, number>()
  for (const { name } of rows) {
    const counted = await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${name}`)
    counts.set(name, Number(counted.rows[0]?.n))
  }
  return counts
}

test('the older version had rows in every table, and none is lost', () => {
  expect([...before].filter(([, rows]) => rows === 0)).toEqual([])
  for (const [table, rows] of before)
    expect([table, after.get(RENAMED[table] ?? table)]).toEqual([table, rows])
})

test('nothing in the database has an old name', async () => {
  const { rows } = await client.query(
    `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND (prosrc ~ $1 OR proname ~ $1)
     UNION ALL SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname ~ $1
     UNION ALL SELECT table_name || '.' || column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name ~ $1`,
    [OLD_NAMES],
  )
  expect(rows).toEqual([])
})

test('its mails are listed, counted and found', async () => {
  const counts = await call(app.url, emails.counts, { token })
  for (const folder of ['inbox', 'archived', 'spam', 'trash', 'drafts', 'scheduled'] as const) {
    const { body } = await call(app.url, emails.list, { token, query: { folder } })
    expect([folder, body.length > 0]).toEqual([folder, true])
  }
  expect(counts.status).toBe(200)
  await eventually(
    () => call(app.url, emails.list, { token, query: { search: 'subject:day' } }),
    ({ body }) => body.length > 0,
  )
})

test('a mail is sent', async () => {
  const body = { to: 'kim@people.example', subject: 'After the upgrade', content: 'Good day' }
  const sent = await call(app.url, emails.send, { token, body })
  expect([sent.status, sent.body]).toMatchObject([200, { delivery: { state: 'sent' } }])
})

test('a backup of that version is restored and brought up to date', async () => {
  const old = await emptyDatabase()
  const { db, close } = connect(old.url, () => {})
  await migrate(db, OLDER_VERSION)
  await runSql(db, `SET session_replication_role = replica; ${ROWS} RESET session_replication_role;`)
  await close()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'howl-backups-'))
  const house = await emptyHouse()
  try {
    const file = await backUp({ ...app, databaseUrl: old.url }, folder)
    const { manifest } = await restoreInto(house, file, app.clock)
    expect(manifest.migrations.at(-1)).toBe(OLDER_VERSION)
    expect(await schemaText(house.database.url)).toEqual(await schemaText(database.url))
  } finally {
    await old.drop()
    await house.remove()
    await rm(folder, { recursive: true, force: true })
  }
})

test('its own account is the default, and in use again after practice', async () => {
  const own = async () =>
    (await call(app.url, mailboxes.accounts, { token })).body.find(({ practice }) => !practice)
  expect(await own()).toMatchObject({ default: true, primary: false, connected: true })
  // The run of that version was paused in practice.
  await client.query(`UPDATE outreach_batches SET state = 'cancelled'`)
  expect((await call(app.url, mailboxSetup.remove, { token })).status).toBe(200)
  expect(await own()).toMatchObject({ default: true, primary: true })
})

test('contacts are deleted and brought back', async () => {
  const { body } = await call(app.url, contacts.list, { token, query: {} })
  const ids = body.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(0)
  const removed = await call(app.url, contacts.removeMany, { token, body: { ids } })
  expect(removed.status).toBe(200)
  const undone = await call(app.url, contacts.undoMany, { token, params: { id: removed.body.undo_id ?? 0 } })
  expect(undone.status).toBe(200)
  const again = await call(app.url, contacts.list, { token, query: {} })
  expect(again.body.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
})
