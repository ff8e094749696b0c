import { expect, test } from 'vitest'
import { connect } from '#server/platform/database/connect.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { emptyDatabase } from '../support/database.ts'

const BEFORE = '0130-house-days'

/** Account 1 begins with few mails a day, account 2 does not. */
const ROWS = `
  INSERT INTO mailboxes (user_id, id, is_primary, address, created_at, warm_up_from) OVERRIDING SYSTEM VALUE
  VALUES (1, 1, true, 'new@muster.example', now(), now()), (2, 2, true, 'old@muster.example', now(), NULL);
  INSERT INTO outreach_batches (user_id, id, mailbox_id, state, started_at, settled_at) OVERRIDING SYSTEM VALUE
  VALUES (1, 10, 1, 'done', now(), now()), (1, 11, 1, 'running', now(), NULL), (2, 12, 2, 'running', now(), NULL);`

test('a run that was held to the ceilings of its account does not send all at once after an upgrade', async () => {
  const database = await emptyDatabase()
  const { db, close } = connect(database.url, () => {})
  await migrate(db, BEFORE)
  await inTransaction(db, async (tx) => {
    await runSql(tx, 'SET LOCAL session_replication_role = replica')
    await runSql(tx, ROWS)
  })
  await migrate(db)
  const { rows } = await runSql(db, 'SELECT id, spread FROM outreach_batches ORDER BY id')
  expect(rows).toEqual([
    { id: 10, spread: null },
    { id: 11, spread: true },
    { id: 12, spread: null },
  ])
  await close()
  await database.drop()
})
