import { mailsOfEarlierDays, moveReservations, ONCE_A_DAY } from '../automatic-mail/automatic-mail.ts'
import { contactsById, keepContacts } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { releaseEmails, releaseGroup, repliedSince, withdrawHeld } from '../../mail/emails/emails.ts'
import { addressKey } from '../../formats/mail-text/addresses.ts'
import { type HeldItem, heldItems, writeAgain } from './late-store.ts'
import { ADDRESS_CHANGED, DELETED, mailedBefore, REPLIED } from './list-contacts.ts'
import { type BatchRow, skipWithdrawn } from './store.ts'

/** Held mails that are looked at together. */
const AT_ONCE = 500

/**
 * Lets held mails of a run leave: these, or all of them. What waited over midnight counts on the day on which it leaves; whoever
 * has had another automatic mail that day gets none. Since the mails were queued, days may have passed, so all that was asked
 * then is asked again.
 */
export async function releaseMails(
  context: Context,
  tx: Tx,
  batch: BatchRow,
  today: string,
  emailIds: readonly number[] | null = null,
): Promise<void> {
  const { user_id: userId, id } = batch
  const mails = emailIds === null ? { groupId: id } : { emailIds }
  await moveReservations(tx, userId, mails, today)
  const second = await mailsOfEarlierDays(tx, userId, mails, today)
  await skipWithdrawn(tx, userId, id, await withdrawHeld(tx, userId, second), ONCE_A_DAY)
  const held = await heldItems(tx, batch, emailIds)
  for (let from = 0; from < held.length; from += AT_ONCE)
    await takeBackOutdated(context, tx, batch, held.slice(from, from + AT_ONCE))
  if (emailIds === null) await releaseGroup(tx, userId, id)
  else await releaseEmails(tx, userId, emailIds)
}

/**
 * Takes back mails that would not be queued any more. To an address that has changed a run that goes on writes again; one that is
 * done writes nothing more.
 */
async function takeBackOutdated(
  context: Context,
  tx: Tx,
  batch: BatchRow,
  held: readonly HeldItem[],
): Promise<void> {
  const { user_id: userId, id } = batch
  const contactIds = held.map(({ contactId }) => contactId)
  await keepContacts(tx, userId, contactIds)
  const contacts = await contactsById(tx, userId, contactIds)
  const keys = [...contacts.values()].map((contact) => contact.email_key)
  const own = held.map(({ emailId }) => emailId)
  const mailed = await mailedBefore(context, tx, userId, keys, batch, own)
  const replied = batch.write_again ? await repliedSince(tx, userId, keys, batch.started_at) : new Set()
  const reasonFor = ({ contactId, address }: HeldItem): string | null => {
    const to = contacts.get(contactId)
    if (to === undefined) return DELETED
    if (to.email_key !== addressKey(address)) return ADDRESS_CHANGED
    return mailed.get(to.email_key) ?? (replied.has(to.email_key) ? REPLIED : null)
  }
  for (const [reason, items] of Map.groupBy(held, reasonFor)) {
    if (reason === null) continue
    const ids = items.map(({ emailId }) => emailId)
    const withdrawn = await withdrawHeld(tx, userId, ids)
    if (reason === ADDRESS_CHANGED && batch.state === 'running') await writeAgain(tx, batch, withdrawn)
    else await skipWithdrawn(tx, userId, id, withdrawn, reason)
  }
}
