import type { emails } from '#contract/emails.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { findUser, type UserRow } from '../../auth/auth.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { conflict, invalidInput, Refusal, unauthenticated } from '../../errors.ts'
import {
  isConfigured,
  mailbox as findMailbox,
  type Mailbox,
  primaryMailbox,
  senderOf,
} from '../../mailboxes/mailboxes.ts'
import { checkRecipients, type Recipients } from './check-recipients.ts'
import { findComposition, lockOwnMail, saveComposition } from './compositions-store.ts'
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
import { readBody } from '../content/read-body.ts'
import { findListed, type ListedEmail } from '../messages/store.ts'
import { enqueueMessage } from './store-message.ts'
import type { Tx } from '../../database/handles.ts'

/** Who calls, as far as writing needs to know. */
export type SendingUser = { id: number; timeZone: string }

/** Mails cannot be scheduled further ahead than this. */
const SCHEDULE_MAX_MS = 2 * 366 * 86_400_000

/** How a letter is to leave. */
export type Sending = {
  scheduleAt?: Date | null
  undoSeconds?: number | undefined
  draftId?: number | null | undefined
  mailboxId?: number | null | undefined
  /** The account that has the answered mail: it sends, where it can. */
  answersFrom?: number | null | undefined
  /** Done in the transaction in which the mail is written down. */
  along?: (tx: Tx, emailId: number) => Promise<void>
}

/**
 * Sends a mail, or puts it into Scheduled.
 *
 * @throws Refusal 400 SMTP_NOT_CONFIGURED without an account; 400 MAIL_SERVER with the far server's words when it refuses
 * the mail for good, which then stands among the drafts; 400 when an address is none, or is off the list, or the
 * files are too large; 409 when the draft that it was has been sent already.
 */
export async function sendEmail(
  context: Context,
  writer: SendingUser,
  input: BodyOf<typeof emails.send>,
): Promise<ListedEmail> {
  const { draft_id: draftId, mailbox_id: mailboxId, undo_seconds: undoSeconds } = input
  const begun = await begunLetter(context, writer.id, draftId ?? null)
  return sendDraftContent(context, writer, begun, input, {
    scheduleAt: scheduleTime(input.schedule_at ?? null, context.clock.now()),
    undoSeconds,
    draftId,
    mailboxId,
  })
}

/** Sends a letter with what a call says of it; see {@link sendEmail}. */
export async function sendDraftContent(
  context: Context,
  writer: SendingUser,
  begun: DraftContent,
  input: DraftContentInput,
  sending: Sending,
): Promise<ListedEmail> {
  const { mailboxId, answersFrom } = sending
  const { user, mailbox } = await senderFor(context, writer.id, mailboxId ?? null, answersFrom ?? null)
  const letter = await changedContent(context, writer.id, begun, input)
  const recipients = await checkRecipients(context, writer.id, letter)
  const finished = await completeMessage(context, writer, letter)
  const undoSeconds = sending.undoSeconds ?? 0
  const emailId = await inTransaction(context.db, async (tx) => {
    const id = await writeDown(context, tx, { user, mailbox, finished, recipients, sending })
    await sending.along?.(tx, id)
    await context.live.publish(tx, writer.id, { topic: 'emails' })
    return id
  })
  if (sending.scheduleAt == null && undoSeconds === 0)
    await deliverOrRefuse(context, {
      userId: writer.id,
      emailId,
      mailboxId: mailbox.id,
      senderName: user.name,
    })
  return listedMail(context, writer.id, emailId)
}

async function writeDown(
  context: Context,
  tx: Tx,
  of: {
    user: UserRow
    mailbox: Mailbox
    finished: CompleteMessage
    recipients: Recipients
    sending: Sending
  },
): Promise<number> {
  const { user, mailbox, sending } = of
  const { draftId = null, undoSeconds = 0 } = sending
  if (draftId !== null) await takeDraft(context, tx, user.id, draftId)
  const id = await enqueueMessage(context, tx, of.finished, of.recipients, {
    userId: user.id,
    mailboxId: mailbox.id,
    from: senderOf(mailbox, user),
    priority: 0,
    scheduleAt: sending.scheduleAt ?? null,
    notBefore: undoSeconds > 0 ? new Date(context.clock.now().getTime() + undoSeconds * 1000) : null,
  })
  if (draftId !== null && (await findComposition(tx, user.id, draftId)) !== undefined)
    await saveComposition(tx, user.id, draftId, { sent_as: id })
  return id
}

