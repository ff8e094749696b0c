import { contactsToMail } from '../contacts/contacts.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { adoptKeptSuppressions, mailedAmong, suppressedAmong } from '../emails/emails.ts'
import { isSendable } from '../mail/addresses.ts'
import { addItems, type BatchRow, countItems, keepRunning, lastListed, noteListed } from './store.ts'

/** Contacts handled in one transaction. */
const PAGE = 1000

export const ALREADY_MAILED = 'Already emailed before'
export const NO_ADDRESS = 'No valid email address'
export const SUPPRESSED = {
  unsubscribed: 'Has unsubscribed',
  bounced: 'Mail to this address came back',
  complaint: 'Has reported your mail as spam',
  manual: 'On your do-not-mail list',
}

export type Person = { id: number; name: string; email: string; email_key: string }

/** Divides contacts into those to mail (null) and those to skip, with the reason. */
export async function reasonsToSkip(
  context: Context,
  userId: number,
  people: readonly Person[],
): Promise<Map<number, string | null>> {
  const keys = people.map((person) => person.email_key)
  await adoptKeptSuppressions(context, context.db, userId, keys)
  const [suppressed, mailed] = await Promise.all([
    suppressedAmong(context.db, userId, keys),
    mailedAmong(context.db, userId, keys),
  ])
  return new Map(
    people.map((person): [number, string | null] => {
      const off = suppressed.get(person.email_key)
      if (!isSendable(person.email)) return [person.id, NO_ADDRESS]
      if (off !== undefined) return [person.id, SUPPRESSED[off]]
      return [person.id, mailed.has(person.email_key) ? ALREADY_MAILED : null]
    }),
  )
}

/** Writes a run's row for every contact, page by page, while it is running; continues where it was interrupted. */
export async function listContacts(context: Context, batch: BatchRow, signal: AbortSignal): Promise<void> {
  const { user_id: userId, id: batchId } = batch
  for (;;) {
    signal.throwIfAborted()
    const after = await lastListed(context.db, userId, batchId)
    const people = await contactsToMail(context.db, userId, after, PAGE)
    const reasons = await reasonsToSkip(context, userId, people)
    const goesOn = await inTransaction(context.db, async (tx) => {
      if (!(await keepRunning(tx, userId, batchId))) return false
      const items = people.map((person) => {
        const reason = reasons.get(person.id) ?? null
        const state = reason === null ? ('pending' as const) : ('skipped' as const)
        return {
          user_id: userId,
          batch_id: batchId,
          contact_id: person.id,
          name: person.name,
          address: person.email,
          state,
          reason,
        }
      })
      await addItems(tx, items)
      if (people.length === PAGE) return true
      const counts = await countItems(tx, userId, batchId)
      await noteListed(tx, userId, batchId, counts.pending + counts.written + counts.skipped + counts.error)
      return false
    })
    if (!goesOn) return
  }
}
