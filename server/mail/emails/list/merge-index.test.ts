import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from '../../../../tests/support/factories.ts'
import { makeSearchable, storeMails } from '../../../../tests/support/stored-mails.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { runSql } from '../../../platform/database/transaction.ts'
import { makeIndexMerger } from './merge-index.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app?.end())

test('merges what an earlier process left, and tries again after a failed merge', async () => {
  const { db } = app.context
  const pagesOnList = async () => {
    const { rows } = await runSql(db, `SELECT gin_clean_pending_list('email_search_words') AS pages`)
    return rows
  }
  const write = async () => {
    const user = await signUp(app.url)
    await storeMails(
      app,
      user.id,
      Array.from({ length: 50 }, (_, n) => ({ text: `straw and hay ${n}` })),
    )
    await makeSearchable(app, user.id)
  }
  await write()
  const merger = makeIndexMerger(app.context)
  await merger.mergeRest()
  expect(await pagesOnList()).toEqual([{ pages: 0 }])

  await write()
  await runSql(db, 'ALTER INDEX email_search_words RENAME TO out_of_reach')
  await merger.note(100_000_000)
  await merger.settled()
  await runSql(db, 'ALTER INDEX out_of_reach RENAME TO email_search_words')
  await merger.mergeRest()
  expect(await pagesOnList()).toEqual([{ pages: 0 }])
})