/** Takes the draft, or the scheduled mail, that is being sent out of its folder; one that is gone is no loss. */
async function takeDraft(context: Context, tx: Tx, userId: number, draftId: number): Promise<void> {
  const mail = await lockOwnMail(tx, userId, draftId)
  if (mail === undefined) return
  if (mail.folder === 'drafts' || mail.folder === 'scheduled') {
    await saveComposition(tx, userId, draftId, {})
    return deleteDraft(context, tx, userId, mail)
  }
  const { sent_as: sentAs } = (await findComposition(tx, userId, draftId)) ?? { sent_as: null }
  if (sentAs !== null || mail.delivery !== null) throw conflict('This draft has been sent already.')
}

async function begunLetter(context: Context, userId: number, draftId: number | null): Promise<DraftContent> {
  const row = draftId === null ? undefined : await findListed(context.db, userId, draftId)
  if (row === undefined || (row.folder !== 'drafts' && row.folder !== 'scheduled')) return EMPTY_CONTENT
  return readContentOfDraft(context, row, await readBody(context.db, userId, row.id))
}

/**
 * Who sends, through which account.
 *
 * @throws Refusal 400 SMTP_NOT_CONFIGURED; 400 for an account that is not there, or not connected
 */
export async function senderFor(
  context: Context,
  userId: number,
  mailboxId: number | null,
  preferred: number | null = null,
): Promise<{ user: UserRow; mailbox: Mailbox }> {
  const user = await findUser(context.db, userId)
  if (user === undefined) throw unauthenticated()
  if (mailboxId === null) {
    const rather = preferred === null ? undefined : await findMailbox(context.db, userId, preferred)
    if (isConfigured(rather)) return { user, mailbox: rather }
    const mailbox = await primaryMailbox(context.db, userId)
    if (!isConfigured(mailbox)) throw notConfigured()
    return { user, mailbox }
  }
  const mailbox = await findMailbox(context.db, userId, mailboxId)
  if (isConfigured(mailbox)) return { user, mailbox }
  const why = 'This email account is not connected any more. Please choose another one.'
  throw invalidInput(why, { mailbox_id: why })
}

function notConfigured(): Refusal {
  return new Refusal(
    400,
    'Please configure your email settings (SMTP) before sending emails.',
    'SMTP_NOT_CONFIGURED',
  )
}

/** When a mail is to leave by itself; null for at once. @throws Refusal 400 beyond two years */
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

/** Delivers a mail that somebody waits for. What the server refuses for good becomes a draft. @throws Refusal MAIL_SERVER */
export async function deliverOrRefuse(
  context: Context,
  mail: Parameters<typeof deliverEmail>[1],
): Promise<void> {
  const { state, reason } = await deliverEmail(context, mail)
  await context.live.publish(context.db, mail.userId, { topic: 'emails' })
  if (state !== 'failed') return
  const isDraft = await inTransaction(context.db, async (tx) => {
    const locked = await lockOwnMail(tx, mail.userId, mail.emailId)
    // A mail of a run keeps its place in it.
    if (locked?.delivery?.state !== 'failed' || locked.delivery.group_id !== null) return false
    await revertToDraft(context, tx, mail.userId, locked)
    await context.live.publish(tx, mail.userId, { topic: 'emails' })
    return true
  })
  const kept = isDraft ? 'It is kept in Drafts.' : 'It is kept in Sent.'
  throw new Refusal(
    400,
    `The mail server refused this mail: ${reason ?? 'no reason given'} ${kept}`,
    'MAIL_SERVER',
  )
}

/** A mail of the user as lists show it, that was there a moment ago. */
export async function listedMail(context: Context, userId: number, emailId: number): Promise<ListedEmail> {
  const found = await findListed(context.db, userId, emailId)
  if (found === undefined) throw conflict(HAS_LEFT)
  return found
}
