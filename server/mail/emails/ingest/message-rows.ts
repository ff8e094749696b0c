import { makeRowWriter, overwriteBigint, type RowWriter } from '../../../platform/database/binary-rows.ts'
import type { IncomingMessage } from './incoming-message.ts'
import { packRaw, RAW_IN_DATABASE_MAX } from '../content/pack-raw.ts'

/**
 * A message as binary rows. The message's row lacks the columns that only the whole chunk determines; the body's row
 * has room for them. The rows are written in the parser thread, and the body goes to the database unchanged.
 */
export type MailRow = { mail: Uint8Array<ArrayBuffer>; body: Uint8Array<ArrayBuffer> | null }

/** Writes a message's row for `emails`, in the column order of `insertMails`. */
export function writeMailRow(row: RowWriter, mail: IncomingMessage): void {
  row.text(mail.direction)
  row.text(mail.folder)
  row.text(originalFolder(mail))
  row.text(mail.kind)
  row.text(mail.messageId)
  row.text(mail.inReplyTo)
  row.texts(mail.references)
  row.text(mail.fromName)
  row.text(mail.fromAddress)
  row.text(mail.fromLine)
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
  row.text(mail.digest)
}

/** The columns of `email_bodies` in the order of `writeBodyRow`. */
export const BODY_COLUMNS =
  '(user_id, email_id, text, html, html_in_raw, cc_line, bcc_line, reply_to_line, files, raw, raw_key)'
const BODY_COLUMN_COUNT = 11
/** Byte offsets in a body's row: after the column count come the user, the message and the text. */
const [USER_AT, MAIL_AT, TEXT_AT] = [2, 14, 26]
/** The bytes of a null column. */
const NOTHING_BYTES = 4

/**
 * Writes a body's row. `assignBody` fills in the owner later. A large raw message is left out; `bodyWithKey` says where
 * it is stored.
 */
export function writeBodyRow(row: RowWriter, body: NonNullable<IncomingMessage['body']>): void {
  // The raw message already contains the HTML, and only opening the message needs it.
  const keepsRaw = body.raw.length <= RAW_IN_DATABASE_MAX
  row.columns(BODY_COLUMN_COUNT)
  row.bigint(0)
  row.bigint(0)
  row.text(body.text)
  row.text(keepsRaw ? null : body.html)
  row.boolean(keepsRaw && body.html !== null)
  row.text(body.ccLine)
  row.text(body.bccLine)
  row.text(body.replyToLine)
  row.json(body.files)
  row.bytes(keepsRaw ? packRaw(body.raw) : null)
  row.none()
}

/** Fills in which message a body's row belongs to. */
export function assignBody(body: Uint8Array, userId: number, emailId: number): void {
  overwriteBigint(body, USER_AT, userId)
  overwriteBigint(body, MAIL_AT, emailId)
}

/** The row of a body whose raw message is in the blob store. */
export function bodyWithKey(body: Uint8Array, rawKey: string): Uint8Array {
  const row = makeRowWriter(body.length + rawKey.length)
  row.written(body.subarray(0, -NOTHING_BYTES))
  row.text(rawKey)
  return row.take()
}

/** The rows of a message that was parsed in this thread. */
export function mailRow(mail: IncomingMessage): MailRow {
  const writer = makeRowWriter()
  writeMailRow(writer, mail)
  const row = writer.take()
  if (mail.body === null) return { mail: row, body: null }
  writeBodyRow(writer, mail.body)
  return { mail: row, body: writer.take() }
}

/**
 * Frees the memory of these bytes at once instead of waiting for the garbage collector, which only sees a number for
 * memory outside its heap and scans the whole heap for it. The bytes must not be used afterwards.
 */
export function freeBuffer({ buffer }: Uint8Array<ArrayBuffer>): void {
  buffer.transfer(0)
}

/** Frees the memory of rows that have been written. */
export function freeRowBuffers(rows: readonly MailRow[]): void {
  const one = new Map(
    rows.flatMap(({ mail, body }) => (body === null ? [mail] : [mail, body])).map((row) => [row.buffer, row]),
  )
  for (const row of one.values()) freeBuffer(row)
}

/** The text in a body's row. */
export function textOfRow({ body }: MailRow): string {
  if (body === null) return ''
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const start = TEXT_AT + 4
  return bytes.toString('utf8', start, start + bytes.readInt32BE(TEXT_AT))
}

/** The folder that a message from the trash or the archive would be restored to. */
function originalFolder({ folder, direction }: Pick<IncomingMessage, 'folder' | 'direction'>): string | null {
  if (folder !== 'trash' && folder !== 'archived') return null
  return direction === 'in' ? 'inbox' : 'sent'
}
