import { Readable } from 'node:stream'
import type { Context } from '../../../platform/context.ts'
import { storeFile } from '../content/upload-file.ts'
import { addUpload } from '../content/uploads-store.ts'
import type { ListedEmail } from '../messages/store.ts'
import { EMPTY_CONTENT } from './draft-content.ts'
import { type Caller, sendDraftContent, type SendOptions } from './send-email.ts'

/** A mail that another domain has put together, with files of its own. */
export type PreparedMail = {
  to: string
  cc: string
  subject: string
  text: string
  /** Message-ID of the mail that it answers. */
  inReplyTo: string | null
  files: readonly { name: string; bytes: Buffer }[]
}

/** How it is sent: `draftId` is the draft whose place it takes. */
export type PreparedOptions = Pick<
  SendOptions,
  'undoSeconds' | 'isQueued' | 'draftId' | 'mailboxId' | 'purpose' | 'withinTransaction'
>

/**
 * Sends a mail of another domain through the same door as those written in Compose: the same checks, transaction, Undo and
 * delivery. Its files are stored first; those of a mail that does not come about are purged after a day.
 *
 * @throws Refusal as `sendDraftContent`
 */
export async function sendPrepared(
  context: Context,
  caller: Caller,
  mail: PreparedMail,
  options: PreparedOptions,
): Promise<ListedEmail> {
  const attachments: number[] = []
  for (const { name, bytes } of mail.files) {
    const stored = await storeFile(context, caller.id, name, Readable.from([bytes]))
    const { id } = await addUpload(context.db, caller.id, stored)
    attachments.push(id)
  }
  const { to, cc, subject, text: content, inReplyTo: in_reply_to } = mail
  const input = { to, cc, subject, content, in_reply_to, attachments }
  return sendDraftContent(context, caller, EMPTY_CONTENT, input, options)
}
