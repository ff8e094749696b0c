import { makeRowWriter, type RowWriter } from '../database/binary-rows.ts'
import type { IncomingMail } from './ingest-mail.ts'

/** Raw mails up to this size are kept in the database, larger ones in the blob store. */
export const RAW_IN_DATABASE_MAX = 64 * 1024

/**
 * A mail as its rows have it, without the columns that only the whole chunk tells. It is made where the mail was read, in
 * another thread, and travels to the database as it is.
 */
export type MailRow = { mail: Uint8Array; body: Uint8Array | null }

/** Writes what a mail says into its row in `emails`, in the order of `insertMails`. */
export function writeMailRow(row: RowWriter, mail: IncomingMail): void {
  row.text(mail.direction)
  row.text(mail.folder)
  row.text(originalFolder(mail))
  row.text(mail.kind)
  row.text(mail.messageId)
  row.text(mail.inReplyTo)
  row.texts(mail.references)
  row.text(mail.fromName)
  row.text(mail.fromAddress)
  row.text(mail.toLine)
  row.text(mail.correspondentKey)
  row.text(mail.subject)
  row.text(mail.snippet)
  row.text(mail.collapseKey)
  row.boolean(mail.isRead)
  row.boolean(mail.isStarred)
  row.texts(mail.attachmentNames)
  row.int(mail.size)
  row.boolean(mail.body !== null)
  row.time(mail.occurredAt)
}

/** Writes a mail's words into its row in `email_bodies`, in the order of `insertMails`; a large raw mail is left away. */
export function writeBodyRow(row: RowWriter, body: NonNullable<IncomingMail['body']>): void {
  row.text(body.text)
  row.text(body.html)
  row.text(body.ccLine)
  row.text(body.bccLine)
  row.text(body.replyToLine)
  row.json(body.files)
  row.bytes(body.raw.length > RAW_IN_DATABASE_MAX ? null : body.raw)
}

/** The rows of a mail that was read in this thread. */
export function mailRow(mail: IncomingMail): MailRow {
  const writer = makeRowWriter()
  writeMailRow(writer, mail)
  const row = writer.take()
  if (mail.body === null) return { mail: row, body: null }
  writeBodyRow(writer, mail.body)
  return { mail: row, body: writer.take() }
}

/** The text in a body's row: it is the first column. */
export function textOfRow({ body }: MailRow): string {
  if (body === null) return ''
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  return bytes.toString('utf8', 4, 4 + bytes.readInt32BE(0))
}

/** Where a mail that lies in the trash or the archive would be put back to. */
function originalFolder({ folder, direction }: Pick<IncomingMail, 'folder' | 'direction'>): string | null {
  if (folder !== 'trash' && folder !== 'archived') return null
  return direction === 'in' ? 'inbox' : 'sent'
}
