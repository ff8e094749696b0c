import { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { ENTRY_BYTES } from '../../gateways/journal-file.ts'
import { goneAmong, putAway, type Settlement, settleTaken } from './settlements-store.ts'

/** A mail that a server took, as it is noted. */
const receipt = z.object({
  userId: z.number(),
  emailId: z.number(),
  attempt: z.number(),
  reason: z.string().nullable(),
  at: z.coerce.date(),
  inSentFolder: z.boolean(),
})
export type JournalEntry = z.infer<typeof receipt>

const unwritable = new WeakSet<Context>()

/**
 * Notes on the disk, before anything else, that a server took a mail: the table hears of it some milliseconds later, or
 * minutes where it restarts. `place` is the connection's own, which never has two such mails. Without a disk to write to
 * all goes on as if there were none of this.
 */
export function recordAcceptance(context: Context, place: number, settlement: Settlement): void {
  const { userId, emailId, attempt, reason, at, inSentFolder } = settlement
  const note = (words: string | null) =>
    JSON.stringify({ userId, emailId, attempt, reason: words, at, inSentFolder })
  const whole = note(reason)
  try {
    context.receipts.note(place, Buffer.byteLength(whole) < ENTRY_BYTES ? whole : note(null))
  } catch (error) {
    if (unwritable.has(context)) return
    unwritable.add(context)
    context.log.warn(
      { err: error },
      'what servers took cannot be noted on the disk; mails are sent all the same',
    )
  }
}

/**
 * Settles what processes that are no more had noted as taken and the table does not know of: it did leave, and does not
 * leave again. Then their notes are dropped.
 */
export async function settleJournals(context: Context): Promise<void> {
  const others = await context.receipts.others()
  if (others.length === 0) return
  for (const process of await goneAmong(context.db, others)) {
    await settleNotesOf(context, process).catch((error: unknown) => warnOnce(context, process, error))
  }
}

/** Notes that cannot be read or settled keep no others waiting; it is tried again, and said once. */
const told = new WeakMap<Context, Set<string>>()

function warnOnce(context: Context, process: string, error: unknown): void {
  const names = told.get(context) ?? new Set()
  told.set(context, names)
  if (names.has(process)) return
  names.add(process)
  context.log.warn({ err: error, process }, 'what another process had noted as taken cannot be settled')
}

async function settleNotesOf(context: Context, process: string): Promise<void> {
  const taken = (await context.receipts.of(process)).flatMap((note) => readNote(note) ?? [])
  await inTransaction(context.db, async (tx) => {
    const settled = await settleTaken(tx, taken)
    for (const { userId, mailboxId } of settled) {
      await putAway(tx, userId, mailboxId)
      for (const topic of ['outreach', 'emails', 'contacts'] as const)
        await context.live.publish(tx, userId, { topic })
    }
  })
  await context.receipts.forget(process)
}

/** Null for what was cut off in the middle: then it is not known to have been taken. */
function readNote(note: string): JournalEntry | null {
  try {
    return receipt.parse(JSON.parse(note))
  } catch {
    return null
  }
}
