import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { enqueueEmails } from '#server/mail/emails/emails.ts'
import { mailboxesOf } from '#server/mail/mailboxes/mailboxes.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { holdBatch, pauseRuns } from './hold-batch.ts'
import { listContacts } from './list-contacts.ts'
import { runBatch } from './run-batch.ts'
import { addBatch, addItems, countItems, countSkipped, findBatch, noteListed } from './store.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app.end())

/** A run with one queued mail and one still to be written. */
async function aRun(): Promise<{ userId: number; batchId: number; queued: number }> {
  const { context } = app
  const { id: userId, token } = await signUp(app.url)
  await call(app.url, mailboxSetup.practice, { token })
  const mailboxId = (await mailboxesOf(context.db, userId))[0]?.id ?? 0
  const person = { name: 'Kim', email: 'kim@people.example' }
  const contact = (await call(app.url, contacts.add, { token, body: person })).body.id
  return inTransaction(context.db, async (tx) => {
    const from = { name: 'Ada', address: 'ada@muster.example' }
    const started = { user_id: userId, mailbox_id: mailboxId, total: 2, started_at: context.clock.now() }
    const batchId = (await addBatch(tx, started)).id
    const group = { userId, mailboxId, groupId: batchId, priority: 1 as const, from }
    const [queued = 0] = await enqueueEmails(context, tx, group, [
      { to: 'lee@people.example', subject: 'Hello', text: 'Hello', purpose: 'outreach' },
    ])
    const item = {
      user_id: userId,
      batch_id: batchId,
      contact_id: contact,
      name: 'Kim',
      address: person.email,
    }
    await addItems(tx, [{ ...item, state: 'pending', reason: null }])
    await noteListed(tx, userId, batchId, 2)
    return { userId, batchId, queued }
  })
}

const waitingForLocks = async () => {
  const { rows } = await runSql(
    app.context.db,
    `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return (rows[0] as { count: number }).count
}
const statesOf = async (batchId: number) => {
  const { rows } = await runSql(app.context.db, 'SELECT state FROM deliveries WHERE group_id = $1', [batchId])
  return (rows as { state: string }[]).map((row) => row.state)
}

test('nothing is written after a pause has begun', async () => {
  const { userId, batchId, queued } = await aRun()
  // A worker holds the queued mail for a moment, so that the pause takes some time.
  const worker = new pg.Client({ connectionString: app.databaseUrl })
  await worker.connect()
  await worker.query('BEGIN')
  await worker.query('SELECT FROM deliveries WHERE user_id = $1 AND email_id = $2 FOR UPDATE', [
    userId,
    queued,
  ])
  const paused = holdBatch(app.context, userId, batchId, 'pause')
  await expect.poll(waitingForLocks).toBe(1)

  const run = runBatch(app.context, userId, batchId, new AbortController().signal)
  await expect
    .poll(async () => (await waitingForLocks()) === 2 || (await statesOf(batchId)).length === 2)
    .toBe(true)
  await worker.query('COMMIT')
  await worker.end()

  expect((await paused).state).toBe('paused')
  await run
  expect(await statesOf(batchId)).not.toContain('queued')
})

test('a run cancelled while its contacts are being listed has nothing left to do', async () => {
  const { userId, batchId } = await aRun()
  const { db } = app.context
  await runSql(db, 'DELETE FROM outreach_items WHERE batch_id = $1', [batchId])
  const batch = await findBatch(db, userId, batchId)
  if (batch === undefined) throw new Error('The run is gone')
  await holdBatch(app.context, userId, batchId, 'cancel')
  await listContacts(app.context, batch, new AbortController().signal)
  expect((await countItems(db, userId, batchId)).pending).toBe(0)
})

test('somebody who was mailed since the run was listed is not mailed again', async () => {
  const { userId, batchId } = await aRun()
  // The Sent folder was read: another program, or the house before a restore, has written to Kim.
  await runSql(
    app.context.db,
    `INSERT INTO correspondents (user_id, address_key, first_sent_at, last_sent_at)
     VALUES ($1, 'kim@people.example', $2, $2)`,
    [userId, app.context.clock.now()],
  )
  const stop = new AbortController()
  const run = runBatch(app.context, userId, batchId, stop.signal)
  await expect.poll(async () => (await countItems(app.context.db, userId, batchId)).pending).toBe(0)
  stop.abort()
  await run
  expect(await countItems(app.context.db, userId, batchId)).toMatchObject({ written: 0, skipped: 1 })
  expect(await countSkipped(app.context.db, userId, batchId)).toEqual(
    new Map([['Already emailed before', 1]]),
  )
  expect(await statesOf(batchId)).toEqual(['queued'])
})

test('runs that a stranger may have begun are paused, and mail of one that is done is withdrawn', async () => {
  const { context } = app
  const { userId, batchId } = await aRun()
  const other = await aRun()
  const clear = (of: number) => inTransaction(context.db, (tx) => pauseRuns(context, tx, of))
  expect(await clear(userId)).toEqual({ told: ['1 bulk run is paused.'] })
  expect((await findBatch(context.db, userId, batchId))?.state).toBe('paused')
  expect(await statesOf(batchId)).toEqual(['held'])
  expect(await statesOf(other.batchId)).toEqual(['queued'])

  await runSql(context.db, `UPDATE outreach_batches SET state = 'done' WHERE id = $1`, [other.batchId])
  expect(await clear(other.userId)).toEqual({ told: [] })
  expect(await statesOf(other.batchId)).toEqual([])
})
