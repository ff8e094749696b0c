import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { connect } from '#server/platform/database/connect.ts'
import { migrate, MIGRATIONS } from '#server/platform/database/migrate.ts'
import { call } from '../support/client.ts'
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/database.ts'
import { refusedStart } from '../support/refused-start.ts'
import { backUp, digestsOf, emptyHouse, restoreInto } from '../support/restored-house.ts'
import { schemaText } from '../support/schema-text.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { asBeforeBaseline, BASELINE, LAST_BEFORE_BASELINE } from './before-baseline.ts'

// A database of the version before the baseline has the baseline's schema under other names: it is taken as it is, and goes on
// working. One that is older than that is left alone.

/** Two users with mailboxes, mail, contacts, imports and a paused run, and rows in every other table. */
const ROWS = readFileSync(new URL('./rows-0100.sql', import.meta.url), 'utf8')
const PASSWORD = 'correct horse battery'
const OLDER = '0088-mail-troubles'

let database: TestDatabase
let client: pg.Client
let before: Map<string, string>
let after: Map<string, string>
let waitedFor: string[]
let app: TestApp
let token: string

beforeAll(async () => {
  ;({ database, client } = await oldDatabase())
  before = await digestsOf(database.url)
  waitedFor = await migrateTogether()
  after = await digestsOf(database.url)
  // The app makes the migrations after the baseline. The chain is signed with a key that no app of ours has.
  await client.query('DELETE FROM activity_chain')
  app = await startTestApp({ database, environment: { LOG_LEVEL: 'error' } })
  const { rows } = await client.query<{ email: string }>('SELECT email FROM users ORDER BY id LIMIT 1')
  const loggedIn = await call(app.url, auth.login, {
    body: { email: rows[0]?.email ?? '', password: PASSWORD },
  })
  token = loggedIn.body.token
}, 120_000)
afterAll(async () => {
  await client?.end()
  await app?.end()
})

/** A database of the version before the baseline, with rows in every table. */
async function oldDatabase(
  last = LAST_BEFORE_BASELINE,
): Promise<{ database: TestDatabase; client: pg.Client }> {
  const made = await emptyDatabase()
  const { db, close } = connect(made.url, () => {})
  await migrate(db, BASELINE)
  await close()
  const writer = new pg.Client({ connectionString: made.url })
  await writer.connect()
  // What triggers had made of the rows is among the rows.
  await writer.query(`SET session_replication_role = replica; ${ROWS} RESET session_replication_role;`)
  await asBeforeBaseline(writer, last)
  return { database: made, client: writer }
}

/** Starts three processes, all of which have begun before the first may write; returns what they wait for then. */
async function migrateTogether(): Promise<string[]> {
  const started = [1, 2, 3].map(() => connect(database.url, () => {}))
  // A transaction sees the same activity until it ends: another connection looks at it.
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('BEGIN; LOCK TABLE kysely_migration IN SHARE MODE')
  const all = Promise.all(started.map(({ db }) => migrate(db, BASELINE)))
  let waiting: string[] = []
  while (waiting.length < started.length) {
    const { rows } = await client.query<{ event: string }>(
      `SELECT wait_event AS event FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' ORDER BY 1`,
    )
    waiting = rows.map(({ event }) => event)
  }
  await holder.end()
  await all
  await Promise.all(started.map(({ close }) => close()))
  return waiting
}

async function namesIn(on: pg.Client): Promise<string[]> {
  const { rows } = await on.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name')
  return rows.map(({ name }) => name)
}

test('all its rows are as they were, in every table', () => {
  expect([...before].filter(([, digest]) => digest.startsWith('0 '))).toEqual([])
  expect(after).toEqual(before)
})

test('of processes that start together, one takes it', () => {
  expect(waitedFor).toEqual(['advisory', 'advisory', 'relation'])
})

test('it has the migrations and the schema of a new database', async () => {
  const fresh = await freshDatabase()
  expect(await schemaText(database.url)).toEqual(await schemaText(fresh.url))
  await fresh.drop()
  expect(await namesIn(client)).toEqual(Object.keys(MIGRATIONS))
})

