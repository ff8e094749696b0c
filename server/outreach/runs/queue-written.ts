import { type Writer, withOptOut } from '../briefs/briefs.ts'
import { noteQueued, reserveMails } from '../automatic-mail/automatic-mail.ts'
import type { UserRow } from '../../accounts/auth/auth.ts'
import { contactsById } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { enqueueEmails, unsubscribeUrl } from '../../mail/emails/emails.ts'
import { isSendable } from '../../formats/mail-text/addresses.ts'
import { type Mailbox, senderOf } from '../../mail/mailboxes/mailboxes.ts'
import { DELETED, LEFT_OUT, NO_ADDRESS, refusedMeanwhile } from './list-contacts.ts'
import { dropPreviews, type PreviewRow } from './previews-store.ts'
import { type BatchRow, changeItems, type ItemChange, keepRunning, lockPending, sendingOf } from './store.ts'
import type { Written } from './write-mail.ts'

type Queueing = {
  batch: BatchRow
  user: UserRow
  mailbox: Mailbox
  ids: readonly number[]
  shown: ReadonlyMap<number, PreviewRow>
  writer: Writer
  /** Who gets none because the template would have a gap. */
  gaps: ReadonlyMap<number, string>
}

/** Queues what was written; true if some has to wait, and is still to be written. */
export async function queueWritten(
  context: Context,
  { batch, user, mailbox, ids: asked, shown, gaps, writer }: Queueing,
  written: ReadonlyMap<number, Written>,
): Promise<boolean> {
  const { user_id: userId, id: batchId } = batch
  return inTransaction(context.db, async (tx) => {
    // The run may have been paused or cancelled while the model was working.
    if (!(await keepRunning(tx, userId, batchId))) return false
    const mine = await lockPending(tx, userId, batchId, asked)
    // A run may wait for days: the mail goes to the address that the contact has now.
    const contacts = await contactsById(tx, userId, [...mine])
    const keys = [...contacts.values()].map((contact) => contact.email_key)
    // Somebody may have been mailed since the run was listed: by hand, or by the installation that a restored backup was taken from.
    // A contact that is still pending has had no mail of this run.
    const refused = await refusedMeanwhile(context, tx, batch, keys)
    const changes: ItemChange[] = []
    const wanted: { contactId: number; address: string; mail: Written }[] = []
    for (const contactId of mine) {
      const to = contacts.get(contactId)
      const mail = written.get(contactId)
      const gap = gaps.get(contactId)
      const before = to === undefined ? undefined : refused.get(to.email_key)
      if (to === undefined || (mail ?? gap) === undefined) changes.push(skipped(contactId, DELETED))
      else if (shown.get(contactId)?.left_out === true) changes.push(skipped(contactId, LEFT_OUT))
      else if (!isSendable(to.email)) changes.push(skipped(contactId, NO_ADDRESS))
      else if (before !== undefined) changes.push(skipped(contactId, before))
      else if (mail === undefined) changes.push(skipped(contactId, gap ?? ''))
      else wanted.push({ contactId, address: to.email, mail })
    }
    const at = { ...sendingOf(batch), source: 'run' as const }
    const reserved = await reserveMails(context, tx, at, wanted)
    const toQueue = wanted.filter(({ contactId }) => reserved.get(contactId) === null)
    let isRefused = false
    for (const [contactId, why] of reserved) {
      if (why === null) continue
      // Who gets none today, or never, is told so; what the whole account waits for, the run waits for.
      if (why.kind === 'suppressed' || why.kind === 'once_a_day') changes.push(skipped(contactId, why.reason))
      else isRefused = true
    }
    const ids = await enqueueEmails(
      context,
      tx,
      { userId, mailboxId: mailbox.id, groupId: batchId, priority: 1, from: senderOf(mailbox, user) },
      toQueue.map(({ address, mail }) => ({
        to: address,
        subject: mail.subject,
        text: (emailId) =>
          withOptOut(mail.text, unsubscribeUrl(context, userId, emailId), writer.voice.language),
        purpose: 'outreach',
        templated: mail.fallback !== null,
      })),
    )
    toQueue.forEach(({ contactId, address, mail }, index) => {
      changes.push({
        contact_id: contactId,
        address,
        state: 'written',
        reason: mail.fallback,
        email_id: ids[index] ?? null,
        templated: mail.fallback !== null,
      })
    })
    const entries = toQueue.map(({ contactId }, index) => ({ contactId, emailId: ids[index] ?? 0 }))
    await noteQueued(tx, userId, 'run', entries)
    await changeItems(tx, userId, batchId, changes)
    // Who has to wait gets the mail that was shown later. The user's own words are kept: a mail is written again if its address
    // changes before it leaves.
    const isOver = ({ contact_id: id, email_id: emailId }: ItemChange) =>
      shown.has(id) && (emailId === null || shown.get(id)?.edited !== true)
    const over = changes.filter(isOver)
    await dropPreviews(
      tx,
      userId,
      over.map(({ contact_id: contactId }) => contactId),
    )
    return isRefused
  })
}

function skipped(contactId: number, reason: string): ItemChange {
  return { contact_id: contactId, address: null, state: 'skipped', reason, email_id: null, templated: false }
}
