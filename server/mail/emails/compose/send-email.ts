import { Readable } from 'node:stream'
import type { emails } from '#contract/mail/emails.ts'
import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { UserRow } from '../../../accounts/auth/auth.ts'
import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { conflict, invalidInput, Refusal } from '../../../platform/errors.ts'
import { type Mailbox, senderOf } from '../../mailboxes/mailboxes.ts'
import { checkRecipients, type Recipients } from './check-recipients.ts'
import { lockOwnMail, saveComposition } from './compositions-store.ts'
import { deliverEmail } from '../delivery/deliver-email.ts'
import { HAS_LEFT, deleteDraft } from './discard-draft.ts'
import { type CompleteMessage, completeMessage } from './complete-message.ts'
import {
  changedContent,
  EMPTY_CONTENT,
  type DraftContent,
  type DraftContentInput,
  readContentOfDraft,
} from './draft-content.ts'
import { revertToDraft } from './revert-to-draft.ts'
import { mailboxOfDraft, senderFor } from './sender.ts'
import { readBody } from '../content/read-body.ts'
import { storeFile } from '../content/upload-file.ts'
import { addUpload } from '../content/uploads-store.ts'
import { findListed, type ListedEmail, findComposition } from '../messages/store.ts'
import { enqueueMessage } from './store-message.ts'
import type { Purpose } from '../tables.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/** The calling user. */
export type Caller = { id: number; timeZone: string }

/** Mails cannot be scheduled further ahead than this. */
const SCHEDULE_MAX_MS = 2 * 366 * 86_400_000

/** How a mail is to be sent. */
export type SendOptions = {
  scheduleAt?: Date | null
  undoSeconds?: number | undefined
  draftId?: number | null | undefined
  mailboxId?: number | null | undefined
  /** The account that holds the answered mail, or that of the draft: it sends if it is connected. */
  preferredMailboxId?: number | null | undefined
  /** What the mail is for, where that does not follow from the mail that it answers. */
  purpose?: Purpose | undefined
  /** Nobody waits for it: a worker sends it. */
  isQueued?: boolean | undefined
  /** Runs in the transaction that stores the mail. */
  withinTransaction?: (tx: Tx, emailId: number) => Promise<void>
}

/**
 * Sends or schedules a mail.
 *
 * @param withinTransaction runs in the transaction that stores the mail; if it throws, no mail is stored
 * @throws Refusal 400 SMTP_NOT_CONFIGURED without an account; 400 MAIL_SERVER with the SMTP server's reply when it refuses
 * the mail for good, which is then a draft again; 400 when an address is invalid or suppressed, or the files are too
 * large; 409 when the draft has been sent already.
 */
export async function sendEmail(
  context: Context,
  caller: Caller,
  input: BodyOf<typeof emails.send>,
  withinTransaction?: SendOptions['withinTransaction'],
): Promise<ListedEmail> {
  const { draft_id: draftId, mailbox_id: mailboxId, undo_seconds: undoSeconds } = input
  const draft = draftId == null ? undefined : await draftRow(context, caller.id, draftId)
  const content = await contentOf(context, draft)
  const answered = input.in_reply_to === undefined ? content.inReplyTo : input.in_reply_to
  return sendDraftContent(context, caller, content, input, {
    scheduleAt: scheduleTime(input.schedule_at ?? null, context.clock.now()),
    undoSeconds,
    draftId,
    mailboxId,
    preferredMailboxId: await mailboxOfDraft(context.db, caller.id, answered, draft?.mailbox_id ?? null),
    ...(withinTransaction === undefined ? {} : { withinTransaction }),
  })
}

/** Sends a draft's content with a call's changes; see {@link sendEmail}. */
export async function sendDraftContent(
  context: Context,
  caller: Caller,
  content: DraftContent,
  input: DraftContentInput,
  options: SendOptions,
): Promise<ListedEmail> {
  const { mailboxId, preferredMailboxId } = options
  const { user, mailbox } = await senderFor(context, caller.id, mailboxId ?? null, preferredMailboxId ?? null)
  const changed = await changedContent(context.db, caller.id, content, input)
  const recipients = await checkRecipients(context, context.db, caller.id, changed, options.purpose)
  const message = await completeMessage(context, context.db, caller, changed)
  if (options.purpose !== undefined) message.threading.purpose = options.purpose
  const undoSeconds = options.undoSeconds ?? 0
  const emailId = await inTransaction(context.db, async (tx) => {
    const id = await storeMessage(context, tx, { user, mailbox, message, recipients, options })
    await options.withinTransaction?.(tx, id)
    await context.live.publish(tx, caller.id, { topic: 'emails' })
    return id
  })
  if (options.scheduleAt == null && undoSeconds === 0 && options.isQueued !== true)
    await deliverOrRefuse(context, {
      userId: caller.id,
      emailId,
      mailboxId: mailbox.id,
      senderName: user.name,
    })
  return listedMail(context, caller.id, emailId)
}

/** A mail that another domain has put together, with files of its own. */
export type PreparedMail = {
  to: string
  cc: string
  subject: string
  text: string
  /** Message-ID of the mail that it answers. */
  inReplyTo: string | null
  files: readonly { name: string; bytes: Buffer }[]
}

