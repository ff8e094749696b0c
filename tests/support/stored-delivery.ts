import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { enqueueEmails } from '#server/mail/emails/emails.ts'
import type { DeliveryState } from '#server/mail/emails/emails.ts'
import type { ClaimKey } from '#server/platform/jobs/delivery.ts'
import { mailboxesOf } from '#server/mail/mailboxes/mailboxes.ts'
import type { TestApp } from './test-app.ts'
import { connectWriter } from './writing.ts'

/** The state of a delivery. */
export type StoredDelivery = {
  state: DeliveryState
  attempt?: number
  worker?: string | null
  resends?: number
}

const SHELVES: Partial<Record<DeliveryState, string>> = { unsure: 'unsure', held: 'held', failed: 'failed' }

/** A new user's only email, in group `groupId`, with a delivery in this state. */
export async function storeDelivery(
  app: TestApp,
  { state, attempt = 1, worker = null, resends = 0 }: StoredDelivery,
  groupId = 1,
): Promise<ClaimKey> {
  const { id: userId } = await connectWriter(app, { port: 2525 })
  const [mailbox] = await mailboxesOf(app.context.db, userId)
  return inTransaction(app.context.db, async (tx) => {
    const [emailId = 0] = await enqueueEmails(
      app.context,
      tx,
      {
        userId,
        mailboxId: mailbox?.id ?? 0,
        groupId,
        priority: 1,
        from: { name: 'Ada', address: 'ada@muster.example' },
      },
      [{ to: 'bob@customer.example', subject: 'Hello', text: 'How are you?', purpose: 'outreach' }],
    )
    await runSql(
      tx,
      `UPDATE deliveries SET state = $2, queue = $3, attempt = $4, worker_id = $5, resends = $6, after_crash = $6 > 0
       WHERE user_id = $1`,
      [userId, state, SHELVES[state] ?? 'due', attempt, worker, resends],
    )
    return { userId, emailId, attempt }
  })
}
