import type { Context } from '../../context.ts'
import { ImapFailure } from '../../gateways/imap.ts'
import { addPendingActions } from '../actions/actions-store.ts'
import {
  type DraftToAppend,
  draftsToAppend,
  moveDraftLocation,
  noteDraftAppended,
  postponeDraft,
  stillDrafts,
} from './draft-appends-store.ts'
import { renderRichMime } from '../content/render-rich-mime.ts'
import { accountOf, checkPass, deselect, selectForWriting, type SyncPass, whileHeld } from './sync-pass.ts'
import { isLost } from './fetch-messages.ts'
import { findTargetFolder } from './find-target-folder.ts'
import { ITEM_GROWTH } from './poll-intervals.ts'
import { clearTrouble, noteTrouble, reasonOf } from './put-aside.ts'
import { draftAppendTime } from '../messages/draft-append-time.ts'

/** Drafts appended in one pass; the rest follow in the next. */
const AT_ONCE = 50

/**
 * Appends changed drafts to the account's Drafts folder, each replacing its older copies. The new copy is added before
 * the old ones are removed. Copies that an earlier attempt left behind are found by their Message-ID and removed too.
 *
 * @throws ImapFailure when the connection is lost; MailboxTaken
 */
export async function appendDrafts(pass: SyncPass): Promise<void> {
  const { context } = pass
  await forgetFormerDrafts(pass)
  const due = await draftsToAppend(context.db, accountOf(pass), context.clock.now(), AT_ONCE)
  if (due.length === 0) return
  const path = await findTargetFolder(pass, 'drafts')
  for (const draft of due) {
    checkPass(pass)
    await appendOne(pass, path, draft)
  }
}

async function appendOne(pass: SyncPass, path: string, draft: DraftToAppend): Promise<void> {
  const { context, session } = pass
  deselect(pass)
  try {
    const older = await session.findByMessageId(path, draft.messageId)
    const raw = await rendered(context, draft)
    const { uidValidity } = await selectForWriting(pass, path)
    const appended = await session.append(path, raw, ['\\Draft', '\\Seen'], draft.changedAt)
    if (older.length > 0) await session.expunge(older)
    const uid = appended.uid ?? (await session.findByMessageId(path, draft.messageId)).at(-1)
    await noteAppended(pass, draft, { path, uidValidity, uid })
    await clearTrouble(pass, { kind: 'draft', emailId: draft.emailId })
  } catch (error) {
    if (!(error instanceof ImapFailure) || isLost(pass, error) || error.kind === 'later') throw error
    context.log.warn({ err: error, emailId: draft.emailId }, 'a draft could not be appended to Drafts')
    const about = { kind: 'draft', emailId: draft.emailId } as const
    await postponeDraft(context.db, draft, await noteTrouble(pass, about, reasonOf(error), ITEM_GROWTH))
  }
}

/** A draft that was sent or discarded is no trouble any more. */
async function forgetFormerDrafts(pass: SyncPass): Promise<void> {
  const troubled = [...pass.troubles.values()].flatMap(({ kind, email_id: id }) =>
    kind === 'draft' && id !== null ? [id] : [],
  )
  if (troubled.length === 0) return
  const drafts = await stillDrafts(pass.context.db, accountOf(pass), troubled)
  for (const emailId of troubled)
    if (!drafts.has(emailId)) await clearTrouble(pass, { kind: 'draft', emailId })
}

async function rendered(context: Context, draft: DraftToAppend): Promise<Buffer> {
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

/**
 * Records where the draft is now. If it was sent, discarded or moved to another account in the meantime, it is removed
 * from the folder again.
 */
async function noteAppended(
  pass: SyncPass,
  draft: DraftToAppend,
  location: { path: string; uidValidity: string; uid: number | undefined },
): Promise<void> {
  const { context } = pass
  const { userId, mailboxId } = accountOf(pass)
  const { emailId } = draft
  await whileHeld(pass, async (tx) => {
    const now = context.clock.now()
    const isStillDraft = await moveDraftLocation(tx, draft, { mailboxId, ...location })
    await noteDraftAppended(tx, draft, draftAppendTime(now))
    if (isStillDraft) return
    await addPendingActions(tx, userId, {
      ids: [emailId],
      mailboxIds: [mailboxId],
      changed: { moved: true },
      now,
    })
  })
}
