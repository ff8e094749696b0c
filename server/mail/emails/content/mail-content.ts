import type { Context } from '../../../platform/context.ts'
import { isCutText } from '../../../formats/mail-text/parse.ts'
import type { Invitation } from '#contract/mail/emails.ts'
import { runMailTask, type MailReader, MailTaskFailed } from '../../../formats/mail-tasks/run-mail-task.ts'
import { readBody } from './read-body.ts'
import { invitationOf, readRaw } from './read-attachment.ts'
import { type EmailBodyRow, findBodyRow, type ListedEmail, type Composition } from '../messages/store.ts'

/** Files of a mail that are kept; there may have been more. */
const FILES_KEPT = 500
/** Mails up to this are always read to their end. */
const ALWAYS_READ_BYTES = 1_000_000

/** What a mail says, as a page shows it. */
export type MailContent = {
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
export async function readContent(
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
