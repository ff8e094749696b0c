import { ORIGINAL_BELOW } from './report-phrases.ts'
import { messageIds, type MailAttachment, type ParsedMail } from '../parse.ts'

/** Length of a report's text that is read, and size of each part in bytes. */
export const MAX_REPORT_CHARS = 100_000
export const MAX_EMBEDDED_BYTES = 200_000

/** An email address in running text; use with `matchAll` or `match`. */
export const ADDRESS =
  /[^\s<>"'(),;:[\]\\{}=]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}-]{1,63})+/gu

/** Without the punctuation around an address in running text. */
export function tidyAddress(address: string): string {
  let end = address.length
  while (end > 0 && '.-'.includes(address.charAt(end - 1))) end -= 1
  return address.slice(0, end).replace(/^(?:mailto|rfc822|smtp)[:;]/i, '')
}

/** A part as text without NUL. */
export function partText({ content }: MailAttachment): string {
  return new TextDecoder().decode(content.subarray(0, MAX_EMBEDDED_BYTES)).replaceAll('\0', '')
}

/** The report without the copy of the original mail below it. */
export function beforeOriginal(text: string): string {
  const lines = text.slice(0, MAX_REPORT_CHARS).split('\n')
  const end = lines.findIndex((line, at) => at > 0 && ORIGINAL_BELOW.test(line))
  return (end < 0 ? lines : lines.slice(0, end)).join('\n')
}

/** The headers of the original mail, wherever the report contains them. */
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

/** The Message-ID of the original mail, without brackets. */
export function originalIdOf(mail: ParsedMail): string | undefined {
  const field = /^[ \t>]*message-id[ \t]*:([^\n]*(?:\n[ \t][^\n]*)?)/im.exec(originalHead(mail))?.[1]
  const id = field ? messageIds(field)[0] : undefined
  return id ?? mail.inReplyTo[0] ?? mail.references.at(-1)
}
