import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { addDeliveries } from './claims-store.ts'
import { deliveryRow } from './enqueue-emails.ts'
import { dueScheduled } from '../messages/store.ts'
import { storedEnvelope } from './envelope.ts'

const AT_ONCE = 200

/** Queues scheduled emails whose time has come. Neither a restart nor a clock that jumps can queue one twice. */
export async function enqueueScheduled(context: Context): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const now = context.clock.now()
    const due = await dueScheduled(tx, now, AT_ONCE)
    if (due.length === 0) return
    await addDeliveries(
      tx,
      due.flatMap((mail) =>
        mail.mailbox_id === null
          ? []
          : [
              deliveryRow(
                { userId: mail.user_id, mailboxId: mail.mailbox_id, priority: 0 },
                { to: mail.to_line, recipients: storedEnvelope([mail.to_line, mail.cc_line, mail.bcc_line]) },
                mail.id,
                now,
              ),
            ],
      ),
    )
    for (const userId of new Set(due.map((mail) => mail.user_id)))
      await context.live.publish(tx, userId, { topic: 'emails' })
  })
}
