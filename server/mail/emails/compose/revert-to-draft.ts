import type { Context } from '../../../platform/context.ts'
import { publishMeetings, removeMeeting } from '../../../crm/meetings/meetings.ts'
import { removeDraftTrouble } from '../../mailboxes/mailboxes.ts'
import { draftAppendTime } from '../messages/draft-versions.ts'
import {
  changeMail,
  dropDelivery,
  type OwnMail,
  saveComposition,
  setDraftAppend,
} from './compositions-store.ts'
import { filesOf, setFiles } from '../content/uploads-store.ts'
import { snippetOf } from '../messages/summary.ts'
import type { Tx } from '../../../platform/database/handles.ts'
import { findComposition } from '../messages/store.ts'

/**
 * Turns a mail that has not been sent back into the draft that it was: its own text, without the quote. A meeting that
 * it would have arranged is removed. The caller has locked the mail and its delivery.
 */
export async function revertToDraft(context: Context, tx: Tx, userId: number, mail: OwnMail): Promise<void> {
  const composition = await findComposition(tx, userId, mail.id)
  await dropDelivery(tx, userId, mail.id)
  const now = context.clock.now()
  await changeMail(tx, userId, mail.id, { folder: 'drafts', purpose: 'compose', occurred_at: now })
  if (composition?.own_text != null) {
    const { own_text: text, own_html: html } = composition
    await changeMail(tx, userId, mail.id, { snippet: snippetOf(text) }, { text, html })
    const files = await filesOf(tx, userId, mail.id)
    await setFiles(
      tx,
      userId,
      mail.id,
      files.filter(({ isQuoted }) => !isQuoted),
    )
  }
  if (composition?.meeting_id != null && (await removeMeeting(tx, userId, composition.meeting_id)))
    await publishMeetings(context, tx, userId)
  await saveComposition(tx, userId, mail.id, { own_text: null, own_html: null, meeting_id: null })
  await scheduleDraftAppend(context, tx, userId, mail.id)
}

/**
 * Has a draft's newest state appended to the account's Drafts folder soon, or earlier if an append is due before. If the
 * server has refused it, the changed draft gets a fresh chance, and the pauses start again.
 */
export async function scheduleDraftAppend(
  context: Context,
  tx: Tx,
  userId: number,
  emailId: number,
): Promise<void> {
  await setDraftAppend(tx, userId, emailId, draftAppendTime(context.clock.now()))
  if (await removeDraftTrouble(tx, userId, emailId))
    await context.live.publish(tx, userId, { topic: 'mailboxes' })
}
