import { expect, test } from 'vitest'
import { connect } from '#server/platform/database/connect.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { emptyDatabase } from '../support/database.ts'

const BEFORE = '0132-friends-at-once'

/** Ann said no from a private address, Ben first no and then yes, Cem no and later to unsubscribe; Dora's no is in Spam. */
const ROWS = `
  INSERT INTO users (id, email, email_key, username, username_key, password_hash, name, created_at) OVERRIDING SYSTEM VALUE
  VALUES (1, 'ada@muster.example', 'ada@muster.example', 'ada', 'ada', '', 'Ada', now());
  INSERT INTO emails (user_id, id, direction, folder, intent, correspondent_key, message_id, in_reply_to, thread_id, occurred_at,
    created_at) OVERRIDING SYSTEM VALUE
  SELECT 1, id, CASE WHEN intent IS NULL THEN 'out' ELSE 'in' END, folder, intent, who || '@far.example', 'm' || id, CASE WHEN id IN (2, 8) THEN 'm8' END, id,
    now() - day * interval '1 day', now()
  FROM (VALUES
    (8, 'ann.work', NULL, 'sent', 10),
    (1, 'ann', 'interested', 'inbox', 9), (2, 'ann', 'not_interested', 'inbox', 8), (3, 'ann', 'question', 'inbox', 7),
    (4, 'ben', 'not_interested', 'inbox', 6), (5, 'ben', 'meeting_request', 'trash', 5),
    (6, 'cem', 'not_interested', 'inbox', 4), (7, 'dora', 'not_interested', 'spam', 3)) mails(id, who, intent, folder, day);
  INSERT INTO deliveries (user_id, email_id, mailbox_id, recipients, state, next_try_at) VALUES (1, 8, 1, '{ann.work@far.example}', 'sent', now());
  INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES (1, 'cem@far.example', 'unsubscribed', now());`

test('who has said no before an upgrade gets no automatic mail after it', async () => {
  const database = await emptyDatabase()
  const { db, close } = connect(database.url, () => {})
  await migrate(db, BEFORE)
  await inTransaction(db, async (tx) => {
    await runSql(tx, 'SET LOCAL session_replication_role = replica')
    await runSql(tx, ROWS)
  })
  await migrate(db)
  const { rows } = await runSql(
    db,
    'SELECT address_key, reason, email_id FROM suppressions ORDER BY address_key',
  )
  expect(rows).toEqual([
    { address_key: 'ann.work@far.example', reason: 'declined', email_id: 2 },
    { address_key: 'ann@far.example', reason: 'declined', email_id: 2 },
    { address_key: 'cem@far.example', reason: 'unsubscribed', email_id: null },
  ])
  await close()
  await database.drop()
})
