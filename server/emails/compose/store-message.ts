import type { Context } from '../../context.ts'
import { addressKey, formatAddress, isSendable, parseAddressList } from '../../mail/addresses.ts'
import { mintMessageId } from '../../mail/compose.ts'
import { cutText, oneLine } from '../../mail/words.ts'
import type { Recipients } from './check-recipients.ts'
import { type BodyChanges, changeMail, type MailChanges, saveComposition } from './compositions-store.ts'
import type { CompleteMessage } from './complete-message.ts'
import { type DraftContent, missingFile } from './draft-content.ts'
import { enqueueEmails, type EnqueueOptions } from '../delivery/enqueue-emails.ts'
import { addEmails, type FoundMail, takeEmailIds } from '../messages/store.ts'
import { setFiles } from '../content/uploads-store.ts'
import { collapseKey, snippetOf } from '../messages/summary.ts'
import type { Tx } from '../../database/handles.ts'

/** An address line of a draft, which may hold anything. */
const MAX_LINE_CHARS = 20_000

/**
 * Writes a finished letter down in the caller's transaction: on its way, or scheduled.
 *
 * @throws Refusal 400 when one of its files has gone meanwhile
 */
export async function enqueueMessage(
  context: Context,
  tx: Tx,
  letter: CompleteMessage,
  recipients: Recipients,
  options: EnqueueOptions,
): Promise<number> {
  const { whole, answering } = letter
  const { threadId, ...rest } = answering
  const [id = 0] = await enqueueEmails(context, tx, options, [
    {
      to: recipients.to,
      recipients: recipients.envelope,
      subject: letter.subject,
      text: whole.text,
      ...rest,
      ...(threadId === undefined ? {} : { threadId }),
    },
  ])
  await writeParts(tx, options.userId, id, letter, recipients)
  return id
}

/** Gives a mail that is there already the words, headers and recipients of a finished letter. */
export async function rewriteMessage(
  tx: Tx,
  userId: number,
  id: number,
  letter: CompleteMessage,
  recipients: Recipients,
  from: { name: string; address: string },
): Promise<void> {
  const { whole, answering } = letter
  const mail: MailChanges = {
    purpose: answering.purpose,
    to_line: recipients.to,
    correspondent_key: addressKey(recipients.envelope[0] ?? ''),
    subject: letter.subject,
    snippet: snippetOf(whole.text),
    collapse_key: collapseKey(from.address, letter.subject),
    in_reply_to: answering.inReplyTo,
    reference_ids: answering.references,
    from_name: from.name,
    from_address: from.address,
    size: Buffer.byteLength(whole.text),
    ...(answering.threadId === undefined ? {} : { thread_id: answering.threadId }),
  }
  await changeMail(tx, userId, id, mail, { text: whole.text, raw: null, raw_key: null })
  await writeParts(tx, userId, id, letter, recipients)
}

async function writeParts(
  tx: Tx,
  userId: number,
  id: number,
  letter: CompleteMessage,
  recipients: Recipients,
): Promise<void> {
  const { whole } = letter
  const { html } = whole
  await changeMail(tx, userId, id, {}, { html, cc_line: recipients.cc, bcc_line: recipients.bcc })
  if ((await setFiles(tx, userId, id, whole.files)) < whole.files.length) throw missingFile()
  const isQuoted = letter.quoteOf !== null || letter.forwardOf !== null
  await saveComposition(tx, userId, id, {
    own_text: isQuoted ? letter.text : null,
    own_html: isQuoted ? letter.html : null,
    quote_of: letter.quoteOf,
    forward_of: letter.forwardOf,
  })
}

/** Adds a letter that is not finished to the drafts. */
export async function addDraft(
  context: Context,
  tx: Tx,
  letter: DraftContent,
  of: {
    userId: number
    mailboxId: number | null
    from: { name: string; address: string }
    parent?: FoundMail | undefined
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
        in_reply_to: letter.inReplyTo,
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
  await writeDraft(tx, userId, id, letter, from.address)
  return id
}

/** Gives a draft the words, files and recipients of a letter that is not finished. */
export async function writeDraft(
  tx: Tx,
  userId: number,
  id: number,
  letter: DraftContent,
  fromAddress: string,
  more: MailChanges = {},
): Promise<void> {
  const subject = oneLine(letter.subject)
  const mail: MailChanges = {
    purpose: 'compose',
    to_line: line(letter.to),
    correspondent_key: firstKey(letter.to),
    subject,
    snippet: snippetOf(letter.text),
    collapse_key: collapseKey(fromAddress, subject),
    in_reply_to: letter.inReplyTo,
    size: Buffer.byteLength(letter.text),
    ...more,
  }
  const body: BodyChanges = {
    text: letter.text,
    html: letter.html,
    cc_line: line(letter.cc),
    bcc_line: line(letter.bcc),
    raw: null,
    raw_key: null,
  }
  await changeMail(tx, userId, id, mail, body)
  await saveComposition(tx, userId, id, {
    own_text: null,
    own_html: null,
    quote_of: letter.quoteOf,
    forward_of: letter.forwardOf,
  })
  if ((await setFiles(tx, userId, id, letter.files)) < letter.files.length) throw missingFile()
}

/** An address line as it was typed; addresses that can be read are written the usual way. */
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
