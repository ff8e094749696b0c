import { Readable } from 'node:stream'
import { ATTACHMENT_BYTES_MAX, ATTACHMENTS_MAX } from '#contract/email-writing.ts'
import type { Context } from '../../context.ts'
import { invalidInput } from '../../errors.ts'
import type { MailAttachment } from '../../mail/parse.ts'
import { findComposition } from './compositions-store.ts'
import { doMailWork } from '../../worker-threads/run-mail-task.ts'
import { attachmentsOf } from '../content/read-attachment.ts'
import type { EmailBodyRow, EmailRow } from '../messages/store.ts'
import { keepBytes } from '../content/upload-file.ts'
import { addUpload, filesOf, type MailFile, uploadsById } from '../content/uploads-store.ts'

/** A mail that is being written: the user's own words and files, and what it belongs to. */
export type DraftContent = {
  to: string
  cc: string
  bcc: string
  subject: string
  text: string
  html: string | null
  files: MailFile[]
  /** Files of the mail below that are there already, from an earlier time. */
  quotedFiles: MailFile[]
  inReplyTo: string | null
  quoteOf: number | null
  forwardOf: number | null
}

/** What a call gives of a letter; what is not given stays as it is. */
export type DraftContentInput = {
  to?: string | undefined
  cc?: string | undefined
  bcc?: string | undefined
  subject?: string | undefined
  content?: string | undefined
  html?: string | null | undefined
  attachments?: number[] | undefined
  in_reply_to?: string | null | undefined
  quote_of?: number | null | undefined
  forward_of?: number | null | undefined
}

export const EMPTY_CONTENT: DraftContent = {
  to: '',
  cc: '',
  bcc: '',
  subject: '',
  text: '',
  html: null,
  files: [],
  quotedFiles: [],
  inReplyTo: null,
  quoteOf: null,
  forwardOf: null,
}

/**
 * A letter with what a call says of it. HTML is sanitized here, once, before it is kept.
 *
 * @throws Refusal 400 for a file that is not there, or files that are too many or too large together
 */
export async function changedContent(
  context: Context,
  userId: number,
  letter: DraftContent,
  input: DraftContentInput,
): Promise<DraftContent> {
  const changed: DraftContent = {
    ...letter,
    to: input.to ?? letter.to,
    cc: input.cc ?? letter.cc,
    bcc: input.bcc ?? letter.bcc,
    subject: input.subject ?? letter.subject,
    text: input.content ?? letter.text,
    html: input.html === undefined ? letter.html : await cleanHtml(input.html),
    files:
      input.attachments === undefined
        ? letter.files
        : await attached(context, userId, input.attachments, letter.files),
    inReplyTo: input.in_reply_to === undefined ? letter.inReplyTo : bareId(input.in_reply_to),
    quoteOf: input.quote_of === undefined ? letter.quoteOf : input.quote_of,
    forwardOf: input.forward_of === undefined ? letter.forwardOf : input.forward_of,
  }
  const sameOriginal = changed.quoteOf === letter.quoteOf && changed.forwardOf === letter.forwardOf
  if (!sameOriginal) changed.quotedFiles = []
  checkFiles(changed.files)
  return changed
}

/** @throws Refusal 400 when the files of one mail are too many or too large together */
export function checkFiles(files: readonly MailFile[]): void {
  if (files.filter(({ isQuoted }) => !isQuoted).length > ATTACHMENTS_MAX)
    throw invalidInput('At most 50 files in one mail', { attachments: 'At most 50 files in one mail' })
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes <= ATTACHMENT_BYTES_MAX) return
  const mb = (value: number) => Math.ceil((value / 1024 / 1024) * 10) / 10
  const why = `The files of one mail may have ${mb(ATTACHMENT_BYTES_MAX)} MB together; these have ${mb(bytes)} MB.`
  throw invalidInput(`${why} Please take one out, or share it by a link.`, { attachments: why })
}

/** A draft or scheduled mail as its writer left it; a draft of another program gets its files here. */
export async function readContentOfDraft(
  context: Context,
  row: Pick<EmailRow, 'user_id' | 'id' | 'to_line' | 'subject' | 'in_reply_to'>,
  body: EmailBodyRow | undefined,
): Promise<DraftContent> {
  const { user_id: userId } = row
  const composition = await findComposition(context.db, userId, row.id)
  const files = await filesOf(context.db, userId, row.id)
  const isWhole = composition?.own_text == null
  const foreign =
    body === undefined || files.length > 0 || composition !== undefined
      ? []
      : await foreignFiles(context, body)
  return {
    to: row.to_line,
    cc: body?.cc_line ?? '',
    bcc: body?.bcc_line ?? '',
    subject: row.subject,
    text: (isWhole ? body?.text : composition.own_text) ?? '',
    html: await cleanHtml((isWhole ? body?.html : composition.own_html) ?? null),
    files: [...files.filter(({ isQuoted }) => !isQuoted), ...foreign],
    quotedFiles: files.filter(({ isQuoted }) => isQuoted),
    inReplyTo: row.in_reply_to,
    quoteOf: composition?.quote_of ?? null,
    forwardOf: composition?.forward_of ?? null,
  }
}

async function foreignFiles(context: Context, body: EmailBodyRow): Promise<MailFile[]> {
  if (body.files.length === 0) return []
  return keepParts(context, body.user_id, await attachmentsOf(context, body))
}

/** Keeps files of a mail from elsewhere as files of our own. */
export async function keepParts(
  context: Context,
  userId: number,
  parts: readonly MailAttachment[],
): Promise<MailFile[]> {
  const files: MailFile[] = []
  for (const { name, content, contentId, inline, type } of parts) {
    const kept = await keepBytes(context, userId, name, Readable.from([Buffer.from(content)]))
    // A mail or an invitation within a mail is known by its type alone.
    const said = /^(?:message|text\/calendar)/.test(type) && kept.type.startsWith('text/') ? type : kept.type
    const row = await addUpload(context.db, userId, { ...kept, type: said })
    files.push({ ...row, contentId: contentId ?? null, inline, isQuoted: false })
  }
  return files
}

async function attached(
  context: Context,
  userId: number,
  ids: readonly number[],
  known: readonly MailFile[],
): Promise<MailFile[]> {
  const wanted = [...new Set(ids)]
  const rows = await uploadsById(context.db, userId, wanted)
  if (rows.length < wanted.length) throw missingFile()
  const already = new Map(known.map((file) => [file.id, file]))
  return rows.map((row) => already.get(row.id) ?? { ...row, contentId: null, inline: false, isQuoted: false })
}

/** 400: a file was uploaded too long ago, or never. */
export function missingFile() {
  const why = 'One of the files is not there any more. Please attach it again.'
  return invalidInput(why, { attachments: why })
}

async function cleanHtml(html: string | null): Promise<string | null> {
  const clean = html === null ? '' : await doMailWork('sanitizeOutgoingHtml', html)
  return clean === '' ? null : clean
}

function bareId(messageId: string | null): string | null {
  const bare = messageId?.replace(/[^\x21-\x7e]|[<>]/g, '') ?? ''
  return bare === '' ? null : bare
}
