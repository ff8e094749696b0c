import { sql } from 'kysely'
import { copyRows } from '../../../platform/database/copy-statement.ts'
import { makeRowWriter } from '../../../platform/database/binary-rows.ts'
import { assignBody, BODY_COLUMNS, bodyWithKey, type MailRow } from './message-rows.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/** The first columns are filled in by the chunk, the others by the message. */
const MAIL_COLUMNS = `(user_id, mailbox_id, created_at, id, thread_id, intent,
  direction, folder, original_folder, kind, message_id, in_reply_to, reference_ids, from_name, from_address, from_line, to_line,
  correspondent_key, subject, snippet, collapse_key, is_read, is_starred, attachment_names, size, has_body, occurred_at, digest)`
const MAIL_COLUMN_COUNT = 28
/** Roughly the bytes of the first columns and the length fields. */
const FIRST_BYTES = 150

/** Columns that only the whole message determines. */
const COMPLETED_COLUMNS = (
  'kind intent message_id thread_id in_reply_to reference_ids from_name from_address from_line to_line ' +
  'correspondent_key subject snippet collapse_key attachment_names size has_body digest'
).split(' ')
const SET_COMPLETED = sql.raw(COMPLETED_COLUMNS.map((column) => `${column} = m.${column}`).join(', '))

/** A message ready to be inserted. */
export type StoredMail = {
  id: number
  threadId: number
  intent: string | null
  rawKey: string | null
  row: MailRow
}
export type Owner = { userId: number; mailboxId: number; now: Date }

/** Inserts new messages with their bodies. */
export async function insertMails(tx: Tx, of: Owner, mails: readonly StoredMail[]): Promise<void> {
  if (mails.length === 0) return
  await copyRows(tx, `emails ${MAIL_COLUMNS}`, [mailRows(of, mails)])
  await insertBodies(tx, of, mails)
}

/** Completes messages of which only the envelope was known. What the user has done with them in the meantime stays. */
export async function completeMails(tx: Tx, of: Owner, mails: readonly StoredMail[]): Promise<void> {
  if (mails.length === 0) return
  await sql`CREATE TEMPORARY TABLE IF NOT EXISTS whole_mails (LIKE emails) ON COMMIT DELETE ROWS`.execute(tx)
  await copyRows(tx, `whole_mails ${MAIL_COLUMNS}`, [mailRows(of, mails)])
  const { rows } = await sql<{ id: number }>`
    UPDATE emails e SET ${SET_COMPLETED} FROM whole_mails m
    WHERE e.user_id = ${of.userId} AND e.id = m.id AND NOT e.has_body
    RETURNING e.id`.execute(tx)
  const completed = new Set(rows.map(({ id }) => id))
  await insertBodies(
    tx,
    of,
    mails.filter(({ id }) => completed.has(id)),
  )
}

function mailRows({ userId, mailboxId, now }: Owner, mails: readonly StoredMail[]): Uint8Array {
  const rows = makeRowWriter(mails.reduce((sum, { row }) => sum + row.mail.length + FIRST_BYTES, 0))
  for (const { id, threadId, intent, row } of mails) {
    rows.columns(MAIL_COLUMN_COUNT)
    rows.bigint(userId)
    rows.bigint(mailboxId)
    rows.time(now)
    rows.bigint(id)
    rows.bigint(threadId)
    rows.text(intent)
    rows.written(row.mail)
  }
  return rows.take()
}

async function insertBodies(tx: Tx, { userId }: Owner, mails: readonly StoredMail[]): Promise<void> {
  const pieces: Uint8Array[] = []
  for (const { id, rawKey, row } of mails) {
    if (row.body === null) continue
    assignBody(row.body, userId, id)
    const body = rawKey === null ? row.body : bodyWithKey(row.body, rawKey)
    const joined = joinedWith(pieces.at(-1), body)
    if (joined !== null) pieces.pop()
    pieces.push(joined ?? body)
  }
  if (pieces.length > 0) await copyRows(tx, `email_bodies ${BODY_COLUMNS}`, pieces)
}

/** Joins two byte ranges without copying if the second directly follows the first, as rows parsed together do. */
function joinedWith(first: Uint8Array | undefined, second: Uint8Array): Uint8Array | null {
  if (first?.buffer !== second.buffer || first.byteOffset + first.length !== second.byteOffset) return null
  return new Uint8Array(first.buffer, first.byteOffset, first.length + second.length)
}
