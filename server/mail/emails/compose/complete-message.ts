import type { Context } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import { invalidInput } from '../../../platform/errors.ts'
import { formatAddress } from '../../../formats/mail-text/addresses.ts'
import type { Original } from '../../../formats/mail-text/replies/quote.ts'
import { replyHeaders, tidySubject } from '../../../formats/mail-text/threading.ts'
import { NO_SENDER, shownRecipients, shownSender } from '#contract/formats/shown-sender.ts'
import { ATTACHMENT_BYTES_MAX } from '#contract/mail/email-writing.ts'
import { hasReplied } from '../messages/correspondents-store.ts'
import { runMailTask } from '../../../formats/mail-tasks/run-mail-task.ts'
import { checkFiles, storeAttachments, type DraftContent } from './draft-content.ts'
import { attachmentsOf } from '../content/read-attachment.ts'
import { readBody } from '../content/read-body.ts'
import { type EmailBodyRow, type EmailRow, findByMessageIds, findListed } from '../messages/store.ts'
import type { Purpose } from '../tables.ts'
import { filesOf, type MailFile } from '../content/uploads-store.ts'

/** What a message replies to: its thread headers, thread and purpose. */
export type Threading = {
  inReplyTo: string | null
  references: string[]
  threadId?: number
  purpose: Purpose
}

/** A message ready to be sent: with the mail that it quotes or forwards, and the headers of its thread. */
export type CompleteMessage = DraftContent & {
  /** Text, HTML and files, including those of the quoted or forwarded mail. */
  body: { text: string; html: string | null; files: MailFile[] }
  threading: Threading
}

/**
 * Appends the quoted or forwarded mail to a draft's content and finds the draft's place in the conversation.
 *
 * @param db the database, or the transaction that has the draft locked
 * @throws Refusal 400 when the original is gone, or all files together are too large
 */
export async function completeMessage(
  context: Context,
  db: Queryable,
  user: { id: number; timeZone: string },
  content: DraftContent,
): Promise<CompleteMessage> {
  const original = await findOriginalMail(db, user.id, content)
  const threading = await threadingOf(db, user.id, content, original?.row)
  const isReply = original !== undefined || threading.threadId !== undefined
  const subject = isReply ? tidySubject(content.subject) : content.subject
  if (original === undefined) {
    const { text, html, files } = content
    return { ...content, subject, body: { text, html, files }, threading }
  }
  const own = { text: content.text, html: content.html }
  const task = content.forwardOf === null ? 'withQuote' : 'withForwarded'
  const { text, html } = await runMailTask({ userId: user.id }, task, own, original.quoted, user.timeZone)
  const originalFiles = await quotedFiles(context, db, user.id, content, original, html)
  const files = [...content.files, ...originalFiles]
  checkFiles(files)
  return { ...content, subject, body: { text, html, files }, threading }
}

type OriginalMail = { row: EmailRow; body: EmailBodyRow | undefined; quoted: Original }

async function findOriginalMail(
  db: Queryable,
  userId: number,
  content: DraftContent,
): Promise<OriginalMail | undefined> {
  const id = content.forwardOf ?? content.quoteOf
  if (id === null) return undefined
  const row = await findListed(db, userId, id)
  if (row === undefined) {
    const why =
      content.forwardOf === null
        ? 'The email that you are replying to no longer exists. Please remove the quote.'
        : 'The email that you are forwarding no longer exists.'
    throw invalidInput(why, { [content.forwardOf === null ? 'quote_of' : 'forward_of']: why })
  }
  const body = await readBody(db, userId, id)
  const sender = { from: row.from_address, from_name: row.from_name, from_line: row.from_line }
  const author = shownSender(sender)
  const quoted: Original = {
    author: author === NO_SENDER ? '' : author,
    from: shownRecipients(row.from_line || formatAddress({ name: row.from_name, address: row.from_address })),
    to: row.to_line,
    subject: row.subject,
    at: row.occurred_at,
    text: body?.text ?? row.snippet,
    html: body?.html ?? null,
  }
  return { row, body, quoted }
}

async function threadingOf(
  db: Queryable,
  userId: number,
  content: DraftContent,
  original: EmailRow | undefined,
): Promise<Threading> {
  const none: Threading = { inReplyTo: null, references: [], purpose: 'compose' }
  if (content.forwardOf !== null) return none
  const parent = await parentOf(db, userId, content, original)
  if (parent === undefined) {
    const { inReplyTo } = content
    return inReplyTo === null ? none : { inReplyTo, references: [inReplyTo], purpose: 'compose' }
  }
  const { references } = replyHeaders({
    messageId: parent.message_id,
    inReplyTo: parent.in_reply_to === null ? [] : [parent.in_reply_to],
    references: parent.reference_ids,
  })
  return {
    inReplyTo: parent.message_id,
    references,
    threadId: parent.thread_id,
    purpose: await purposeOf(db, userId, parent),
  }
}

async function parentOf(
  db: Queryable,
  userId: number,
  { inReplyTo }: DraftContent,
  original: EmailRow | undefined,
): Promise<EmailRow | undefined> {
  if (inReplyTo === null || original?.message_id === inReplyTo) return original
  return (await findByMessageIds(db, userId, [inReplyTo]))[0]
}

/** Replying to one's own mail that nobody has replied to is a follow-up. */
async function purposeOf(db: Queryable, userId: number, parent: EmailRow): Promise<Purpose> {
  if (parent.direction === 'in') return 'reply'
  return (await hasReplied(db, userId, parent.correspondent_key)) ? 'reply' : 'follow_up'
}

/** The files that go with the original: all of a forwarded mail; of a quoted mail only the pictures inside its text. */
async function quotedFiles(
  context: Context,
  db: Queryable,
  userId: number,
  content: DraftContent,
  { row, body }: OriginalMail,
  html: string | null,
): Promise<MailFile[]> {
  if (content.quotedFiles.length > 0) return content.quotedFiles
  const isForward = content.forwardOf !== null
  const isIncluded = ({ contentId, inline }: { contentId?: string | null | undefined; inline: boolean }) =>
    inline && contentId != null && html !== null ? html.includes(`cid:${contentId}`) : isForward
  const ownFiles = await filesOf(db, userId, row.id)
  if (ownFiles.length > 0) return ownFiles.filter(isIncluded).map((file) => ({ ...file, isQuoted: true }))
  if (body === undefined || !body.files.some(isIncluded)) return []
  const parts = (await attachmentsOf(context, body)).filter(isIncluded)
  const bytes = [...content.files, ...parts.map(({ size }) => ({ size }))].reduce(
    (sum, { size }) => sum + size,
    0,
  )
  // The text of a quote matters more than its pictures: they are left out if there is no room for them.
  if (!isForward && bytes > ATTACHMENT_BYTES_MAX) return []
  if (bytes > ATTACHMENT_BYTES_MAX)
    throw invalidInput(
      'The files of the forwarded email are too large to be sent on: together they have more than 25 MB.',
    )
  return (await storeAttachments(context, db, userId, parts)).map((file) => ({ ...file, isQuoted: true }))
}
