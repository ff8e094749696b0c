import type { Context } from '../../context.ts'
import { invalidInput } from '../../errors.ts'
import { formatAddress } from '../../mail/addresses.ts'
import type { Original } from '../../mail/replies/quote.ts'
import { replyHeaders, tidySubject } from '../../mail/threading.ts'
import { ATTACHMENT_BYTES_MAX } from '#contract/email-writing.ts'
import { hasReplied } from '../messages/correspondents-store.ts'
import { doMailWork } from '../../worker-threads/run-mail-task.ts'
import { checkFiles, keepParts, type DraftContent } from './draft-content.ts'
import { attachmentsOf } from '../content/read-attachment.ts'
import { readBody } from '../content/read-body.ts'
import {
  type EmailBodyRow,
  type EmailRow,
  findByMessageIds,
  findListed,
  type FoundMail,
} from '../messages/store.ts'
import type { Purpose } from '../tables.ts'
import { filesOf, type MailFile } from '../content/uploads-store.ts'

/** What a letter answers. */
export type Answering = {
  inReplyTo: string | null
  references: string[]
  threadId?: number
  purpose: Purpose
}

/** A letter as it leaves: with the mail that it quotes or forwards, and the headers of its thread. */
export type CompleteMessage = DraftContent & {
  /** Words and files with those of the original. */
  whole: { text: string; html: string | null; files: MailFile[] }
  answering: Answering
}

/**
 * Puts the quoted or forwarded mail below a letter and finds its place in the conversation.
 *
 * @throws Refusal 400 when the original is gone, or all files are too large together
 */
export async function completeMessage(
  context: Context,
  user: { id: number; timeZone: string },
  letter: DraftContent,
): Promise<CompleteMessage> {
  const original = await findOriginal(context, user.id, letter)
  const answering = await answeringOf(context, user.id, letter, original?.row)
  const isAnswer = original !== undefined || answering.threadId !== undefined
  const subject = isAnswer ? tidySubject(letter.subject) : letter.subject
  if (original === undefined) {
    const { text, html, files } = letter
    return { ...letter, subject, whole: { text, html, files }, answering }
  }
  const words = { text: letter.text, html: letter.html }
  const put = letter.forwardOf === null ? 'withQuote' : 'withForwarded'
  const { text, html } = await doMailWork(put, words, original.words, user.timeZone)
  const quoted = await quotedFiles(context, user.id, letter, original, html)
  const files = [...letter.files, ...quoted]
  checkFiles(files)
  return { ...letter, subject, whole: { text, html, files }, answering }
}

type Found = { row: EmailRow; body: EmailBodyRow | undefined; words: Original }

async function findOriginal(
  context: Context,
  userId: number,
  letter: DraftContent,
): Promise<Found | undefined> {
  const id = letter.forwardOf ?? letter.quoteOf
  if (id === null) return undefined
  const row = await findListed(context.db, userId, id)
  if (row === undefined) {
    const why =
      letter.forwardOf === null
        ? 'The email that you answer is not there any more. Please take the quote out.'
        : 'The email that you forward is not there any more.'
    throw invalidInput(why, { [letter.forwardOf === null ? 'quote_of' : 'forward_of']: why })
  }
  const body = await readBody(context.db, userId, id)
  const words: Original = {
    author: row.from_name || row.from_address,
    from: formatAddress({ name: row.from_name, address: row.from_address }),
    to: row.to_line,
    subject: row.subject,
    at: row.occurred_at,
    text: body?.text ?? row.snippet,
    html: body?.html ?? null,
  }
  return { row, body, words }
}

async function answeringOf(
  context: Context,
  userId: number,
  letter: DraftContent,
  original: EmailRow | undefined,
): Promise<Answering> {
  const none: Answering = { inReplyTo: null, references: [], purpose: 'compose' }
  if (letter.forwardOf !== null) return none
  const parent = await parentOf(context, userId, letter, original)
  if (parent === undefined) {
    const { inReplyTo } = letter
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
    purpose: await purposeOf(context, userId, parent),
  }
}

async function parentOf(
  context: Context,
  userId: number,
  { inReplyTo }: DraftContent,
  original: EmailRow | undefined,
): Promise<FoundMail | undefined> {
  if (inReplyTo === null || original?.message_id === inReplyTo) return original
  return (await findByMessageIds(context.db, userId, [inReplyTo]))[0]
}

/** Who answers his own mail that nobody has answered follows it up. */
async function purposeOf(context: Context, userId: number, parent: FoundMail): Promise<Purpose> {
  if (parent.direction === 'in') return 'reply'
  return (await hasReplied(context.db, userId, parent.correspondent_key)) ? 'reply' : 'follow_up'
}

/** A forwarded mail's files go along; of a quoted one the pictures that stand in its text. */
async function quotedFiles(
  context: Context,
  userId: number,
  letter: DraftContent,
  { row, body }: Found,
  html: string | null,
): Promise<MailFile[]> {
  if (letter.quotedFiles.length > 0) return letter.quotedFiles
  const isForward = letter.forwardOf !== null
  const belongs = ({ contentId, inline }: { contentId?: string | null | undefined; inline: boolean }) =>
    inline && contentId != null && html !== null ? html.includes(`cid:${contentId}`) : isForward
  const ours = await filesOf(context.db, userId, row.id)
  if (ours.length > 0) return ours.filter(belongs).map((file) => ({ ...file, isQuoted: true }))
  if (body === undefined || !body.files.some(belongs)) return []
  const parts = (await attachmentsOf(context, body)).filter(belongs)
  const bytes = [...letter.files, ...parts.map(({ size }) => ({ size }))].reduce(
    (sum, { size }) => sum + size,
    0,
  )
  // The words of a quote matter, its pictures do not: they are left out where there is no room for them.
  if (!isForward && bytes > ATTACHMENT_BYTES_MAX) return []
  if (bytes > ATTACHMENT_BYTES_MAX)
    throw invalidInput(
      'The files of the forwarded email are too large to be sent on: together they have more than 25 MB.',
    )
  return (await keepParts(context, userId, parts)).map((file) => ({ ...file, isQuoted: true }))
}
