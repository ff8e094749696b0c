import type { Context } from '../../../platform/context.ts'
import { notFound, Refusal } from '../../../platform/errors.ts'
import { served, type ServedFile } from '../../../platform/http/served-file.ts'
import type { Invitation } from '#contract/mail/emails.ts'
import type { MailAttachment } from '../../../formats/mail-text/parse.ts'
import { runMailTask } from '../../../formats/mail-tasks/run-mail-task.ts'
import { unpackRaw } from './pack-raw.ts'
import { previewOf } from './preview-attachment.ts'
import { type EmailBodyRow, findBodyRow, findListed } from '../messages/store.ts'
import type { StoredFile } from '../tables.ts'
import { filesOf } from './uploads-store.ts'

/** The most bytes of inline pictures that one mail's frame gets. */
const INLINE_MAX_BYTES = 10 * 1024 * 1024

/** The raw mail, from its row or from the blob store; null while only its envelope has been fetched. */
export async function readRaw(context: Context, body: EmailBodyRow): Promise<Uint8Array | null> {
  if (body.raw !== null) return unpackRaw(body.raw)
  return body.raw_key === null ? null : context.blobs.get(body.raw_key)
}

/**
 * The attachments of a raw mail; none while only its envelope has been fetched.
 *
 * @throws MailTaskFailed for a mail that was crafted to stall its parser
 */
export async function attachmentsOf(
  context: Context,
  body: EmailBodyRow,
  signal?: AbortSignal,
): Promise<MailAttachment[]> {
  const raw = await readRaw(context, body)
  return raw === null ? [] : runMailTask({ userId: body.user_id, signal }, 'attachments', raw)
}

/**
 * One attachment with the headers it is served with: a download, never a page of ours. With `preview` a picture, a PDF or
 * a text is served with its own type, so that the browser can show it.
 *
 * @throws Refusal 404; 415 for a preview of a type that cannot be shown; 422 for a mail that was crafted to stall its parser
 */
export async function readAttachment(
  context: Context,
  userId: number,
  emailId: number,
  index: number,
  preview: boolean,
  signal?: AbortSignal,
): Promise<ServedFile> {
  const row = await findListed(context.db, userId, emailId)
  const body = row === undefined ? undefined : await findBodyRow(context.db, userId, emailId)
  const file = body === undefined ? undefined : await fileOf(context, body, index, signal)
  if (file === undefined) throw notFound('This attachment does not exist.')
  const { content } = file
  if (!preview) return served('attachment', file.name, 'application/octet-stream', content)
  const shown = previewOf(file.type, content)
  if (shown === null)
    throw new Refusal(415, 'This kind of file cannot be shown here. Please download it.', 'UNSUPPORTED_TYPE')
  return served('inline', file.name, shown.type, shown.content)
}

/** A file by its index in `files`: the upload for a mail that was written here, else the attachment in the raw mail. */
async function fileOf(
  context: Context,
  body: EmailBodyRow,
  index: number,
  signal: AbortSignal | undefined,
): Promise<{ name: string; type: string; content: Buffer } | undefined> {
  const own = (await filesOf(context.db, body.user_id, body.email_id))[index]
  if (own !== undefined) return { ...own, content: await context.blobs.get(own.blob_key) }
  const found = matchingAttachment(await attachmentsOf(context, body, signal), body.files[index], index)
  return found === undefined ? undefined : { ...found, content: Buffer.from(found.content) }
}

/**
 * The attachment that the row lists. What counts as an attachment may have changed since the mail was parsed, and with it
 * the indexes: then the one of that type and size is meant.
 */
function matchingAttachment(
  attachments: readonly MailAttachment[],
  listedFile: StoredFile | undefined,
  index: number,
): MailAttachment | undefined {
  const isMeant = (file: MailAttachment | undefined) =>
    listedFile === undefined || (file?.type === listedFile.type && file.size === listedFile.size)
  const atIndex = attachments[index]
  return isMeant(atIndex) ? atIndex : (attachments.find(isMeant) ?? atIndex)
}

/**
 * The invitation in a mail's text/calendar part; null without one.
 *
 * @throws MailTaskFailed for a mail that was crafted to stall its parser
 */
export async function invitationOf(
  context: Context,
  body: EmailBodyRow,
  signal?: AbortSignal,
): Promise<Invitation | null> {
  if (!body.files.some(({ type }) => type === 'text/calendar' || type === 'application/ics')) return null
  const raw = await readRaw(context, body)
  return raw === null ? null : runMailTask({ userId: body.user_id, signal }, 'invitation', raw)
}

/** The inline pictures of a mail as data URLs, by Content-ID. */
export async function inlineImages(
  context: Context,
  body: EmailBodyRow,
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  if (!body.files.some((file) => file.inline && file.contentId !== null)) return new Map()
  const uploads = await Promise.all(
    (await filesOf(context.db, body.user_id, body.email_id)).map(async (file) => ({
      type: file.type,
      contentId: file.contentId ?? undefined,
      content: file.inline ? await context.blobs.get(file.blob_key) : Buffer.alloc(0),
    })),
  )
  const parts = uploads.length > 0 ? uploads : await attachmentsOf(context, body, signal)
  const images = new Map<string, string>()
  let bytes = 0
  for (const file of parts) {
    if (file.contentId === undefined || !/^image\/(png|jpeg|gif|webp)$/.test(file.type)) continue
    bytes += file.content.length
    if (bytes > INLINE_MAX_BYTES) break
    images.set(file.contentId, `data:${file.type};base64,${Buffer.from(file.content).toString('base64')}`)
  }
  return images
}
