import type { Context } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { parseMail, type ParsedMail } from '../mail/parse.ts'
import { type EmailBodyRow, findBody, findListed } from './store.ts'

/** Inline pictures of one mail that are put into its frame, together. */
const INLINE_MAX_BYTES = 10 * 1024 * 1024

/** The mail as it came, from the row or from the blob store; null when only its envelope is there. */
export async function readRaw(context: Context, body: EmailBodyRow): Promise<Uint8Array | null> {
  if (body.raw !== null) return body.raw
  return body.raw_key === null ? null : context.blobs.get(body.raw_key)
}

async function parsed(context: Context, body: EmailBodyRow): Promise<ParsedMail | null> {
  const raw = await readRaw(context, body)
  return raw === null ? null : parseMail(raw)
}

/**
 * One attachment as bytes with the headers it is served under: always a download, never a page of ours.
 *
 * @throws Refusal 404
 */
export async function readAttachment(
  context: Context,
  userId: number,
  emailId: number,
  index: number,
): Promise<{ content: Buffer; headers: Record<string, string> }> {
  const row = await findListed(context.db, userId, emailId)
  const body = row === undefined ? undefined : await findBody(context.db, userId, emailId)
  const mail = body === undefined ? null : await parsed(context, body)
  const file = mail?.attachments[index]
  if (file === undefined) throw notFound('This attachment is not there.')
  const plainName = file.name.replaceAll(/[^\w.() -]/g, '_')
  return {
    content: Buffer.from(file.content),
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${plainName}"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'private, no-store',
    },
  }
}

/** The inline pictures of a mail as data URLs, by Content-ID. */
export async function inlineImages(context: Context, body: EmailBodyRow): Promise<Map<string, string>> {
  if (!body.files.some((file) => file.inline && file.contentId !== null)) return new Map()
  const mail = await parsed(context, body)
  const images = new Map<string, string>()
  let bytes = 0
  for (const file of mail?.attachments ?? []) {
    if (file.contentId === undefined || !/^image\/(png|jpeg|gif|webp)$/.test(file.type)) continue
    bytes += file.content.length
    if (bytes > INLINE_MAX_BYTES) break
    images.set(file.contentId, `data:${file.type};base64,${Buffer.from(file.content).toString('base64')}`)
  }
  return images
}