/** How it is sent: `draftId` is the draft whose place it takes. */
export type PreparedOptions = Pick<
  SendOptions,
  'undoSeconds' | 'isQueued' | 'draftId' | 'mailboxId' | 'purpose' | 'withinTransaction'
>

/**
 * Sends a mail of another domain through the same door as those written in Compose: the same checks, transaction, Undo and
 * delivery. Its files are stored first; those of a mail that does not come about are purged after a day.
 *
 * @throws Refusal as `sendDraftContent`
 */
export async function sendPrepared(
  context: Context,
  caller: Caller,
  mail: PreparedMail,
  options: PreparedOptions,
): Promise<ListedEmail> {
  const attachments: number[] = []
  for (const { name, bytes } of mail.files) {
    const stored = await storeFile(context, caller.id, name, Readable.from([bytes]))
    const { id } = await addUpload(context.db, caller.id, stored)
    attachments.push(id)
  }
  const { to, cc, subject, text: content, inReplyTo: in_reply_to } = mail
  const input = { to, cc, subject, content, in_reply_to, attachments }
  return sendDraftContent(context, caller, EMPTY_CONTENT, input, options)
}

async function storeMessage(
  context: Context,
  tx: Tx,
  of: {
    user: UserRow
    mailbox: Mailbox
    message: CompleteMessage
    recipients: Recipients
    options: SendOptions
  },
): Promise<number> {
  const { user, mailbox, options } = of
  const { draftId = null, undoSeconds = 0 } = options
  if (draftId !== null) await consumeDraft(context, tx, user.id, draftId)
  const id = await enqueueMessage(context, tx, of.message, of.recipients, {
    userId: user.id,
    mailboxId: mailbox.id,
    from: senderOf(mailbox, user),
    priority: 0,
    scheduleAt: options.scheduleAt ?? null,
    notBefore: undoSeconds > 0 ? new Date(context.clock.now().getTime() + undoSeconds * 1000) : null,
  })
  if (draftId !== null && (await findComposition(tx, user.id, draftId)) !== undefined)
    await saveComposition(tx, user.id, draftId, { sent_as: id })
  return id
}

/** Removes the draft or scheduled mail that is being sent; it may be missing. @throws Refusal 409 when it has been sent already */
async function consumeDraft(context: Context, tx: Tx, userId: number, draftId: number): Promise<void> {
  const mail = await lockOwnMail(tx, userId, draftId)
  if (mail === undefined) return
  if (mail.folder === 'drafts' || mail.folder === 'scheduled') {
    await saveComposition(tx, userId, draftId, {})
    return deleteDraft(context, tx, userId, mail)
  }
  const { sent_as: sentAs } = (await findComposition(tx, userId, draftId)) ?? { sent_as: null }
  if (sentAs !== null || mail.delivery !== null) throw conflict('This draft has already been sent.')
}

/** The draft or scheduled mail that is being sent, if it is there. */
async function draftRow(context: Context, userId: number, id: number): Promise<ListedEmail | undefined> {
  const row = await findListed(context.db, userId, id)
  return row?.folder === 'drafts' || row?.folder === 'scheduled' ? row : undefined
}

async function contentOf(context: Context, row: ListedEmail | undefined): Promise<DraftContent> {
  if (row === undefined) return EMPTY_CONTENT
  return readContentOfDraft(context, context.db, row, await readBody(context.db, row.user_id, row.id))
}

/** When a mail is to be sent; null for at once. @throws Refusal 400 for more than two years ahead */
export function scheduleTime(at: string | null, now: Date): Date | null {
  if (at === null || at === '') return null
  const time = new Date(at)
  if (time.getTime() > now.getTime() + SCHEDULE_MAX_MS) {
    throw invalidInput('Please choose a time within the next two years.', {
      schedule_at: 'Please choose a time within the next two years.',
    })
  }
  return time > now ? time : null
}

/** Delivers a mail while the user waits. A mail that is refused for good becomes a draft again. @throws Refusal MAIL_SERVER */
export async function deliverOrRefuse(
  context: Context,
  mail: Parameters<typeof deliverEmail>[1],
): Promise<void> {
  const { state, reason } = await deliverEmail(context, mail)
  await context.live.publish(context.db, mail.userId, { topic: 'emails' })
  if (state !== 'failed') return
  const isDraft = await inTransaction(context.db, async (tx) => {
    const locked = await lockOwnMail(tx, mail.userId, mail.emailId)
    // A mail of an outreach run stays part of it.
    if (locked?.delivery?.state !== 'failed' || locked.delivery.group_id !== null) return false
    await revertToDraft(context, tx, mail.userId, locked)
    await context.live.publish(tx, mail.userId, { topic: 'emails' })
    return true
  })
  const kept = isDraft ? 'It is kept in Drafts.' : 'It is kept in Sent.'
  throw new Refusal(
    400,
    `The mail server refused this mail: ${withFullStop(reason ?? 'no reason given')} ${kept}`,
    'MAIL_SERVER',
  )
}

/** A mail of the user, as lists show it. @throws Refusal 409 when it has gone since */
export async function listedMail(context: Context, userId: number, emailId: number): Promise<ListedEmail> {
  const found = await findListed(context.db, userId, emailId)
  if (found === undefined) throw conflict(HAS_LEFT)
  return found
}

/** Words of a server, which another sentence follows. */
const withFullStop = (words: string) => (/[.!?…]$/.test(words) ? words : `${words}.`)
