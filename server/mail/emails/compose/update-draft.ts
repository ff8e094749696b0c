import type { emails } from '#contract/mail/emails.ts'
import type { BodyOf } from '#contract/platform/endpoint.ts'
import { findUser } from '../../../accounts/auth/auth.ts'
import { enqueueImapActions } from '../actions/enqueue-imap-actions.ts'
import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { conflict, invalidInput, notFound } from '../../../platform/errors.ts'
import { senderOf } from '../../mailboxes/mailboxes.ts'
import { checkRecipients } from './check-recipients.ts'
import { changeMail, lockOwnMail, type OwnMail } from './compositions-store.ts'
import { HAS_LEFT } from './discard-draft.ts'
import { completeMessage } from './complete-message.ts'
import { EMAIL_NOT_FOUND } from '../messages/folders.ts'
import { changedContent, type DraftContent, readContentOfDraft } from './draft-content.ts'
import { listedMail, scheduleTime, type Caller } from './send-email.ts'
import { connectedMailbox, notConnected } from './sender.ts'
import { readBody } from '../content/read-body.ts'
import { type EmailBodyRow, findListed, type ListedEmail } from '../messages/store.ts'
import { scheduleDraftAppend } from './revert-to-draft.ts'
import { rewriteMessage, writeDraft } from './store-message.ts'
import type { Tx } from '../../../platform/database/handles.ts'

type Changes = BodyOf<typeof emails.update>

/**
 * Changes a draft, or a scheduled mail that has not been sent. Fields that are not given stay as they are; if two calls
 * change the same field, the last one wins.
 *
 * @throws Refusal 404; 409 when it has been sent, or is neither; 400 for a scheduled mail that could not be sent like this
 */
export async function updateDraft(
  context: Context,
  caller: Caller,
  id: number,
  changes: Changes,
): Promise<ListedEmail> {
  const scheduleAt = scheduleOf(context, changes)
  // The files of a draft that another program wrote are stored first, not while the row is locked.
  const adopted = await adoptedFiles(context, caller.id, id)
  const unusedRaw = await inTransaction(context.db, async (tx) => {
    const mail = await lockOwnMail(tx, caller.id, id)
    if (mail === undefined || mail.folder === 'deleted') throw notFound(EMAIL_NOT_FOUND)
    if (mail.folder !== 'drafts' && mail.folder !== 'scheduled') throw conflict(notADraft(mail))
    const body = await readBody(tx, caller.id, id)
    if (body === undefined)
      throw conflict('This draft has not been fully downloaded yet. Please try again in a moment.')
    await applyChanges(context, tx, caller, { mail, body, adopted, changes, scheduleAt })
    await context.live.publish(tx, caller.id, { topic: 'emails' })
    return body.raw_key
  })
  if (unusedRaw !== null) await context.blobs.delete(unusedRaw)
  return listedMail(context, caller.id, id)
}

function notADraft({ delivery, direction }: OwnMail): string {
  return delivery !== null || direction === 'out'
    ? HAS_LEFT
    : 'Only drafts and scheduled emails can be changed.'
}

type LockedDraft = {
  mail: OwnMail
  body: EmailBodyRow
  adopted: DraftContent['files'] | null
  changes: Changes
  scheduleAt: Date | null | undefined
}

async function applyChanges(context: Context, tx: Tx, caller: Caller, of: LockedDraft): Promise<void> {
  const { mail, body, adopted, changes, scheduleAt } = of
  const { id: userId } = caller
  // No file is read from the raw mail here: the files have been adopted, or the draft was written here.
  const current = await readContentOfDraft(
    context,
    tx,
    mail,
    adopted === null ? body : { ...body, files: [] },
  )
  const content = await changedContent(tx, userId, { ...current, files: adopted ?? current.files }, changes)
  const listed = await findListed(tx, userId, mail.id)
  const moved = await moveToMailbox(context, tx, userId, mail, changes.mailbox_id)
  const from = moved ?? { name: listed?.from_name ?? '', address: listed?.from_address ?? '' }
  const now = context.clock.now()
  if (mail.folder === 'drafts') {
    const when = scheduleAt === undefined ? {} : { schedule_at: scheduleAt }
    await writeDraft(tx, userId, mail.id, content, from.address, { occurred_at: now, ...when })
    return scheduleDraftAppend(context, tx, userId, mail.id)
  }
  checkComplete(content)
  const recipients = await checkRecipients(context, tx, userId, content)
  const message = await completeMessage(context, tx, caller, content)
  await rewriteMessage(tx, userId, mail.id, message, recipients, from)
  if (scheduleAt != null)
    await changeMail(tx, userId, mail.id, { schedule_at: scheduleAt, occurred_at: scheduleAt })
}

/**
 * Has another account send the mail; returns the new sender. The first account's copy of a draft is removed. A draft stays
 * where it is when that account is gone: its words must not be lost. A scheduled mail would leave from an account that
 * nobody chose.
 *
 * @throws Refusal 400 for a scheduled mail and an account that is not connected
 */
async function moveToMailbox(
  context: Context,
  tx: Tx,
  userId: number,
  mail: OwnMail,
  mailboxId: number | null | undefined,
): Promise<{ name: string; address: string } | undefined> {
  if (mailboxId == null || mailboxId === mail.mailbox_id) return undefined
  const mailbox = await connectedMailbox(tx, userId, mailboxId)
  if (mailbox === undefined && mail.folder === 'scheduled') throw notConnected()
  const user = mailbox === undefined ? undefined : await findUser(tx, userId)
  if (mailbox === undefined || user === undefined) return undefined
  const from = senderOf(mailbox, user)
  await changeMail(tx, userId, mail.id, {
    mailbox_id: mailbox.id,
    from_name: from.name,
    from_address: from.address,
  })
  if (mail.folder === 'drafts' && mail.mailbox_id !== null) {
    const mailboxIds = [mail.mailbox_id]
    await enqueueImapActions(context, tx, { userId, ids: [mail.id], mailboxIds, changed: { moved: true } })
  }
  return from
}

/** Stores the files of a draft that another program wrote; null for a draft that was written here. */
async function adoptedFiles(
  context: Context,
  userId: number,
  id: number,
): Promise<DraftContent['files'] | null> {
  const row = await findListed(context.db, userId, id)
  const body = row === undefined ? undefined : await readBody(context.db, userId, id)
  if (row?.folder !== 'drafts' || body === undefined || (body.raw === null && body.raw_key === null))
    return null
  return (await readContentOfDraft(context, context.db, row, body)).files
}

/** When the mail is to be sent: undefined leaves it as it is; a time in the past means now. */
function scheduleOf(context: Context, { schedule_at: at }: Changes): Date | null | undefined {
  if (at === undefined) return undefined
  const now = context.clock.now()
  return at === null ? null : (scheduleTime(at, now) ?? now)
}

function checkComplete(content: DraftContent): void {
  if (content.subject.trim() === '')
    throw invalidInput('Please enter a subject', { subject: 'Please enter a subject' })
  if (content.text.trim() === '')
    throw invalidInput('Please write something', { content: 'Please write something' })
}
