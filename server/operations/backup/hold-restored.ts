import { noteActivity } from '../../accounts/activities/activities.ts'
import { removeClaims } from '../../accounts/admin-auth/admin-auth.ts'
import { pauseAllMail } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { holdWaitingMails, removeSystemEmails, settleEntries } from '../../mail/emails/emails.ts'
import { pauseRestoredRuns } from '../../outreach/runs/runs.ts'
import { pauseRestoredSequences } from '../../outreach/sequences/sequences.ts'
import { holdSystemMails } from '../../accounts/system-mail/system-mail.ts'
import { type CarriedOver, carryOver } from './carry-over.ts'
import { addHolds, addRestore, removeWorkers } from './restores-store.ts'

export type HoldContext = Pick<Context, 'secrets' | 'clock'> & { db: Database }

/**
 * The last step of a restore, on the new database: nothing in it may send mail by itself. Emails, runs, reminders and
 * invoices that repeat wait for their owner, system mail for the operator; every session ends. What is known to have left
 * counts as sent.
 *
 * @param facts `journal`: entries of acceptance journals. `before`: the database that is replaced, if it can be read
 * @returns what was taken over from `before`; undefined where there was nothing
 */
export async function holdRestored(
  context: HoldContext,
  facts: { token: string; takenAt: Date; journal: readonly string[]; before: Database | null; file: string },
): Promise<CarriedOver | undefined> {
  const { token, takenAt, journal, before, file } = facts
  const now = context.clock.now()
  return inTransaction(context.db, async (tx) => {
    await removeWorkers(tx)
    await settleEntries(tx, journal)
    const runs = await pauseRestoredRuns(tx)
    await pauseRestoredSequences(tx)
    await holdSystemMails(tx, await removeSystemEmails(tx), now)
    await holdWaitingMails(tx, now)
    const userIds = await pauseAllMail(tx, now)
    await removeClaims(tx)
    const carried = before === null ? undefined : await carryOver(tx, before, takenAt, now).catch(olderSchema)
    const restoreId = await addRestore(tx, { token, backup_taken_at: takenAt, restored_at: now })
    await addHolds(tx, restoreId, userIds, runs)
    await noteActivity(context, tx, { type: 'backup_restored', user: null, origin: null, detail: file })
    return carried
  })
}

/** A database of an older version lacks what is asked for: then nothing is known from it. */
function olderSchema(error: unknown): undefined {
  const isMissing = ['42P01', '42703'].includes((error as { code?: string }).code ?? '')
  if (!isMissing) throw error
}
