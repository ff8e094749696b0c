import { ORIGINAL_BELOW } from './report-phrases.ts'
import { messageIds } from '../parse.ts'
import type { MailAttachment, ParsedMail } from '../parse.ts'

/** Text of a report that is looked into, and bytes of each of its parts. */
export const MAX_REPORT_CHARS = 100_000
export const MAX_EMBEDDED_BYTES = 200_000

/** An email address in running text; use with `matchAll` or `match`. */
export const ADDRESS =
  /[^\s<>"'(),;:[\]\\{}=]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}-]{1,63})+/gu

/** Without what running text puts around an address. */
export function tidyAddress(address: string): string {
  let end = address.length
  while (end > 0 && '.-'.includes(address.charAt(end - 1))) end -= 1
  return address.slice(0, end).replace(/^(?:mailto|rfc822|smtp)[:;]/i, '')
}

/** A part as text without NUL. */
export function partText({ content }: MailAttachment): string {
  return new TextDecoder().decode(content.subarray(0, MAX_EMBEDDED_BYTES)).replaceAll('\0', '')
}

/** The report without the copy of the original mail under it. */
export function beforeOriginal(text: string): string {
  const lines = text.slice(0, MAX_REPORT_CHARS).split('\n')
  const end = lines.findIndex((line, at) => at > 0 && ORIGINAL_BELOW.test(line))
  return (end < 0 ? lines : lines.slice(0, end)).join('\n')
}

/** The headers of the mail reported on, wherever the report carries them. */
export function originalHead(mail: ParsedMail): string {
  const embedded = mail.attachments
    .filter(({ type }) =>
      /^message\/(?:global|rfc822)|^text\/rfc822-headers|^message\/global-headers/.test(type),
    )
    .map(partText)
  const text = mail.text.slice(0, MAX_REPORT_CHARS)
  const below = text.slice(beforeOriginal(text).length)
  const files = mail.attachments.filter(({ type }) => /^text\/|octet-stream/.test(type)).map(partText)
  return [...embedded, below, ...files].join('\n\n').replace(/\r\n?/g, '\n').slice(0, MAX_EMBEDDED_BYTES)
}

/** The Message-ID of the mail reported on, without brackets. */
export function originalIdOf(mail: ParsedMail): string | undefined {
  const field = /^[ \t>]*message-id[ \t]*:([^\n]*(?:\n[ \t][^\n]*)?)/im.exec(originalHead(mail))?.[1]
  const id = field ? messageIds(field)[0] : undefined
  return id ?? mail.inReplyTo[0] ?? mail.references.at(-1)
}
