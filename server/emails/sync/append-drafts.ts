import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { ImapFailure } from '../../gateways/imap.ts'
import { holdsMailbox } from '../../mailboxes/mailboxes.ts'
import { addPendingActions } from '../actions/actions-store.ts'
import {
  type DraftToAppend,
  draftsToAppend,
  moveDraftPlace,
  noteDraftRefused,
  settleDraft,
} from './draft-appends-store.ts'
import { renderRichMime } from '../content/render-rich-mime.ts'
import { checkPass, MailboxTaken, type SyncPass } from './sync-pass.ts'
import { findTargetFolder } from './find-target-folder.ts'
import { filingTime } from '../messages/draft-append-time.ts'
import type { Tx } from '../../database/handles.ts'

/** Drafts put there in one turn; the rest in the next. */
const AT_ONCE = 50
/** What the server refuses is tried again after this, this often. */
const AGAIN_MS = 5 * 60_000
const REFUSALS_MAX = 5

/**
 * Puts drafts that have changed into the account's Drafts folder, each in place of what was there of it. The new one is
 * added before the old one goes, and what an earlier attempt left behind is found by its Message-ID and goes too.
 *
 * @throws ImapFailure when the connection is lost; MailboxTaken
 */
export async function appendDrafts(turn: SyncPass): Promise<void> {
  const { context, mailbox } = turn
  const account = { userId: mailbox.user_id, mailboxId: mailbox.id }
  const due = await draftsToAppend(context.db, account, context.clock.now(), AT_ONCE)
  if (due.length === 0) return
  const path = await findTargetFolder(turn, 'drafts')
  for (const draft of due) {
    checkPass(turn)
    await fileOne(turn, path, draft)
  }
}

async function fileOne(turn: SyncPass, path: string, draft: DraftToAppend): Promise<void> {
  const { context, session } = turn
  turn.selected = null
  try {
    const older = await session.findByMessageId(path, draft.messageId)
    const raw = await composed(context, draft)
    // Open for writing: in a folder that is only looked at the marks would be left out.
    const { uidValidity } = await session.openFolder(path, false)
    const appended = await session.append(path, raw, ['\\Draft', '\\Seen'], draft.changedAt)
    if (older.length > 0) await session.expunge(older)
    const uid = appended.uid ?? (await session.findByMessageId(path, draft.messageId)).at(-1)
    await settle(turn, draft, { path, uidValidity, uid })
  } catch (error) {
    if (!(error instanceof ImapFailure) || error.kind !== 'refused' || !session.usable) throw error
    context.log.warn({ err: error, emailId: draft.emailId }, 'a draft could not be put into Drafts')
    const again = new Date(context.clock.now().getTime() + AGAIN_MS)
    await noteDraftRefused(context.db, draft, again, REFUSALS_MAX)
  }
}

async function composed(context: Context, draft: DraftToAppend): Promise<Buffer> {
  const { userId, emailId, messageId, toLine, subject, text, inReplyTo, changedAt } = draft
  const { raw } = await renderRichMime(
    context,
    { name: draft.fromName, address: draft.fromAddress },
    {
      userId,
      emailId,
      messageId,
      toLine,
      subject,
      text,
      date: changedAt,
      ...(inReplyTo === null ? {} : { inReplyTo, references: [inReplyTo] }),
      isDraft: true,
    },
  )
  return raw
}

/** Notes where the draft is now. One that was sent or thrown away meanwhile is taken out of the folder again. */
async function settle(
  { context, mailbox }: SyncPass,
  draft: DraftToAppend,
  place: { path: string; uidValidity: string; uid: number | undefined },
): Promise<void> {
  const { userId, emailId } = draft
  await inTransaction(context.db, async (tx: Tx) => {
    if (!(await holdsMailbox(tx, userId, mailbox.id, context.workerId))) throw new MailboxTaken()
    const now = context.clock.now()
    const folder = await moveDraftPlace(tx, draft, { mailboxId: mailbox.id, ...place })
    await settleDraft(tx, draft, filingTime(now))
    if (folder === 'drafts') return
    await addPendingActions(tx, userId, {
      ids: [emailId],
      mailboxIds: [mailbox.id],
      told: { moved: true },
      now,
    })
  })
}
