import type { Context } from '../../../platform/context.ts'
import { notFound } from '../../../platform/errors.ts'
import { addressKey } from '../../../formats/mail-text/addresses.ts'
import { EMAIL_NOT_FOUND } from '../messages/folders.ts'
import {
  type Composition,
  type EmailBodyRow,
  findComposition,
  findListed,
  type ListedEmail,
} from '../messages/store.ts'
import { type MailContent, readContent } from './mail-content.ts'
import { addTrustedSender, isTrustedSender, removeTrustedSender } from './trusted-senders-store.ts'
import { filesOf, type MailFile } from './uploads-store.ts'

/** A mail that a user opens, with everything that its page shows. */
export type OpenedEmail = {
  row: ListedEmail
  body: EmailBodyRow | undefined
  content: MailContent
  /** The sender's mails may load remote pictures. */
  remoteAllowed: boolean
  /** What is known besides the content of a mail that was written here. */
  composition: Composition | undefined
  /** The uploads of a mail that was written here. */
  files: readonly MailFile[]
}

/**
 * Reads one mail to be shown.
 *
 * @param signal takes what still waits to be read out of the queue
 * @throws Refusal 404 "Email not found"
 */
export async function openEmail(
  context: Context,
  userId: number,
  emailId: number,
  signal: AbortSignal,
): Promise<OpenedEmail> {
  const { db } = context
  const row = await findListed(db, userId, emailId)
  if (row === undefined) throw notFound(EMAIL_NOT_FOUND)
  const wasReceived = row.direction === 'in'
  const [composition, files] = await Promise.all([
    wasReceived ? undefined : findComposition(db, userId, row.id),
    wasReceived ? [] : filesOf(db, userId, row.id),
  ])
  const { body, content } = await readContent(context, row, composition, signal)
  const remoteAllowed = await isTrustedSender(db, userId, addressKey(row.from_address))
  return { row, body, content, remoteAllowed, composition, files }
}

/**
 * Loads remote pictures in all mails of this mail's sender without asking, or stops doing so. The sender of a mail in Spam
 * may be forged, so nobody is trusted from there.
 *
 * @throws Refusal 404
 */
export async function trustSender(
  context: Context,
  userId: number,
  emailId: number,
  trusted: boolean,
): Promise<void> {
  const row = await findListed(context.db, userId, emailId)
  if (row === undefined) throw notFound(EMAIL_NOT_FOUND)
  const key = addressKey(row.from_address)
  if (!trusted) await removeTrustedSender(context.db, userId, key)
  else if (key !== '' && row.folder !== 'spam')
    await addTrustedSender(context.db, userId, key, context.clock.now())
}
