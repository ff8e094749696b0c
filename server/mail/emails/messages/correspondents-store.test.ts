import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp, type TestUser } from '../../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { inTransaction, runSql } from '../../../platform/database/transaction.ts'
import type { Tx } from '../../../platform/database/handles.ts'
import { mailedAmong, mailedSince } from './correspondents-store.ts'

const MAILS = 4000
const ASKED = 500
let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app?.end())

/** Runs this in a transaction, after which the database has counted what it read and wrote. */
async function counted(work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await inTransaction(app.context.db, async (tx) => {
    await work(tx)
    await runSql(tx, 'SELECT pg_stat_force_next_flush()')
  })
}

async function sendMany({ id }: TestUser): Promise<void> {
  await counted(async (tx) =>
    runSql(
      tx,
      `WITH account AS (
         INSERT INTO mailboxes (user_id, is_primary, address, created_at) VALUES ($1, true, 'ada@muster.example', '2026-01-01') RETURNING id
       ), written AS (
         INSERT INTO emails (user_id, mailbox_id, thread_id, direction, folder, message_id, correspondent_key, occurred_at, created_at)
         SELECT $1, account.id, n, 'out', 'sent', 'm' || n || '@muster.example', 'person' || n || '@far.example', '2026-01-02', '2026-01-02'
         FROM account, generate_series(1, ${MAILS}) n RETURNING id, mailbox_id
       )
       INSERT INTO deliveries (user_id, email_id, mailbox_id, state, queue, recipients, next_try_at, settled_at)
       SELECT $1, id, mailbox_id, 'sent', NULL, '{}', '2026-01-02', '2026-01-02' FROM written`,
      [id],
    ),
  )
}

/** How many pages of mails and deliveries, and of their indexes, a question reads. */
async function pagesRead(ask: (tx: Tx) => Promise<unknown>): Promise<number> {
  const before = await pages()
  await counted(ask)
  return (await pages()) - before
}

async function pages(): Promise<number> {
  const { rows } = await runSql(
    app.context.db,
    `SELECT sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::int AS pages
     FROM pg_statio_user_tables WHERE relname IN ('emails', 'deliveries')`,
  )
  return (rows[0] as { pages: number }).pages
}

test('who was mailed before is found in an account that the database has no figures of yet', async () => {
  await sendMany(await signUp(app.url))
  await runSql(app.context.db, 'ANALYZE emails, deliveries')
  const ada = await signUp(app.url)
  await sendMany(ada)
  const keys = Array.from({ length: ASKED }, (_, n) => `person${n + 1}@far.example`)
  const since = new Date('2026-01-01')
  for (const ask of [
    (tx: Tx) => mailedAmong(tx, ada.id, keys),
    (tx: Tx) => mailedSince(tx, ada.id, keys, since),
  ]) {
    expect(await inTransaction(app.context.db, async (tx) => ask(tx))).toEqual(new Set(keys))
    expect(await pagesRead(ask)).toBeLessThan(10 * ASKED)
  }
})
