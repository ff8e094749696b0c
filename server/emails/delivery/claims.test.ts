import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailboxes } from '#contract/mailboxes.ts'
import { inTransaction, runSql } from '#server/database/transaction.ts'
import { mailboxesOf } from '#server/mailboxes/mailboxes.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { claimDue } from './claims-store.ts'
import { countQueued } from './groups-store.ts'
import { putAway } from './settlements-store.ts'
import { enqueueEmails } from './enqueue-emails.ts'
import type { Tx } from '../../database/handles.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.end())

/** A user whose account is held back, so that this test alone claims its mail, with so many mails queued. */
async function queued(mails: number): Promise<{ userId: number; mailboxId: number; groupId: number }> {
  const user = await signUp(app.url)
  const body = {
    smtp_host: '127.0.0.1',
    smtp_port: 2525,
    smtp_username: 'ada',
    smtp_password: 'secret',
    smtp_from: 'ada@muster.example',
    smtp_use_tls: false,
  }
  expect((await call(app.url, mailboxes.save, { token: user.token, body })).status).toBe(200)
  const [mailbox] = await mailboxesOf(app.context.db, user.id)
  const of = { userId: user.id, mailboxId: mailbox?.id ?? 0, groupId: 1 }
  await inTransaction(app.context.db, async (tx) => {
    await runSql(tx, `UPDATE mailboxes SET send_pause_until = $1, last_error = 'Not now' WHERE id = $2`, [
      new Date(app.clock.now().getTime() + 3_600_000),
      of.mailboxId,
    ])
    const from = { name: 'Ada', address: 'ada@muster.example' }
    const drafts = Array.from({ length: mails }, (_, n) => ({
      to: `person${n}@customer.example`,
      subject: 'Hello',
      text: 'How are you?',
      purpose: 'outreach' as const,
    }))
    await enqueueEmails(app.context, tx, { ...of, priority: 1, from }, drafts)
  })
  return of
}

/** Rows of deliveries that `work` reads. */
async function read(tx: Tx, work: () => Promise<unknown>): Promise<number> {
  const sofar = async () => {
    const { rows } = await runSql(
      tx,
      `SELECT seq_tup_read + idx_tup_fetch AS count FROM pg_stat_xact_user_tables WHERE relname = 'deliveries'`,
      [],
    )
    return (rows as { count: number }[])[0]?.count ?? 0
  }
  const before = await sofar()
  await work()
  return (await sofar()) - before
}

test('what is left of a long run is found without reading the run, also of a user whom the database never saw', async () => {
  const { db } = app.context
  const leave = (userId: number, shelf: string, but: number) =>
    runSql(
      db,
      `UPDATE deliveries SET state = 'sent', shelf = ${shelf}, settled_at = now()
       WHERE user_id = $1 AND state = 'queued' AND email_id NOT IN (
         SELECT email_id FROM deliveries WHERE user_id = $1 ORDER BY email_id DESC LIMIT $2)`,
      [userId, but],
    )
  const before = await queued(300)
  await leave(before.userId, 'NULL', 0)
  await runSql(db, 'ANALYZE deliveries', [])
  const { userId, mailboxId, groupId } = await queued(3000)
  await leave(userId, 'NULL', 40)
  await leave(userId, 'shelf', 20)
  const { workerId } = app.context
  const now = app.clock.now()
  const few = 200
  await inTransaction(db, async (tx) => {
    let waiting = 0
    const count = async () => (waiting = await countQueued(tx, { userId, mailboxId, groupId }, 2000))
    expect(await read(tx, count)).toBeLessThan(few)
    expect(waiting).toBe(20)
    let claims = 0
    const claim = async () =>
      (claims = (await claimDue(tx, { workerId, userId, mailboxId, now, limit: 100 })).length)
    expect(await read(tx, claim)).toBeLessThan(few)
    expect(claims).toBe(20)
    expect(await read(tx, () => putAway(tx, userId, mailboxId))).toBeLessThan(few)
    const { rows } = await runSql(tx, 'SELECT FROM deliveries WHERE user_id = $1 AND shelf IS NULL', [userId])
    expect(rows).toHaveLength(2980)
  })
})
