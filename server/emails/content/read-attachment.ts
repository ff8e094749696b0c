import type { Context } from '../../context.ts'
import { notFound, Refusal } from '../../errors.ts'
import type { Invitation } from '../../mail/invitation.ts'
import type { MailAttachment } from '../../mail/parse.ts'
import { doMailWork } from '../../worker-threads/run-mail-task.ts'
import { unpackRaw } from './pack-raw.ts'
import { previewOf } from './preview-attachment.ts'
import { type EmailBodyRow, findBodyRow, findListed } from '../messages/store.ts'
import type { StoredFile } from '../tables.ts'
import { filesOf } from './uploads-store.ts'

/** Inline pictures of one mail that are put into its frame, together. */
const INLINE_MAX_BYTES = 10 * 1024 * 1024

/** The mail as it came, from the row or from the blob store; null when only its envelope is there. */
export async function readRaw(context: Context, body: EmailBodyRow): Promise<Uint8Array | null> {
  if (body.raw !== null) return unpackRaw(body.raw)
  return body.raw_key === null ? null : context.blobs.get(body.raw_key)
}

/**
 * The files in a mail as it came; none while only its envelope is there.
 *
 * @throws WorkFailed where the mail was made to stop its reader
 */
export async function attachmentsOf(context: Context, body: EmailBodyRow): Promise<MailAttachment[]> {
  const raw = await readRaw(context, body)
  return raw === null ? [] : doMailWork('attachments', raw)
}

export type ServedFile = { content: Buffer; headers: Record<string, string> }

/**
 * One attachment as bytes with the headers it is served under: a download, never a page of ours. As a `preview` a picture,
 * a PDF or a text comes under its own type, so that the browser can show it.
 *
 * @throws Refusal 404; 415 for a preview of what cannot be shown; 422 where the mail was made to stop its reader
 */
export async function readAttachment(
  context: Context,
  userId: number,
  emailId: number,
  index: number,
  preview: boolean,
): Promise<ServedFile> {
  const row = await findListed(context.db, userId, emailId)
  const body = row === undefined ? undefined : await findBodyRow(context.db, userId, emailId)
  const file = body === undefined ? undefined : await fileOf(context, body, index)
  if (file === undefined) throw notFound('This attachment is not there.')
  const { content } = file
  if (!preview) return served('attachment', file.name, 'application/octet-stream', content)
  const shown = previewOf(file.type, content)
  if (shown === null)
    throw new Refusal(415, 'This kind of file cannot be shown here. Please download it.', 'UNSUPPORTED_TYPE')
  return served('inline', file.name, shown.type, shown.content)
}

/** A file by its place in `files`: of a mail written here as it was uploaded, of any other out of the mail. */
async function fileOf(
  context: Context,
  body: EmailBodyRow,
  index: number,
): Promise<{ name: string; type: string; content: Buffer } | undefined> {
  const own = (await filesOf(context.db, body.user_id, body.email_id))[index]
  if (own !== undefined) return { ...own, content: await context.blobs.get(own.blob_key) }
  const found = matchingAttachment(await attachmentsOf(context, body), body.files[index], index)
  return found === undefined ? undefined : { ...found, content: Buffer.from(found.content) }
}

/**
 * The attachment that the row speaks of. What counts as a file may have changed since the mail was read, and with it the
 * places: the one of that type and size is meant.
 */
function matchingAttachment(
  attachments: readonly MailAttachment[],
  known: StoredFile | undefined,
  index: number,
): MailAttachment | undefined {
  const isMeant = (file: MailAttachment | undefined) =>
    known === undefined || (file?.type === known.type && file.size === known.size)
  const there = attachments[index]
  return isMeant(there) ? there : (attachments.find(isMeant) ?? there)
}

/** Headers under which a browser does with a file what is wanted, and nothing else. */
export function served(
  disposition: 'attachment' | 'inline',
  name: string,
  type: string,
  content: Buffer,
): ServedFile {
  const plainName = name.replaceAll(/[^\w.() -]/g, '_')
  return {
    content,
    headers: {
      'Content-Type': type,
      'Content-Disposition': `${disposition}; filename="${plainName}"; filename*=UTF-8''${encodeURIComponent(name)}`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
  }
}

/**
 * What a mail's text/calendar part says; null without one.
 *
 * @throws WorkFailed where the mail was made to stop its reader
 */
export async function invitationOf(context: Context, body: EmailBodyRow): Promise<Invitation | null> {
  if (!body.files.some(({ type }) => type === 'text/calendar' || type === 'application/ics')) return null
  const raw = await readRaw(context, body)
  return raw === null ? null : doMailWork('invitation', raw)
}

/** The inline pictures of a mail as data URLs, by Content-ID. */
export async function inlineImages(context: Context, body: EmailBodyRow): Promise<Map<string, string>> {
  if (!body.files.some((file) => file.inline && file.contentId !== null)) return new Map()
  const own = await Promise.all(
    (await filesOf(context.db, body.user_id, body.email_id)).map(async (file) => ({
      type: file.type,
      contentId: file.contentId ?? undefined,
      content: file.inline ? await context.blobs.get(file.blob_key) : Buffer.alloc(0),
    })),
  )
  const parts = own.length > 0 ? own : await attachmentsOf(context, body)
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
