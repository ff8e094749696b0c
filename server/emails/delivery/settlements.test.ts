import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction, runSql } from '#server/database/transaction.ts'
import { mailboxesOf } from '#server/mailboxes/mailboxes.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter } from '../../../tests/support/writing.ts'
import { withdrawGroup } from './groups-store.ts'
import { type ClaimKey, settleAndMark, settleTaken, unsureDue } from './settlements-store.ts'
import { enqueueEmails } from './enqueue-emails.ts'
import type { DeliveryState } from '../tables.ts'

let app: TestApp

beforeAll(async () => {
  // No worker: what this test leaves is looked at by nobody else.
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app.end())

const GROUP = 7
const SHELVES: Partial<Record<DeliveryState, string>> = { unsure: 'unsure', held: 'held', failed: 'failed' }

type Standing = { state: DeliveryState; attempt?: number; worker?: string | null; resends?: number }

/** A mail that stands like this. */
async function mailIn({ state, attempt = 1, worker = null, resends = 0 }: Standing): Promise<ClaimKey> {
  const { id: userId } = await connectWriter(app, { port: 2525 })
  const [mailbox] = await mailboxesOf(app.context.db, userId)
  return inTransaction(app.context.db, async (tx) => {
    const [emailId = 0] = await enqueueEmails(
      app.context,
      tx,
      {
        userId,
        mailboxId: mailbox?.id ?? 0,
        groupId: GROUP,
        priority: 1,
        from: { name: 'Ada', address: 'ada@muster.example' },
      },
      [{ to: 'bob@customer.example', subject: 'Hello', text: 'How are you?', purpose: 'outreach' }],
    )
    await runSql(
      tx,
      `UPDATE deliveries SET state = $2, shelf = $3, attempt = $4, worker_id = $5, resends = $6, after_crash = $6 > 0
       WHERE user_id = $1`,
      [userId, state, SHELVES[state] ?? 'due', attempt, worker, resends],
    )
    return { userId, emailId, attempt }
  })
}

async function standing({ userId }: ClaimKey) {
  const { rows } = await runSql(
    app.context.db,
    'SELECT state, shelf, worker_id, attempt FROM deliveries WHERE user_id = $1',
    [userId],
  )
  return (rows as Record<string, unknown>[])[0]
}

const ending = (mail: ClaimKey, state: 'sent' | 'deferred' = 'sent') => ({
  ...mail,
  attempt: 1,
  state,
  reason: null,
  nextTryAt: new Date(),
  at: new Date('2026-11-20T10:00:00Z'),
  inSentFolder: false,
})

test.each<Standing>([
  { state: 'unsure' },
  { state: 'queued', resends: 1 },
  { state: 'held', resends: 1 },
  // Claimed for being sent once more, and then perhaps held or freed.
  { state: 'claimed', attempt: 2, worker: 'other', resends: 1 },
  { state: 'held', attempt: 2, resends: 1 },
  { state: 'queued', attempt: 2, resends: 1 },
])('a server’s yes that was read late counts for a mail that stands as %o', async (stands) => {
  const mail = await mailIn(stands)
  await settleAndMark(app.context.db, 'late', [ending(mail)], [])
  expect(await standing(mail)).toMatchObject({ state: 'sent', shelf: 'due', worker_id: null })
  // Who had claimed it does not write the final dot.
  expect(await settleAndMark(app.context.db, 'other', [], [mail])).toEqual(new Set())
})

test.each<Standing>([
  { state: 'committed', attempt: 2, worker: 'other', resends: 1 },
  { state: 'unsure', attempt: 3, resends: 2 },
  { state: 'failed' },
])('a server’s yes that was read late leaves a mail alone that stands as %o', async (stands) => {
  const mail = await mailIn(stands)
  const before = await standing(mail)
  await settleAndMark(app.context.db, 'late', [ending(mail)], [])
  expect(await standing(mail)).toEqual(before)
})

test('a “later” that was read late says nothing', async () => {
  const mail = await mailIn({ state: 'unsure' })
  await settleAndMark(app.context.db, 'late', [ending(mail, 'deferred')], [])
  expect(await standing(mail)).toMatchObject({ state: 'unsure' })
})

test('a mail that its worker had settled, and not put away when it was killed, is still to be put away', async () => {
  const mail = await mailIn({ state: 'sent' })
  const { nextTryAt: _, state: __, ...noted } = ending(mail)
  expect(await settleTaken(app.context.db, [noted])).toMatchObject([{ userId: mail.userId }])
})

test('a group that is taken back keeps what may have left, and sends it no more', async () => {
  const [again, first] = [
    await mailIn({ state: 'queued', resends: 1 }),
    await mailIn({ state: 'claimed', worker: 'other' }),
  ]
  const withdraw = ({ userId }: ClaimKey) =>
    inTransaction(app.context.db, (tx) => withdrawGroup(tx, userId, GROUP))
  expect(await withdraw(again)).toEqual([])
  expect(await standing(again)).toMatchObject({ state: 'unsure', shelf: 'unsure' })
  const due = await unsureDue(app.context.db, new Date(app.clock.now().getTime() + 3_600_000), 100)
  expect(due.map(({ emailId }) => emailId)).not.toContain(again.emailId)
  expect(await withdraw(first)).toEqual([first.emailId])
  expect(await standing(first)).toBeUndefined()
})
