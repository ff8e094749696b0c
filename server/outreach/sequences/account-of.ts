import type { Queryable } from '../../platform/database/handles.ts'
import { connectedMailbox } from '../../mail/emails/emails.ts'
import { isConfigured, type Mailbox, primaryMailbox } from '../../mail/mailboxes/mailboxes.ts'
import type { SequenceRow } from './store.ts'

/**
 * The account that a sequence sends through: the chosen one, or the one in use if none was chosen. A chosen one that is
 * disconnected is not replaced: nobody is to hear from an address that was not chosen. During practice nothing but practice is
 * sent, and what was begun in practice never reaches real people.
 */
export async function accountOf(
  db: Queryable,
  { user_id: userId, mailbox_id: chosen }: Pick<SequenceRow, 'user_id' | 'mailbox_id'>,
): Promise<Mailbox | undefined> {
  const inUse = await primaryMailbox(db, userId)
  const mailbox =
    chosen === null || inUse?.is_practice === true ? inUse : await connectedMailbox(db, userId, chosen)
  return isConfigured(mailbox) ? mailbox : undefined
}
