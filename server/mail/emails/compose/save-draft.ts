import type { emails } from '#contract/mail/emails.ts'
import type { BodyOf } from '#contract/platform/endpoint.ts'
import { findUser } from '../../../accounts/auth/auth.ts'
import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { invalidInput, unauthenticated } from '../../../platform/errors.ts'
import { primaryMailbox, senderOf } from '../../mailboxes/mailboxes.ts'
import { changedContent, EMPTY_CONTENT } from './draft-content.ts'
import { listedMail } from './send-email.ts'
import { connectedMailbox } from './sender.ts'
import { findByMessageIds, type ListedEmail } from '../messages/store.ts'
import { scheduleDraftAppend } from './revert-to-draft.ts'
import { addDraft } from './store-message.ts'

const FIELDS_MISSING = 'Please fill in all required fields before saving draft'

/**
 * Saves a mail as a draft. With `autosave` any field may be empty.
 *
 * @throws Refusal 400 when recipient, subject or content is missing; 400 for files that are missing or too large
 */
export async function saveDraft(
  context: Context,
  userId: number,
  input: BodyOf<typeof emails.saveDraft>,
): Promise<ListedEmail> {
  if (input.autosave !== true) checkFields(input)
  const user = await findUser(context.db, userId)
  if (user === undefined) throw unauthenticated()
  const content = await changedContent(context.db, userId, EMPTY_CONTENT, input)
  const parent =
    content.inReplyTo === null
      ? undefined
      : (await findByMessageIds(context.db, userId, [content.inReplyTo]))[0]
  // An account that was disconnected meanwhile must not cost the words.
  const mailbox =
    (await connectedMailbox(context.db, userId, input.mailbox_id)) ??
    (await connectedMailbox(context.db, userId, parent?.mailbox_id)) ??
    (await primaryMailbox(context.db, userId))
  const id = await inTransaction(context.db, async (tx) => {
    const from = mailbox === undefined ? { name: user.name, address: user.email } : senderOf(mailbox, user)
    const added = await addDraft(context, tx, content, {
      userId,
      mailboxId: mailbox?.id ?? null,
      from,
      parent,
    })
    await scheduleDraftAppend(context, tx, userId, added)
    await context.live.publish(tx, userId, { topic: 'emails' })
    return added
  })
  return listedMail(context, userId, id)
}

function checkFields(input: BodyOf<typeof emails.saveDraft>): void {
  const missing = (['to', 'subject', 'content'] as const).filter(
    (field) => (input[field] ?? '').trim() === '',
  )
  if (missing.length === 0) return
  throw invalidInput(FIELDS_MISSING, Object.fromEntries(missing.map((field) => [field, FIELDS_MISSING])))
}
