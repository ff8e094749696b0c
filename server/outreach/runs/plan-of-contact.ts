import { type Plan, standingOf } from '../automatic-mail/automatic-mail.ts'
import { repliedSince } from '../../mail/emails/emails.ts'
import { mailedBefore } from './list-contacts.ts'
import { findPending } from './store.ts'

/** What a run that is under way has planned for a contact. */
export const planOfRun: Plan = async (context, { userId, contactId, addressKey: key }) => {
  const pending = await findPending(context.db, userId, contactId)
  if (pending === undefined) return null
  // The run leaves out whoever had a mail or answered while it waits; it marks them only when their turn comes.
  const [mailed, replied] = await Promise.all([
    mailedBefore(context, context.db, userId, [key], pending),
    repliedSince(context.db, userId, [key], pending.started_at),
  ])
  if (mailed.has(key) || replied.has(key)) return null
  if (pending.state === 'paused') return { sentence: 'Your run writes to them once you resume it.', at: null }
  const standing = await standingOf(context, context.db, { userId, mailboxId: pending.mailbox_id })
  const until = standing?.refused?.until ?? null
  return until === null
    ? { sentence: 'Your run that is under way writes to them.', at: null }
    : { sentence: 'Your run goes on then, and writes to them.', at: until }
}
