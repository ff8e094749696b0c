import type { Context } from '../../context.ts'
import { ImapFailure } from '../../gateways/imap.ts'
import { addPendingActions } from '../actions/actions-store.ts'
import {
  type DraftToAppend,
  draftsToAppend,
  moveDraftLocation,
  noteDraftRefused,
  noteDraftAppended,
} from './draft-appends-store.ts'
import { renderRichMime } from '../content/render-rich-mime.ts'
import { accountOf, checkPass, deselect, selectForWriting, type SyncPass, whileHeld } from './sync-pass.ts'
import { findTargetFolder } from './find-target-folder.ts'
import { draftAppendTime } from '../messages/draft-append-time.ts'

/** Drafts appended in one pass; the rest follow in the next. */
const AT_ONCE = 50
/** A draft that the server refuses is tried again after this long, this many times in all. */
const AGAIN_MS = 5 * 60_000
const REFUSALS_MAX = 5

/**
 * Appends changed drafts to the account's Drafts folder, each replacing its older copies. The new copy is added before
 * the old ones are removed. Copies that an earlier attempt left behind are found by their Message-ID and removed too.
 *
 * @throws ImapFailure when the connection is lost; MailboxTaken
 */
export async function appendDrafts(pass: SyncPass): Promise<void> {
  const { context } = pass
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
  } catch (error) {
    if (!(error instanceof ImapFailure) || error.kind !== 'refused' || !session.usable) throw error
    context.log.warn({ err: error, emailId: draft.emailId }, 'a draft could not be appended to Drafts')
    const again = new Date(context.clock.now().getTime() + AGAIN_MS)
    await noteDraftRefused(context.db, draft, again, REFUSALS_MAX)
  }
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
