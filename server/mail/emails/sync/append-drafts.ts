import type { Context } from '../../../platform/context.ts'
import { addPendingActions } from '../actions/actions-store.ts'
import {
  addDraftLocation,
  type DraftToAppend,
  draftsToAppend,
  moveDraftLocation,
  noteDraftAppended,
  noteDraftVersion,
  postponeDraft,
  stillDrafts,
} from './draft-appends-store.ts'
import { renderRichMime } from '../content/render-rich-mime.ts'
import { accountOf, checkPass, deselect, selectForWriting, type SyncPass, whileHeld } from './sync-pass.ts'
import { findTargetFolder } from './find-target-folder.ts'
import { ITEM_GROWTH } from './poll-intervals.ts'
import { clearTrouble, isOfItem, type LaterItems, noteTrouble, reasonOf, troubleWith } from './put-aside.ts'
import { messageIds, parseMail, UnreadableMail } from '../../../formats/mail-text/parse.ts'
import { type Content, contentsOf } from '../ingest/copies-store.ts'
import { filesLine } from '../ingest/incoming-message.ts'
import { draftDigest } from '../ingest/mail-digest.ts'
import { draftAppendTime, isSameContent, mayBeVersion, recipientsLine } from '../messages/draft-versions.ts'
import { emailsAt } from '../messages/locations-store.ts'

/** Drafts appended in one pass; the rest follow in the next. */
const AT_ONCE = 50

/**
 * Appends changed drafts to the account's Drafts folder, each replacing its older copies. The new copy is added before
 * the old ones are removed. What another program made of the draft under its Message-ID is not touched.
 *
 * @throws ImapFailure when the connection is lost; MailboxTaken
 */
export async function appendDrafts(pass: SyncPass): Promise<void> {
  const { context } = pass
  await forgetFormerDrafts(pass)
  const due = await draftsToAppend(context.db, accountOf(pass), context.clock.now(), AT_ONCE)
  if (due.length === 0) return
  const path = await findTargetFolder(pass, 'drafts')
  const later: LaterItems = { inARow: 0 }
  for (const draft of due) {
    checkPass(pass)
    await appendOne(pass, path, draft, later)
  }
}

async function appendOne(
  pass: SyncPass,
  path: string,
  draft: DraftToAppend,
  later: LaterItems,
): Promise<void> {
  const { context } = pass
  deselect(pass)
  try {
    await replaceCopies(pass, path, draft)
    later.inARow = 0
    await clearTrouble(pass, { kind: 'draft', emailId: draft.emailId })
  } catch (error) {
    if (!isOfItem(pass, error, later)) throw error
    context.log.warn({ err: error, emailId: draft.emailId }, 'a draft could not be appended to Drafts')
    const about = { kind: 'draft', emailId: draft.emailId } as const
    await postponeDraft(context.db, draft, await noteTrouble(pass, about, reasonOf(error), ITEM_GROWTH))
  }
}

/** Appends the draft unless an earlier attempt has, and removes its older copies. */
async function replaceCopies(pass: SyncPass, path: string, draft: DraftToAppend): Promise<void> {
  const { context, session } = pass
  const raw = await rendered(context, draft)
  const digest = draftDigest(raw)
  const newest = async () => (await session.findByMessageId(path, draft.messageId)).at(-1)
  const found = await session.findByMessageId(path, draft.messageId)
  const { uidValidity, hasLastingUids } = await selectForWriting(pass, path)
  const at = { ...accountOf(pass), path, uidValidity }
  const verified = await verifiedCopies(pass, draft, found)
  const uids = verified.map(({ uid }) => uid)
  // Where UIDs do not last, one may be another message's by now.
  const owners = hasLastingUids ? await emailsAt(context.db, at, uids) : new Map<number, number>()
  const hasFailed = troubleWith(pass, { kind: 'draft', emailId: draft.emailId }) !== undefined
  const copies = await ownCopies(pass, draft, { digest, verified, owners, hasFailed })
  let uid = hasFailed ? copies.findLast(({ isThis }) => isThis)?.uid : undefined
  const older = copies.map((copy) => copy.uid).filter((copy) => copy !== uid)
  if (uid === undefined) {
    await whileHeld(pass, (tx) => noteDraftVersion(tx, draft, digest))
    const appended = await session.append(path, raw, ['\\Draft', '\\Seen'], draft.changedAt)
    uid = appended.uid ?? (await newest())
    // The older copies stay known until they are removed, so that none is taken for another draft.
    await whileHeld(pass, (tx) => addDraftLocation(tx, draft, { ...at, uid }))
    await selectForWriting(pass, path)
  }
  if (older.length > 0) await session.expunge(older)
  if (!hasLastingUids) uid = await newest()
  await noteAppended(pass, draft, { path, uidValidity, uid })
}

