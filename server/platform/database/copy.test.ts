import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../../tests/support/database.ts'
import { connect } from './connect.ts'
import { withCopyConnection } from './copy.ts'
import { insertRows } from './insert-rows.ts'
import { inTransaction, runSql } from './transaction.ts'

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

test('work that is aborted while waiting for a connection keeps none', async () => {
  const pool = open.db.pool
  const all = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const givenUp = new AbortController()
  const work = withCopyConnection(open.db, givenUp.signal, async () => 'done')
  await expect.poll(() => pool.waitingCount).toBe(1)
  givenUp.abort(new Error('The tab was closed'))
  for (const client of all) client.release()
  await expect(work).rejects.toThrow('The tab was closed')
  expect(pool.totalCount - pool.idleCount).toBe(0)
})

test('rows come back as they were written, whatever their text', async () => {
  const { rows } = await runSql(
    open.db,
    `INSERT INTO users (email, email_key, username, username_key, password_hash, name, created_at)
     VALUES ('a@x.example', 'a@x.example', 'a', 'a', '', 'A', now()) RETURNING id`,
    [],
  )
  const [user] = rows as { id: number }[]
  const at = new Date('2026-03-01T12:34:56.789Z')
  const odd = ['\\N', '\\.', 'tab\tline\nreturn\r', 'back\\slash "quoted" {braces}, NULL', '', 'Ünïcode 🦊']
  const mails = odd.map((text, index) => ({
    user_id: user?.id ?? 0,
    id: index + 1,
    direction: 'in' as const,
    folder: 'inbox' as const,
    message_id: `${index}@x.example`,
    thread_id: index + 1,
    in_reply_to: null,
    reference_ids: odd.slice(index),
    subject: text,
    is_read: index % 2 === 0,
    occurred_at: at,
    created_at: at,
  }))
  await inTransaction(open.db, (tx) => insertRows(tx, 'emails', mails))
  const found = await open.db.selectFrom('emails').selectAll().orderBy('id').execute()
  expect(found).toMatchObject(mails)
})

test('only what the database cannot store as text is removed', async () => {
  const worker = {
    id: 'nul \0 and half a character \ud800 here',
    started_at: new Date(),
    heartbeat_at: new Date(),
  }
  await inTransaction(open.db, (tx) => insertRows(tx, 'workers', [worker, { ...worker, id: 'second' }]))
  const { rows } = await runSql(open.db, 'SELECT id FROM workers ORDER BY id', [])
  expect(rows).toEqual([{ id: 'nul  and half a character \ufffd here' }, { id: 'second' }])
})
