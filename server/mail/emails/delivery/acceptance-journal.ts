import type { Logger } from 'pino'
import { z } from 'zod'
import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/handles.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { ENTRY_BYTES, type JournalFile } from '../../../platform/gateways/journal-file.ts'
import type { Settlement } from '../../../platform/jobs/delivery.ts'
import { finalizeAndPublish } from './progress-publisher.ts'
import { finalizeSent, settleAccepted, withoutLease } from './settlements-store.ts'

/** The format of {@link JournalEntry}. */
const journalEntry = z.object({
  userId: z.number(),
  emailId: z.number(),
  attempt: z.number(),
  reason: z.string().nullable(),
  at: z.coerce.date(),
  inSentFolder: z.boolean(),
})
/** An email that a server has accepted, as it is written to the journal. */
export type JournalEntry = z.infer<typeof journalEntry>

/**
 * Gives a function that records on disk, before anything else happens, that a server has accepted an email. The database
 * learns of it some milliseconds later, or minutes later if it is restarting. `slot` belongs to one connection, which never
 * has two such emails. If the disk cannot be written to, sending goes on without the journal.
 */
export function makeAcceptanceRecorder(
  journal: JournalFile,
  log: Logger,
): (slot: number, settlement: Settlement) => void {
  let hasWarned = false
  return (slot, { userId, emailId, attempt, reason, at, inSentFolder }) => {
    const entryWith = (reasonOrNull: string | null) =>
      JSON.stringify({ userId, emailId, attempt, reason: reasonOrNull, at, inSentFolder })
    const entry = entryWith(reason)
    try {
      journal.write(slot, Buffer.byteLength(entry) < ENTRY_BYTES ? entry : entryWith(null))
    } catch (error) {
      if (hasWarned) return
      hasWarned = true
      log.warn({ err: error }, 'the acceptance journal cannot be written; emails are sent all the same')
    }
  }
}

/**
 * Gives a function that reads the journals of processes that have ended and settles the emails that the database does not
 * know to have left: they did leave and are not sent again. Then it deletes those journals. A journal that cannot be read
 * or settled does not hold up the others: it is tried again each time, and logged once. The function tells whether there are
 * journals of processes that have ended, or may have.
 */
export function makeJournalSettler(context: Context): () => Promise<boolean> {
  const { journal } = context.delivery
  const warned = new Set<string>()
  return async () => {
    const others = await journal.otherProcesses()
    if (others.length === 0) return false
    const ended = await withoutLease(context.db, others)
    for (const process of ended) {
      try {
        await settleJournal(context, process)
      } catch (error) {
        if (!warned.has(process))
          context.log.warn({ err: error, process }, 'the journal of another process cannot be settled')
        warned.add(process)
      }
    }
    return ended.length > 0
  }
}

/** Settles what entries of a journal say, in the caller's transaction. */
export async function settleEntries(tx: Tx, entries: readonly string[]): Promise<void> {
  const settled = await settleAccepted(
    tx,
    entries.flatMap((entry) => parseEntry(entry) ?? []),
  )
  for (const { userId, mailboxId } of settled) await finalizeSent(tx, userId, mailboxId)
}

async function settleJournal(context: Context, process: string): Promise<void> {
  const { journal } = context.delivery
  const accepted = (await journal.read(process)).flatMap((entry) => parseEntry(entry) ?? [])
  await inTransaction(context.db, async (tx) => {
    const settled = await settleAccepted(tx, accepted)
    for (const { userId, mailboxId } of settled) await finalizeAndPublish(context, tx, userId, mailboxId)
  })
  await journal.delete(process)
}

/** Null for an entry that was cut off in the middle: then it is not known that the email was accepted. */
function parseEntry(entry: string): JournalEntry | null {
  try {
    return journalEntry.parse(JSON.parse(entry))
  } catch {
    return null
  }
}
