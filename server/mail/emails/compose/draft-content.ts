import { Readable } from 'node:stream'
import { ATTACHMENT_BYTES_MAX, ATTACHMENTS_MAX } from '#contract/mail/email-writing.ts'
import type { emails } from '#contract/mail/emails.ts'
import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import { invalidInput } from '../../../platform/errors.ts'
import type { MailAttachment } from '../../../formats/mail-text/parse.ts'
import { runMailTask } from '../../../formats/mail-tasks/run-mail-task.ts'
import { attachmentsOf } from '../content/read-attachment.ts'
import { type EmailBodyRow, type EmailRow, findComposition } from '../messages/store.ts'
import { storeFile } from '../content/upload-file.ts'
import { addUpload, filesOf, type MailFile, uploadsById } from '../content/uploads-store.ts'

/** A mail that is being written: the user's own text and files, and the mail that it replies to or forwards. */
export type DraftContent = {
  to: string
  cc: string
  bcc: string
  subject: string
  text: string
  html: string | null
  files: MailFile[]
  /** Files of the quoted or forwarded mail that were stored earlier. */
  quotedFiles: MailFile[]
  inReplyTo: string | null
  quoteOf: number | null
  forwardOf: number | null
}

/** The fields of a draft that a call changes; the others stay as they are. */
export type DraftContentInput = Omit<BodyOf<typeof emails.update>, 'mailbox_id' | 'schedule_at'>

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
 * Applies a call's changes to a draft's content. HTML is sanitized here, once, before it is stored.
 *
 * @throws Refusal 400 for a missing file, too many files, or files that are too large together
 */
export async function changedContent(
  db: Queryable,
  userId: number,
  before: DraftContent,
  input: DraftContentInput,
): Promise<DraftContent> {
  const changed: DraftContent = {
    ...before,
    to: input.to ?? before.to,
    cc: input.cc ?? before.cc,
    bcc: input.bcc ?? before.bcc,
    subject: input.subject ?? before.subject,
    text: input.content ?? before.text,
    html: input.html === undefined ? before.html : await cleanHtml(userId, input.html),
    files:
      input.attachments === undefined
        ? before.files
        : await attachedFiles(db, userId, input.attachments, before.files),
    inReplyTo: input.in_reply_to === undefined ? before.inReplyTo : bareId(input.in_reply_to),
    quoteOf: input.quote_of === undefined ? before.quoteOf : input.quote_of,
    forwardOf: input.forward_of === undefined ? before.forwardOf : input.forward_of,
  }
  const sameOriginal = changed.quoteOf === before.quoteOf && changed.forwardOf === before.forwardOf
  if (!sameOriginal) changed.quotedFiles = []
  checkFiles(changed.files)
  return changed
}

/** Checks the limits for the files of one mail. @throws Refusal 400 for too many files, or files that are too large together */
export function checkFiles(files: readonly MailFile[]): void {
  if (files.filter(({ isQuoted }) => !isQuoted).length > ATTACHMENTS_MAX)
    throw invalidInput('At most 50 files in one mail', { attachments: 'At most 50 files in one mail' })
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes <= ATTACHMENT_BYTES_MAX) return
  const mb = (value: number) => Math.ceil((value / 1024 / 1024) * 10) / 10
  const why = `The files of one email can be up to ${mb(ATTACHMENT_BYTES_MAX)} MB in total; these are ${mb(bytes)} MB.`
  throw invalidInput(`${why} Please remove one, or share it as a link.`, { attachments: why })
}

/**
 * The content of a draft or scheduled mail as its author left it. The files of a draft that another program wrote are
 * stored as uploads here.
 *
 * @param db the database, or the transaction that has the draft locked
 */
export async function readContentOfDraft(
  context: Context,
  db: Queryable,
  row: Pick<EmailRow, 'user_id' | 'id' | 'to_line' | 'subject' | 'in_reply_to'>,
  body: EmailBodyRow | undefined,
): Promise<DraftContent> {
  const { user_id: userId } = row
  const composition = await findComposition(db, userId, row.id)
  const files = await filesOf(db, userId, row.id)
  const hasOwnText = composition?.own_text != null
  const foreign =
    body === undefined || files.length > 0 || composition !== undefined
      ? []
      : await foreignFiles(context, db, body)
  return {
    to: row.to_line,
    cc: body?.cc_line ?? '',
    bcc: body?.bcc_line ?? '',
    subject: row.subject,
    text: (hasOwnText ? composition.own_text : body?.text) ?? '',
    html: await cleanHtml(userId, (hasOwnText ? composition.own_html : body?.html) ?? null),
    files: [...files.filter(({ isQuoted }) => !isQuoted), ...foreign],
    quotedFiles: files.filter(({ isQuoted }) => isQuoted),
    inReplyTo: row.in_reply_to,
    quoteOf: composition?.quote_of ?? null,
    forwardOf: composition?.forward_of ?? null,
  }
}

async function foreignFiles(context: Context, db: Queryable, body: EmailBodyRow): Promise<MailFile[]> {
  if (body.files.length === 0) return []
  return storeAttachments(context, db, body.user_id, await attachmentsOf(context, body))
}

/** Stores the attachments of a mail as uploads. */
export async function storeAttachments(
  context: Context,
  db: Queryable,
  userId: number,
  attachments: readonly MailAttachment[],
): Promise<MailFile[]> {
  const files: MailFile[] = []
  for (const { name, content, contentId, inline, type } of attachments) {
    const stored = await storeFile(context, userId, name, Readable.from([Buffer.from(content)]))
    // An attached mail or invitation can only be told by its declared type.
    const declared =
      /^(?:message|text\/calendar)/.test(type) && stored.type.startsWith('text/') ? type : stored.type
    const row = await addUpload(db, userId, { ...stored, type: declared })
    files.push({ ...row, contentId: contentId ?? null, inline, isQuoted: false })
  }
  return files
}

async function attachedFiles(
  db: Queryable,
  userId: number,
  ids: readonly number[],
  current: readonly MailFile[],
): Promise<MailFile[]> {
  const wanted = [...new Set(ids)]
  const rows = await uploadsById(db, userId, wanted)
  if (rows.length < wanted.length) throw missingFile()
  const currentById = new Map(current.map((file) => [file.id, file]))
  return rows.map(
    (row) => currentById.get(row.id) ?? { ...row, contentId: null, inline: false, isQuoted: false },
  )
}

/** 400: a file was uploaded too long ago, or was never uploaded. */
export function missingFile() {
  const why = 'One of the files no longer exists. Please attach it again.'
  return invalidInput(why, { attachments: why })
}

async function cleanHtml(userId: number, html: string | null): Promise<string | null> {
  const clean = html === null ? '' : await runMailTask({ userId }, 'sanitizeOutgoingHtml', html)
  return clean === '' ? null : clean
}

function bareId(messageId: string | null): string | null {
  const bare = messageId?.replace(/[^\x21-\x7e]|[<>]/g, '') ?? ''
  return bare === '' ? null : bare
}
