import { findUser } from '../../../accounts/auth/auth.ts'
import type { Context } from '../../../platform/context.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { served, type ServedFile } from '../../../platform/http/served-file.ts'
import { mailbox as findMailbox, senderOf } from '../../mailboxes/mailboxes.ts'
import { UnsendableAddress } from '../../../formats/mail-text/compose.ts'
import { mimeRenderer } from './render-mime.ts'
import { readRaw } from './read-attachment.ts'
import { type EmailBodyRow, findBodyRow, findListed, type ListedEmail } from '../messages/store.ts'

/**
 * The source of a mail as it was received or is sent (RFC 5322), as plain text, so that a browser cannot render it.
 *
 * @throws Refusal 404, also while only the envelope has been fetched; 409 when an address that it needs is missing
 */
export async function readSource(context: Context, userId: number, emailId: number): Promise<ServedFile> {
  const row = await findListed(context.db, userId, emailId)
  if (row === undefined) throw notFound('Email not found')
  const body = await findBodyRow(context.db, userId, emailId)
  const raw =
    body === undefined ? null : ((await readRaw(context, body)) ?? (await renderOwnMail(context, row, body)))
  if (raw === null) throw notFound('The source of this email has not been downloaded yet.')
  return served('inline', `${emailId}.eml`, 'text/plain; charset=utf-8', Buffer.from(raw))
}

/** Renders a mail that was written here from its row, always to the same bytes; null for other mails. */
async function renderOwnMail(context: Context, row: ListedEmail, body: EmailBodyRow): Promise<Buffer | null> {
  const { user_id: userId, mailbox_id: mailboxId, purpose } = row
  if (row.direction !== 'out' || mailboxId === null || purpose === null) return null
  const [mailbox, user] = await Promise.all([
    findMailbox(context.db, userId, mailboxId),
    findUser(context.db, userId),
  ])
  if (mailbox === undefined || user === undefined) return null
  // The sender as of writing: the account may have another address by now, or none.
  const from =
    row.from_address === '' ? senderOf(mailbox, user) : { name: row.from_name, address: row.from_address }
  const { raw } = await mimeRenderer(
    context,
    from,
  )({
    userId,
    emailId: row.id,
    purpose,
    messageId: row.message_id,
    inReplyTo: row.in_reply_to,
    references: row.reference_ids,
    recipients: [row.correspondent_key],
    toLine: row.to_line,
    subject: row.subject,
    text: body.text,
    isRich: row.folder === 'drafts' || body.html !== null || body.cc_line !== '' || body.files.length > 0,
    writtenAt: row.created_at,
  }).catch(refuseUnsendable)
  return raw
}

function refuseUnsendable(error: unknown): never {
  if (!(error instanceof UnsendableAddress)) throw error
  throw conflict('This email has no source: an address that it needs is missing.')
}
