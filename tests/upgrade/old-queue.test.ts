import { expect, test } from 'vitest'
import { connect } from '#server/platform/database/connect.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { deadJobs } from '#server/platform/jobs/dead-jobs-store.ts'
import { emptyDatabase } from '../support/database.ts'

const BEFORE = '0102-draft-versions'

/** The queue of an older version, as far as the migration reads it. */
const OLD_QUEUE = `
  CREATE SCHEMA jobs;
  CREATE TABLE jobs.job (name text, state text, data jsonb, created_on timestamptz, source_retry_count int, source_output jsonb);
  INSERT INTO jobs.job VALUES
    ('outreach.drive-batch', 'created', '{"userId": 1, "batchId": 11}', now(), NULL, NULL),
    ('dead-letters', 'created', '{"userId": 2, "batchId": 12}', now() - interval '1 hour', 5, '{"message": "an older fault"}'),
    ('dead-letters', 'created', '{"userId": 2, "batchId": 12}', now(), 5, '{"message": "the newest fault"}'),
    ('dead-letters', 'created', '{"userId": 3, "batchId": "none"}', now(), NULL, NULL);`

const RUNS = `
  INSERT INTO outreach_batches (user_id, id, mailbox_id, state, started_at) OVERRIDING SYSTEM VALUE
  VALUES (1, 11, 1, 'running', now()), (2, 12, 1, 'running', now());`

test('what waited in the queue of an older version is still to be done, and what had failed there is shown', async () => {
  const database = await emptyDatabase()
  const { db, close } = connect(database.url, () => {})
  await migrate(db, BEFORE)
  await inTransaction(db, async (tx) => {
    await runSql(tx, 'SET LOCAL session_replication_role = replica')
    await runSql(tx, RUNS)
  })
  await runSql(db, OLD_QUEUE)
  await migrate(db)
  const { rows } = await runSql(db, 'SELECT user_id, is_active FROM jobs ORDER BY user_id')
  expect(rows).toEqual([
    { user_id: 1, is_active: false },
    { user_id: 2, is_active: false },
  ])
  const dead = await deadJobs(db, 10)
  expect(dead.jobs).toMatchObject([{ user_id: 2, failures: 6, last_failure: 'the newest fault' }])
  const { rows: left } = await runSql(db, `SELECT to_regnamespace('jobs') AS schema`)
  expect(left).toEqual([{ schema: null }])
  await close()
  await database.drop()
})
