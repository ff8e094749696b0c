import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { mailboxesOf } from '#server/mail/mailboxes/mailboxes.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { connectWriter } from '../../../../tests/support/writing.ts'
import { openClaimBuffer } from './claim-buffer.ts'
import { type Claim, claimDue } from './claims-store.ts'
import { countQueued } from './groups-store.ts'
import { finalizeSent } from './settlements-store.ts'
import { enqueueEmails } from './enqueue-emails.ts'
import type { Tx } from '../../../platform/database/handles.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.end())
afterEach(() => void vi.restoreAllMocks())

/** A user with `count` queued emails, whose account is paused so that only this test claims them. */
async function queueEmails(count: number): Promise<{ userId: number; mailboxId: number; groupId: number }> {
  const user = await connectWriter(app, { port: 2525 })
  const [mailbox] = await mailboxesOf(app.context.db, user.id)
  const of = { userId: user.id, mailboxId: mailbox?.id ?? 0, groupId: 1 }
  await inTransaction(app.context.db, async (tx) => {
    await runSql(tx, `UPDATE mailboxes SET send_pause_until = $1, last_error = 'Not now' WHERE id = $2`, [
      new Date(app.clock.now().getTime() + 3_600_000),
      of.mailboxId,
    ])
    const from = { name: 'Ada', address: 'ada@muster.example' }
    const drafts = Array.from({ length: count }, (_, n) => ({
      to: `person${n}@customer.example`,
      subject: 'Hello',
      text: 'How are you?',
      purpose: 'outreach' as const,
    }))
    await enqueueEmails(app.context, tx, { ...of, priority: 1, from }, drafts)
  })
  return of
}

/** How many rows of deliveries `work` reads. */
async function rowsRead(tx: Tx, work: () => Promise<unknown>): Promise<number> {
  const readSoFar = async () => {
    const { rows } = await runSql(
      tx,
      `SELECT seq_tup_read + idx_tup_fetch AS count FROM pg_stat_xact_user_tables WHERE relname = 'deliveries'`,
      [],
    )
    return (rows as { count: number }[])[0]?.count ?? 0
  }
  const before = await readSoFar()
  await work()
  return (await readSoFar()) - before
}

test('the rest of a long run is found without reading the whole run, also for a user unknown to the statistics', async () => {
  const { db } = app.context
  const sendAllBut = (userId: number, queue: string, rest: number) =>
    runSql(
      db,
      `UPDATE deliveries SET state = 'sent', queue = ${queue}, settled_at = now()
       WHERE user_id = $1 AND state = 'queued' AND email_id NOT IN (
         SELECT email_id FROM deliveries WHERE user_id = $1 ORDER BY email_id DESC LIMIT $2)`,
      [userId, rest],
    )
  const before = await queueEmails(300)
  await sendAllBut(before.userId, 'NULL', 0)
  await runSql(db, 'ANALYZE deliveries', [])
  const { userId, mailboxId, groupId } = await queueEmails(3000)
  await sendAllBut(userId, 'NULL', 40)
  await sendAllBut(userId, 'queue', 20)
  const { workerId } = app.context
  const now = app.clock.now()
  const FEW = 200
  await inTransaction(db, async (tx) => {
    let waiting = 0
    const count = async () => (waiting = await countQueued(tx, { userId, mailboxId, groupId }, 2000))
    expect(await rowsRead(tx, count)).toBeLessThan(FEW)
    expect(waiting).toBe(20)
    let claims = 0
    const claim = async () =>
      (claims = (await claimDue(tx, { workerId, userId, mailboxId, now, limit: 100 })).length)
    expect(await rowsRead(tx, claim)).toBeLessThan(FEW)
    expect(claims).toBe(20)
    expect(await rowsRead(tx, () => finalizeSent(tx, userId, mailboxId))).toBeLessThan(FEW)
    const { rows } = await runSql(tx, 'SELECT FROM deliveries WHERE user_id = $1 AND queue IS NULL', [userId])
    expect(rows).toHaveLength(2980)
  })
})

/** A buffer that is claiming two emails and waits for their judge to answer. */
async function claiming() {
  const { userId, mailboxId } = await queueEmails(2)
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<Set<number>>()
  vi.spyOn(app.context.delivery.groupMail, 'judge').mockImplementation(() => {
    asked.resolve()
    return answer.promise
  })
  const stop = { isStopped: false }
  const run = { userId, mailboxId, inHand: new Set<number>(), nextAt: null }
  const buffer = openClaimBuffer(app.context, run, stop)
  const next = buffer.next(true)
  await asked.promise
  return { userId, buffer, stop, next, letLeave: () => answer.resolve(new Set()) }
}

test('what is claimed while others turn out to be lost is handed out', async () => {
  const { userId, buffer, next, letLeave } = await claiming()
  // A pause has taken it away, and the user has gone on at once.
  await buffer.claimLost({ userId, emailId: 0, attempt: 1 } as Claim)
  letLeave()
  expect(await next).toMatchObject({ userId, attempt: 1 })
  expect(buffer.nextBuffered()).toMatchObject({ userId, attempt: 1 })
})

test('what is being claimed when sending stops goes back into the queue', async () => {
  const { userId, buffer, stop, next, letLeave } = await claiming()
  stop.isStopped = true
  const released = buffer.releaseRest()
  letLeave()
  expect(await next).toBeUndefined()
  await released
  const { rows } = await runSql(
    app.context.db,
    'SELECT DISTINCT state, attempt, worker_id FROM deliveries WHERE user_id = $1',
    [userId],
  )
  expect(rows).toEqual([{ state: 'queued', attempt: 0, worker_id: null }])
})