type Verified = { uid: number; mayBeThis: boolean }

/** The copies that have this draft's Message-ID, whatever the server's SEARCH has found; the oldest first. */
async function verifiedCopies(
  { session }: SyncPass,
  { messageId, changedAt, subject }: DraftToAppend,
  uids: readonly number[],
): Promise<Verified[]> {
  if (uids.length === 0) return []
  const rows = await Array.fromAsync(session.envelopesOf(uids))
  return rows
    .filter(({ envelope }) => messageIds(envelope?.messageId ?? '')[0] === messageId)
    .map(({ uid, envelope }) => ({
      uid,
      mayBeThis: mayBeVersion(
        { date: envelope?.date ?? new Date(0), subject: envelope?.subject ?? '' },
        { date: changedAt, subject },
      ),
    }))
    .toSorted((one, other) => one.uid - other.uid)
}

type Copies = {
  /** Of this version. */
  digest: string
  verified: readonly Verified[]
  /** The messages that these were read as. */
  owners: ReadonlyMap<number, number>
  /** One of them may be of this version. */
  hasFailed: boolean
}

/** Those copies that are of one of our versions, and not what another program has made of the draft. */
async function ownCopies(
  { context, session }: SyncPass,
  draft: DraftToAppend,
  { digest, verified, owners, hasFailed }: Copies,
): Promise<{ uid: number; isThis: boolean }[]> {
  const isKnown = (uid: number) => owners.get(uid) === draft.emailId
  const fetched = new Map(
    verified
      .filter(({ uid }) => !owners.has(uid) || (hasFailed && isKnown(uid)))
      .map(({ uid, mayBeThis }) => [uid, mayBeThis]),
  )
  const own = verified.flatMap(({ uid }) =>
    isKnown(uid) && !fetched.has(uid) ? [{ uid, isThis: false }] : [],
  )
  if (fetched.size === 0) return own
  const content = (await contentsOf(context.db, draft.userId, [draft.emailId])).get(draft.emailId)
  for await (const { uid, raw } of session.fetchRaw([...fetched.keys()])) {
    if (raw === null) continue
    const copy = draftDigest(raw)
    const isOlder = copy !== digest && draft.versions.includes(copy)
    const isThis =
      !isOlder && (copy === digest || (fetched.get(uid) === true && (await hasContent(raw, content))))
    if (isThis || isOlder || isKnown(uid)) own.push({ uid, isThis })
  }
  return own.toSorted((one, other) => one.uid - other.uid)
}

/** A server may have encoded it in another way. */
async function hasContent(raw: Buffer, content: Content | undefined): Promise<boolean> {
  try {
    const { text, to, cc, bcc, attachments } = await parseMail(raw)
    const copy = { text, files: filesLine(attachments), recipients: recipientsLine(to, cc, bcc) }
    return content !== undefined && isSameContent(copy, content)
  } catch (error) {
    if (!(error instanceof UnreadableMail)) throw error
    return false
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
