import type { Context } from '../../../platform/context.ts'
import { type Address, isSendable, parseAddressList } from '../../../formats/mail-text/addresses.ts'
import {
  type ComposedAttachment,
  type ComposedMail,
  type ComposeInput,
  composeMail,
} from '../../../formats/mail-text/compose.ts'
import { readBody } from './read-body.ts'
import { filesOf } from './uploads-store.ts'

/** The fields that every mail has, rich or not. */
type RichMailFields = Omit<ComposeInput, 'from' | 'to'> & { userId: number; emailId: number; toLine: string }

const PICTURE = /(<img\b[^>]*?\ssrc=")data:(image\/[a-z]+);base64,([a-z0-9+/=]+)(?=")/gi

/**
 * Renders a mail with more than plain text (HTML, Cc, Bcc, files), always to the same bytes: the boundaries derive from
 * its Message-ID. Files are streamed from the blob store while they are encoded.
 */
export async function renderRichMime(
  context: Context,
  from: Address,
  fields: RichMailFields,
): Promise<ComposedMail> {
  const { userId, emailId, toLine, ...common } = fields
  const body = await readBody(context.db, userId, emailId, { isBackground: true })
  const pictures: ComposedAttachment[] = []
  const html = body?.html == null ? null : extractPictures(body.html, common.messageId, pictures)
  const files: ComposedAttachment[] = []
  for (const file of await filesOf(context.db, userId, emailId)) {
    files.push({
      name: file.name,
      type: file.type,
      content: await context.blobs.stream(file.blob_key),
      ...(file.inline && file.contentId !== null && html !== null
        ? { inline: true, contentId: file.contentId }
        : {}),
    })
  }
  return composeMail({
    ...common,
    from,
    to: sendableAddresses(toLine),
    cc: sendableAddresses(body?.cc_line ?? ''),
    bcc: sendableAddresses(body?.bcc_line ?? ''),
    ...(html === null ? {} : { html: htmlDocument(html) }),
    attachments: [...pictures, ...files],
    boundary: common.messageId,
  })
}

/** The valid addresses of a line: in a draft one may be half typed; the addresses of a sent mail have been checked. */
function sendableAddresses(line: string): Address[] {
  return parseAddressList(line).filter(({ address }) => isSendable(address))
}

/** Turns pictures inside data URLs into parts of the mail: many mail programs show no others. */
function extractPictures(html: string, messageId: string, pictures: ComposedAttachment[]): string {
  return html.replaceAll(PICTURE, (_, before: string, type: string, data: string) => {
    const number = pictures.length + 1
    const contentId = `picture${number}.${messageId}`
    const name = `picture-${number}.${type.slice('image/'.length).replace('jpeg', 'jpg')}`
    pictures.push({ name, type, content: Buffer.from(data, 'base64'), contentId, inline: true })
    return `${before}cid:${contentId}`
  })
}

function htmlDocument(html: string): string {
  return `<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head><body>\n${html}\n</body></html>\n`
}
