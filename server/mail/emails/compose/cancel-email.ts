import { counted } from '#contract/platform/counted.ts'
import type { Cleared } from '../../../accounts/auth/auth.ts'
import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/handles.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { revertToDraft } from './revert-to-draft.ts'
import { forgetTrustedSenders } from '../content/trusted-senders-store.ts'
import { lockOwnMail, type OwnMail, waitingMails } from './compositions-store.ts'
import { HAS_LEFT } from './discard-draft.ts'
import { EMAIL_NOT_FOUND } from '../messages/folders.ts'
import { listedMail } from './send-email.ts'
import type { ListedEmail } from '../messages/store.ts'
import type { DeliveryState } from '../tables.ts'

/** In these states the SMTP server has not been told to accept the mail. A worker that has claimed it finds its claim gone. */
const UNSENT_STATES: ReadonlySet<DeliveryState> = new Set(['queued', 'claimed', 'deferred', 'failed'])

/**
 * Turns a mail that is scheduled, can still be undone, or was never accepted by the server back into a draft. If it is
 * being sent at the same time, exactly one of the two wins. A draft stays a draft.
 *
 * @throws Refusal 404; 409 when it has been sent, may have been sent, or belongs to a run
 */
export async function cancelEmail(context: Context, userId: number, id: number): Promise<ListedEmail> {
  await inTransaction(context.db, async (tx) => {
    const mail = await lockOwnMail(tx, userId, id)
    if (mail === undefined || mail.folder === 'deleted') throw notFound(EMAIL_NOT_FOUND)
    if (mail.folder === 'drafts') return
    checkUnsent(mail)
    await revertToDraft(context, tx, userId, mail)
    await context.live.publish(tx, userId, { topic: 'emails' })
  })
  return listedMail(context, userId, id)
}

/** True for a mail that is scheduled, or that no server has been told to accept. */
function isUnsent({ folder, delivery }: Pick<OwnMail, 'folder' | 'delivery'>): boolean {
  if (folder === 'scheduled') return true
  return folder === 'sent' && delivery !== null && UNSENT_STATES.has(delivery.state) && delivery.resends === 0
}

function checkUnsent(mail: OwnMail): void {
  const { delivery } = mail
  if (delivery?.state === 'unsure') throw conflict('Howl is still checking whether this email was sent.')
  if (!isUnsent(mail)) throw conflict(HAS_LEFT)
  if (delivery !== null && delivery.group_id !== null)
    throw conflict('This email belongs to a run. Pause or cancel the run instead.')
}

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
