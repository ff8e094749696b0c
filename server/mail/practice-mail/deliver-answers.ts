import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ingestRaw } from '../emails/emails.ts'
import { type DueAnswer, postponeAnswer, takeDueAnswers } from './store.ts'

/** Answers ingested in one transaction, and their bytes beyond the first one. */
const BATCH = 50
const BATCH_BYTES = 8_000_000

/** An answer that could not be ingested is retried after this long, and delays no other. */
const POSTPONE_MS = 60_000

/** Ingests every due answer: it leaves the queue exactly when it is in the mailbox. */
export async function deliverAnswers(context: Context): Promise<void> {
  while (!context.stopping.aborted) {
    if ((await deliverBatch(context, BATCH)) === 0) return
  }
}

async function deliverBatch(context: Context, count: number): Promise<number> {
  let current: DueAnswer | undefined
  try {
    return await inTransaction(context.db, async (tx) => {
      const due = await takeDueAnswers(tx, context.clock.now(), count, BATCH_BYTES)
      for (const answer of due) {
        current = answer
        await ingestRaw(context, tx, {
          userId: answer.user_id,
          mailboxId: answer.mailbox_id,
          raw: answer.raw,
          receivedAt: answer.due_at,
        })
      }
      current = undefined
      return due.length
    })
  } catch (error) {
    if (current === undefined) throw error
    // The whole batch was rolled back; without this one the rest succeeds in the next step.
    context.log.warn({ err: error, userId: current.user_id }, 'a practice answer could not be ingested')
    const later = new Date(context.clock.now().getTime() + POSTPONE_MS)
    await postponeAnswer(context.db, current.user_id, current.id, later)
    return count
  }
}
