import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { Tx } from '../../../platform/database/handles.ts'
import { addDeliveries } from './claims-store.ts'
import { deliveryRow } from './enqueue-emails.ts'
import { dueScheduled } from '../messages/store.ts'
import { storedEnvelope } from './envelope.ts'

const AT_ONCE = 200

/** Queues scheduled emails whose time has come. Neither a restart nor a clock that jumps can queue one twice. */
export async function enqueueScheduled(context: Context): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const due = await enqueueDue(tx, context.clock.now(), AT_ONCE)
    for (const userId of new Set(due.map((mail) => mail.user_id)))
      await context.live.publish(tx, userId, { topic: 'emails' })
  })
}

/** Queues the scheduled emails that are due at an instant, up to a limit. */
export async function enqueueDue(tx: Tx, at: Date, limit: number) {
  const due = await dueScheduled(tx, at, limit)
  const rows = due.flatMap(({ user_id: userId, id, mailbox_id: mailboxId, ...mail }) => {
    if (mailboxId === null) return []
    const recipients = storedEnvelope([mail.to_line, mail.cc_line, mail.bcc_line])
    return [deliveryRow({ userId, mailboxId, priority: 0 }, { to: mail.to_line, recipients }, id, at)]
  })
  if (rows.length > 0) await addDeliveries(tx, rows)
  return due
}
