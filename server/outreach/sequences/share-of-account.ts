import { dayBegins, standingOf } from '../automatic-mail/automatic-mail.ts'
import type { Mailbox } from '../../mail/mailboxes/mailboxes.ts'
import { countOwnMails } from './due-store.ts'
import { slotOf } from './pace.ts'
import type { Turn } from './apply-steps.ts'

/**
 * How many mails a sequence may write now, so that every sequence on the account gets as much of the slot, and of a new
 * account's day.
 */
export async function shareOfAccount(
  { context, tx, sequence, now, zone, sharers }: Turn,
  mailbox: Mailbox,
  aSlot: number,
): Promise<number> {
  if (sharers === 1) return aSlot
  const { user_id: userId, id: sequenceId } = sequence
  const partOf = async (whole: number, since: Date) => {
    const own = await countOwnMails(tx, { userId, sequenceId, mailboxId: mailbox.id, since })
    return Math.max(0, Math.ceil(whole / sharers) - own)
  }
  const ofSlot = await partOf(aSlot, slotOf(now))
  const standing = await standingOf(context, tx, { userId, mailboxId: mailbox.id })
  // Where the whole day is used up, the ledger says so, and until when.
  if (standing?.ceiling == null || standing.sentToday >= standing.ceiling) return ofSlot
  return Math.min(ofSlot, await partOf(standing.ceiling, dayBegins(now, zone)))
}
