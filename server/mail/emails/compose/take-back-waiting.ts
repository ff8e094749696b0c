import { counted } from '#contract/platform/counted.ts'
import type { Cleared } from '../../../accounts/auth/auth.ts'
import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/handles.ts'
import { forgetTrustedSenders } from '../content/trusted-senders-store.ts'
import { isUnsent } from './cancel-email.ts'
import { lockOwnMail, waitingMails } from './compositions-store.ts'
import { revertToDraft } from './revert-to-draft.ts'

/**
 * Mails may have been set up by a stranger: what is scheduled or waits to leave becomes a draft again, and no sender's
 * pictures load unasked. Mails of runs and sequences are held with those.
 */
export async function takeBackWaiting(context: Context, tx: Tx, userId: number): Promise<Cleared> {
  const told: string[] = []
  let drafts = 0
  for (const id of await waitingMails(tx, userId)) {
    const mail = await lockOwnMail(tx, userId, id)
    // It was committed meanwhile, and leaves.
    if (mail === undefined || !isUnsent(mail)) continue
    await revertToDraft(context, tx, userId, mail)
    drafts += 1
  }
  if (drafts > 0)
    told.push(
      `${counted(drafts, 'email waiting to be sent is a draft', 'emails waiting to be sent are drafts')} again.`,
    )
  if (await forgetTrustedSenders(tx, userId))
    told.push('Pictures in emails load only when you ask, from every sender.')
  await context.live.publish(tx, userId, { topic: 'emails' })
  return { told }
}
