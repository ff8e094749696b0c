import type { Invitation } from '#contract/mail/emails.ts'
import type { Context } from '../../../platform/context.ts'
import { notFound } from '../../../platform/errors.ts'
import { addressKey } from '../../../formats/mail-text/addresses.ts'
import { isCutText } from '../../../formats/mail-text/parse.ts'
import { runMailTask, type MailReader, MailTaskFailed } from '../../../formats/mail-tasks/run-mail-task.ts'
import { EMAIL_NOT_FOUND } from '../messages/folders.ts'
import {
  type Composition,
  type EmailBodyRow,
  findBodyRow,
  findComposition,
  findListed,
  type ListedEmail,
} from '../messages/store.ts'
import { invitationOf, readRaw } from './read-attachment.ts'
import { readBody } from './read-body.ts'
import { addTrustedSender, isTrustedSender, removeTrustedSender } from './trusted-senders-store.ts'
import { filesOf, type MailFile } from './uploads-store.ts'

/** Files of a mail that are kept; there may have been more. */
const FILES_KEPT = 500
/** Mails up to this are always read to their end. */
const ALWAYS_READ_BYTES = 1_000_000

/** A mail that a user opens, with everything that its page shows. */
export type OpenedEmail = {
  row: ListedEmail
  body: EmailBodyRow | undefined
  content: MailContent
  /** The sender's mails may load remote pictures. */
  remoteAllowed: boolean
  /** What is known besides the content of a mail that was written here. */
  composition: Composition | undefined
  /** The uploads of a mail that was written here. */
  files: readonly MailFile[]
}

/**
 * Reads one mail to be shown.
 *
 * @param signal takes what still waits to be read out of the queue
 * @throws Refusal 404 "Email not found"
 */
export async function openEmail(
  context: Context,
  userId: number,
  emailId: number,
  signal: AbortSignal,
): Promise<OpenedEmail> {
  const { db } = context
  const row = await findListed(db, userId, emailId)
  if (row === undefined) throw notFound(EMAIL_NOT_FOUND)
  const wasReceived = row.direction === 'in'
  const [composition, files] = await Promise.all([
    wasReceived ? undefined : findComposition(db, userId, row.id),
    wasReceived ? [] : filesOf(db, userId, row.id),
  ])
  const { body, content } = await readContent(context, row, composition, signal)
  const remoteAllowed = await isTrustedSender(db, userId, addressKey(row.from_address))
  return { row, body, content, remoteAllowed, composition, files }
}

/**
 * Loads remote pictures in all mails of this mail's sender without asking, or stops doing so. The sender of a mail in Spam
 * may be forged, so nobody is trusted from there.
 *
 * @throws Refusal 404
 */
export async function trustSender(
  context: Context,
  userId: number,
  emailId: number,
  trusted: boolean,
): Promise<void> {
  const row = await findListed(context.db, userId, emailId)
  if (row === undefined) throw notFound(EMAIL_NOT_FOUND)
  const key = addressKey(row.from_address)
  if (!trusted) await removeTrustedSender(context.db, userId, key)
  else if (key !== '' && row.folder !== 'spam')
    await addTrustedSender(context.db, userId, key, context.clock.now())
}

/** What a mail says, as a page shows it. */
type MailContent = {
  text: string
  /** Without what is quoted. */
  newWords: string
  /** Sanitized, without anything from elsewhere; null for plain text. */
  html: string | null
  /** True where a frame shows the HTML. */
  hasHtml: boolean
  remoteParts: number
  invitation: Invitation | null
  /** False where something of the mail is not shown: it is too long, or was made to stop its reader. Its source has it. */
  inFull: boolean
}

/** A mail's words as they are stored, and what can be made of them: one that stops its reader still opens, as plain text. */
async function readContent(
  context: Context,
  row: ListedEmail,
  composition: Composition | undefined,
  signal?: AbortSignal,
): Promise<{ body: EmailBodyRow | undefined; content: MailContent }> {
  try {
    const body = await readBody(context.db, row.user_id, row.id, { signal })
    return { body, content: await contentOf(context, row, body, composition, signal) }
  } catch (error) {
    if (!(error instanceof MailTaskFailed)) throw error
    context.log.warn({ emailId: row.id, reason: String(error.cause) }, 'a mail could not be shown in full')
    const body = await findBodyRow(context.db, row.user_id, row.id)
    const text = body?.text ?? ''
    const plain = { text, newWords: text, html: null, hasHtml: false, remoteParts: 0, invitation: null }
    return { body, content: { ...plain, inFull: false } }
  }
}

async function contentOf(
  context: Context,
  row: ListedEmail,
  body: EmailBodyRow | undefined,
  composition: Composition | undefined,
  signal: AbortSignal | undefined,
): Promise<MailContent> {
  const reader = { userId: row.user_id, signal }
  const given = body?.html ?? null
  const sanitized = given === null ? null : await runMailTask(reader, 'sanitizeMailHtml', given)
  const { text, html } = (await ownWords(reader, row, body, composition)) ?? {
    text: body?.text ?? '',
    html: sanitized?.html ?? null,
  }
  return {
    text,
    newWords: await runMailTask(reader, 'newWords', text),
    html,
    hasHtml: given !== null,
    remoteParts: sanitized?.remote ?? 0,
    invitation: body === undefined ? null : await invitationOf(context, body, signal),
    inFull:
      (sanitized?.isWhole ?? !isCutText(text)) &&
      (body === undefined || (await isKeptInFull(reader, context, body))),
  }
}

/** Whether all that a mail says was kept when it came in. */
async function isKeptInFull(reader: MailReader, context: Context, body: EmailBodyRow): Promise<boolean> {
  if (body.files.length >= FILES_KEPT) return false
  // Where the reader of last resort read only the beginning it found no files; what it found has no length of its own.
  if (body.raw_key === null || body.files.length > 0) return true
  const raw = await readRaw(context, body)
  return raw === null || raw.length <= ALWAYS_READ_BYTES || runMailTask(reader, 'isReadInFull', raw)
}

/** What the editor goes on with: of a mail that can still be changed only the user's own words. Null for mail of others. */
async function ownWords(
  reader: MailReader,
  row: ListedEmail,
  body: EmailBodyRow | undefined,
  composition: Composition | undefined,
): Promise<{ text: string; html: string | null } | null> {
  if (row.direction !== 'out' || (row.purpose === null && row.folder !== 'drafts')) return null
  const text = body?.text ?? ''
  const own = composition?.own_text ?? null
  const html = own === null ? (body?.html ?? null) : (composition?.own_html ?? null)
  return {
    text: row.folder === 'scheduled' && own !== null ? own : text,
    html: html === null ? null : await runMailTask(reader, 'sanitizeOutgoingHtml', html),
  }
}
