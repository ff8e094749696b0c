import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { storeDelivery, type StoredDelivery } from '../../../../tests/support/stored-delivery.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import type { ClaimKey } from '#server/platform/jobs/delivery.ts'
import { withdrawGroup } from './groups-store.ts'
import { settleAccepted, settleAndMark, unsureDue } from './settlements-store.ts'

let app: TestApp

beforeAll(async () => {
  // No worker: nobody else touches what this test leaves.
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app.end())

const GROUP = 7

const store = (stored: StoredDelivery) => storeDelivery(app, stored, GROUP)

async function delivery({ userId }: ClaimKey) {
  const { rows } = await runSql(
    app.context.db,
    'SELECT state, queue, worker_id, attempt FROM deliveries WHERE user_id = $1',
    [userId],
  )
  return (rows as Record<string, unknown>[])[0]
}

const settlement = (mail: ClaimKey, state: 'sent' | 'deferred' = 'sent') => ({
  ...mail,
  attempt: 1,
  state,
  reason: null,
  nextTryAt: new Date(),
  at: new Date('2026-11-20T10:00:00Z'),
  inSentFolder: false,
})

test.each<StoredDelivery>([
  { state: 'unsure' },
  { state: 'queued', resends: 1 },
  { state: 'held', resends: 1 },
  // Claimed to be sent again, and then perhaps held or freed.
  { state: 'claimed', attempt: 2, worker: 'other', resends: 1 },
  { state: 'held', attempt: 2, resends: 1 },
  { state: 'queued', attempt: 2, resends: 1 },
])('a late acceptance settles a delivery in state %o', async (stored) => {
  const mail = await store(stored)
  await settleAndMark(app.context.db, 'late', [settlement(mail)], [])
  expect(await delivery(mail)).toMatchObject({ state: 'sent', queue: 'due', worker_id: null })
  // The worker that had claimed it does not write the final dot.
  expect(await settleAndMark(app.context.db, 'other', [], [mail])).toEqual(new Set())
})

test.each<StoredDelivery>([
  { state: 'committed', attempt: 2, worker: 'other', resends: 1 },
  { state: 'unsure', attempt: 3, resends: 2 },
  { state: 'failed' },
])('a late acceptance does not change a delivery in state %o', async (stored) => {
  const mail = await store(stored)
  const before = await delivery(mail)
  await settleAndMark(app.context.db, 'late', [settlement(mail)], [])
  expect(await delivery(mail)).toEqual(before)
})

test('of two attempts at one email that are to be marked at once only the one that holds it is', async () => {
  const second = await store({ state: 'claimed', attempt: 2, worker: 'ours' })
  const first = { ...second, attempt: 1 }
  const marked = await settleAndMark(app.context.db, 'ours', [], [first, { ...second, attempt: 2 }])
  expect(marked).toEqual(new Set([{ ...second, attempt: 2 }]))
})

test('a late deferral has no effect', async () => {
  const mail = await store({ state: 'unsure' })
  await settleAndMark(app.context.db, 'late', [settlement(mail, 'deferred')], [])
  expect(await delivery(mail)).toMatchObject({ state: 'unsure' })
})

test('an email that was settled but not finalized when its worker was killed is still to be finalized', async () => {
  const mail = await store({ state: 'sent' })
  const { nextTryAt: _, state: __, ...accepted } = settlement(mail)
  expect(await settleAccepted(app.context.db, [accepted])).toMatchObject([{ userId: mail.userId }])
})

test('withdrawing a group keeps what may have left, and does not send it again', async () => {
  const [again, first] = [
    await store({ state: 'queued', resends: 1 }),
    await store({ state: 'claimed', worker: 'other' }),
  ]
  const withdraw = ({ userId }: ClaimKey) =>
    inTransaction(app.context.db, (tx) => withdrawGroup(tx, userId, GROUP))
  expect(await withdraw(again)).toEqual([])
  expect(await delivery(again)).toMatchObject({ state: 'unsure', queue: 'unsure' })
  const due = await unsureDue(app.context.db, new Date(app.clock.now().getTime() + 3_600_000), 100)
  expect(due.map(({ emailId }) => emailId)).not.toContain(again.emailId)
  expect(await withdraw(first)).toEqual([first.emailId])
  expect(await delivery(first)).toBeUndefined()
})
