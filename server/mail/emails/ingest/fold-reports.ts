import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/handles.ts'
import { hasImap, mailboxesOf } from '../../mailboxes/mailboxes.ts'
import { enqueueImapActions } from '../actions/enqueue-imap-actions.ts'
import { foldUnderReports, markReadInInbox } from './ingest-store.ts'
import type { MailFacts } from './incoming-message.ts'

/** Older reports stay unread: what an account had before is left as it was. */
const NEW_FOR_MS = 3 * 86_400_000

/**
 * Folds delivery reports that were understood into one row of the inbox. New ones that name a mail of the user's are marked
 * read, on the mail server too: the contact says what they say, and the number of unread mails is the same in every mail
 * program. Of the others nothing else follows, so the user has to read them.
 */
export async function foldReports(
  context: Context,
  tx: Tx,
  userId: number,
  reports: readonly { id: number; mail: MailFacts; isProven: boolean }[],
): Promise<void> {
  if (reports.length === 0) return
  const now = context.clock.now()
  await foldUnderReports(
    tx,
    userId,
    reports.map(({ id }) => id),
  )
  const news = reports.filter(
    ({ mail, isProven }) => isProven && now.getTime() - mail.receivedAt.getTime() < NEW_FOR_MS,
  )
  const ids = await markReadInInbox(
    tx,
    userId,
    news.map(({ id }) => id),
  )
  if (ids.length === 0) return
  const mailboxIds = (await mailboxesOf(tx, userId)).filter(hasImap).map(({ id }) => id)
  await enqueueImapActions(context, tx, { userId, ids, mailboxIds, changed: { read: true } })
}