test('its mails are listed, counted and found', async () => {
  const counts = await call(app.url, emails.counts, { token })
  for (const folder of ['inbox', 'archived', 'spam', 'trash', 'drafts', 'scheduled'] as const) {
    const { body } = await call(app.url, emails.list, { token, query: { folder } })
    expect([folder, body.length > 0]).toEqual([folder, true])
  }
  expect(counts.status).toBe(200)
  const found = async () =>
    (await call(app.url, emails.list, { token, query: { search: 'subject:day' } })).body
  await expect.poll(found).not.toEqual([])
})

test('a mail is sent', async () => {
  const body = { to: 'lee@people.example', subject: 'After the upgrade', content: 'Good day' }
  const sent = await call(app.url, emails.send, { token, body })
  expect([sent.status, sent.body]).toMatchObject([200, { delivery: { state: 'sent' } }])
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

test('migrations after the baseline follow at once', async () => {
  const old = await oldDatabase()
  const { db, close } = connect(old.database.url, () => {})
  const migrations = { ...MIGRATIONS, '9999-planted': 'ALTER TABLE users ADD COLUMN motto text' }
  await migrate(db, undefined, migrations)
  expect(await namesIn(old.client)).toEqual(Object.keys(migrations))
  expect((await old.client.query('SELECT motto FROM users')).rowCount).toBe(2)
  await close()
  await old.client.end()
  await old.database.drop()
})

describe('a backup', () => {
  async function backupOf(last: string, work: (file: string, url: string) => Promise<void>): Promise<void> {
    const old = await oldDatabase(last)
    await old.client.end()
    const folder = await mkdtemp(path.join(os.tmpdir(), 'howl-backups-'))
    try {
      await work(await backUp({ ...app, databaseUrl: old.database.url }, folder), old.database.url)
    } finally {
      await old.database.drop()
      await rm(folder, { recursive: true, force: true })
    }
  }

  test('of that version is restored', async () => {
    const house = await emptyHouse()
    await backupOf(LAST_BEFORE_BASELINE, async (file) => {
      const { manifest } = await restoreInto(house, file, app.clock)
      expect(manifest.migrations.at(-1)).toBe(LAST_BEFORE_BASELINE)
      expect(await schemaText(house.database.url)).toEqual(await schemaText(database.url))
      const reader = new pg.Client({ connectionString: house.database.url })
      await reader.connect()
      expect(await namesIn(reader)).toEqual(Object.keys(MIGRATIONS))
      expect((await reader.query('SELECT FROM users')).rowCount).toBe(2)
      await reader.end()
    })
    await house.remove()
  })

  test('of an older one is refused, and nothing is written', async () => {
    const house = await emptyHouse()
    await backupOf(OLDER, async (file) => {
      await expect(restoreInto(house, file, app.clock)).rejects.toThrow(
        `This backup is too old for this version to bring it up to date (its last change is ${OLDER}). Restore it with the last Howl that still has the change ${LAST_BEFORE_BASELINE}, make a backup there, and restore that one. Nothing was changed.`,
      )
    })
    expect(await schemaText(house.database.url)).toEqual([])
    await house.remove()
  })
})

test('a start on an older database ends with one sentence, and writes nothing', async () => {
  const old = await oldDatabase(OLDER)
  const state = async () => ({
    names: await namesIn(old.client),
    digests: await digestsOf(old.database.url),
    schema: await schemaText(old.database.url),
    schemas: (await old.client.query('SELECT nspname FROM pg_namespace ORDER BY 1')).rows,
  })
  const untouched = await state()
  const DATA_DIR = await mkdtemp(path.join(os.tmpdir(), 'howl-refused-'))
  const { code, said } = await refusedStart({ DATABASE_URL: old.database.url, DATA_DIR })
  await rm(DATA_DIR, { recursive: true, force: true })
  expect([code, said]).toEqual([
    1,
    `Howl cannot start: the database is too old for this version to bring it up to date (its last change is ${OLDER}): start the last Howl that still has the change ${LAST_BEFORE_BASELINE} on it once, then start this one.`,
  ])
  const { db, close } = connect(old.database.url, () => {})
  await expect(migrate(db)).rejects.toThrow(said)
  await close()
  expect(await state()).toEqual(untouched)
  await old.client.end()
  await old.database.drop()
})
