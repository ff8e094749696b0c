import type { Context } from '../../../platform/context.ts'
import {
  addressKey,
  formatAddress,
  isSendable,
  parseAddressList,
} from '../../../formats/mail-text/addresses.ts'
import { mintMessageId } from '../../../formats/mail-text/compose.ts'
import { cutText, oneLine } from '../../../platform/text.ts'
import type { Recipients } from './check-recipients.ts'
import { type BodyChanges, changeMail, type MailChanges, saveComposition } from './compositions-store.ts'
import type { CompleteMessage } from './complete-message.ts'
import { type DraftContent, missingFile } from './draft-content.ts'
import { enqueueEmails, type EnqueueOptions } from '../delivery/enqueue-emails.ts'
import { addEmails, type EmailRow, takeEmailIds } from '../messages/store.ts'
import { setFiles } from '../content/uploads-store.ts'
import { collapseKey, snippetOf } from '../messages/summary.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/** The longest address line of a draft, which may hold anything. */
const MAX_LINE_CHARS = 20_000

/**
 * Stores a complete message in the caller's transaction, to be sent now or when it is scheduled.
 *
 * @throws Refusal 400 when one of its files has been deleted in the meantime
 */
export async function enqueueMessage(
  context: Context,
  tx: Tx,
  message: CompleteMessage,
  recipients: Recipients,
  options: EnqueueOptions,
): Promise<number> {
  const { body, threading } = message
  const { threadId, ...rest } = threading
  const [id = 0] = await enqueueEmails(context, tx, options, [
    {
      to: recipients.to,
      recipients: recipients.envelope,
      subject: message.subject,
      text: body.text,
      ...rest,
      ...(threadId === undefined ? {} : { threadId }),
    },
  ])
  await storeContent(tx, options.userId, id, message, recipients)
  return id
}

/** Replaces the content, headers and recipients of a stored mail by those of a complete message. */
export async function rewriteMessage(
  tx: Tx,
  userId: number,
  id: number,
  message: CompleteMessage,
  recipients: Recipients,
  from: { name: string; address: string },
): Promise<void> {
  const { body, threading } = message
  const mail: MailChanges = {
    purpose: threading.purpose,
    to_line: recipients.to,
    correspondent_key: addressKey(recipients.envelope[0] ?? ''),
    subject: message.subject,
    snippet: snippetOf(body.text),
    collapse_key: collapseKey(from.address, message.subject),
    in_reply_to: threading.inReplyTo,
    reference_ids: threading.references,
    from_name: from.name,
    from_address: from.address,
    size: Buffer.byteLength(body.text),
    ...(threading.threadId === undefined ? {} : { thread_id: threading.threadId }),
  }
  await changeMail(tx, userId, id, mail, { text: body.text, raw: null, raw_key: null })
  await storeContent(tx, userId, id, message, recipients)
}

async function storeContent(
  tx: Tx,
  userId: number,
  id: number,
  message: CompleteMessage,
  recipients: Recipients,
): Promise<void> {
  const { body } = message
  const { html } = body
  await changeMail(tx, userId, id, {}, { html, cc_line: recipients.cc, bcc_line: recipients.bcc })
  if ((await setFiles(tx, userId, id, body.files)) < body.files.length) throw missingFile()
  const isQuoted = message.quoteOf !== null || message.forwardOf !== null
  await saveComposition(tx, userId, id, {
    own_text: isQuoted ? message.text : null,
    own_html: isQuoted ? message.html : null,
    quote_of: message.quoteOf,
    forward_of: message.forwardOf,
  })
}

/** Adds a draft. */
export async function addDraft(
  context: Context,
  tx: Tx,
  content: DraftContent,
  of: {
    userId: number
    mailboxId: number | null
    from: { name: string; address: string }
    parent?: EmailRow | undefined
  },
): Promise<number> {
  const now = context.clock.now()
  const [id = 0] = await takeEmailIds(tx, 1)
  const { userId, from } = of
  await addEmails(
    tx,
    [
      {
        user_id: userId,
        id,
        mailbox_id: of.mailboxId,
        direction: 'out',
        folder: 'drafts',
        original_folder: null,
        purpose: 'compose',
        intent: null,
        message_id: mintMessageId(from.address),
        thread_id: of.parent?.thread_id ?? id,
        in_reply_to: content.inReplyTo,
        from_name: from.name,
        from_address: from.address,
        is_read: true,
        occurred_at: now,
        schedule_at: null,
        created_at: now,
      },
    ],
    [{ user_id: userId, email_id: id, text: '' }],
  )
  await writeDraft(tx, userId, id, content, from.address)
  return id
}

/** Replaces the content of a draft. */
export async function writeDraft(
  tx: Tx,
  userId: number,
  id: number,
  content: DraftContent,
  fromAddress: string,
  more: MailChanges = {},
): Promise<void> {
  const subject = oneLine(content.subject)
  const mail: MailChanges = {
    purpose: 'compose',
    to_line: line(content.to),
    correspondent_key: firstKey(content.to),
    subject,
    snippet: snippetOf(content.text),
    collapse_key: collapseKey(fromAddress, subject),
    in_reply_to: content.inReplyTo,
    size: Buffer.byteLength(content.text),
    ...more,
  }
  const body: BodyChanges = {
    text: content.text,
    html: content.html,
    cc_line: line(content.cc),
    bcc_line: line(content.bcc),
    raw: null,
    raw_key: null,
  }
  await changeMail(tx, userId, id, mail, body)
  await saveComposition(tx, userId, id, {
    own_text: null,
    own_html: null,
    quote_of: content.quoteOf,
    forward_of: content.forwardOf,
  })
  if ((await setFiles(tx, userId, id, content.files)) < content.files.length) throw missingFile()
}

/** An address line as it was typed; if every address in it is valid, in the usual form. */
function line(typed: string): string {
  const plain = cutText(oneLine(typed), MAX_LINE_CHARS)
  const entries = parseAddressList(plain)
  return entries.length > 0 && entries.every(({ address }) => isSendable(address))
    ? entries.map(formatAddress).join(', ')
    : plain
}

function firstKey(typed: string): string {
  const first = parseAddressList(oneLine(typed))[0]
  return first !== undefined && isSendable(first.address) ? addressKey(first.address) : ''
}
