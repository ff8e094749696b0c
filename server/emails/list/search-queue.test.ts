import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from '../../../tests/support/factories.ts'
import { makeSearchable, storeMails } from '../../../tests/support/stored-mails.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { newestWordsFirst } from '../../database/migrations/0023-newest-words-first.ts'
import { runSql } from '../../database/transaction.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app?.end())

/** The queue before it had times. */
const AS_BEFORE = `
  DROP FUNCTION emails_with_words;
  ALTER TABLE email_search_queue DROP CONSTRAINT email_search_queue_pkey, DROP COLUMN occurred_at;
  ALTER TABLE email_search_queue ADD PRIMARY KEY (user_id, email_id, place)`

test('mails that were queued before the queue was ordered by time are still indexed', async () => {
  const { db } = app.context
  const user = await signUp(app.url)
  const ids = await storeMails(app, user.id, [{ text: 'needle' }, { text: 'hay' }])
  await runSql(db, AS_BEFORE)
  // The entry of a mail that has since been deleted.
  await runSql(db, 'INSERT INTO email_search_queue (user_id, email_id) VALUES ($1, 999999)', [user.id])
  await runSql(db, newestWordsFirst)
  await makeSearchable(app, user.id)
  const { rows } = await runSql(db, 'SELECT email_id FROM email_search WHERE user_id = $1 ORDER BY 1', [
    user.id,
  ])
  expect(rows).toEqual(ids.map((id) => ({ email_id: id })))
  expect((await runSql(db, 'SELECT FROM email_search_queue')).rows).toEqual([])
})
