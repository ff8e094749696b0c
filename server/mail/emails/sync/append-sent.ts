import { findUser } from '../../../accounts/auth/auth.ts'
import { senderOf } from '../../mailboxes/mailboxes.ts'
import { markInSent, type Unfiled, unfiledMails } from './unfiled-store.ts'
import { mimeRenderer } from '../content/render-mime.ts'
import { ITEM_GROWTH } from './poll-intervals.ts'
import { clearTrouble, isOfItem, type LaterItems, noteTrouble, reasonOf } from './put-aside.ts'
import { deselect, mayGoOn, type ReadFolder, selectForWriting, type SyncPass } from './sync-pass.ts'
import { findSentCopies } from '../messages/find-sent-copies.ts'
import { insertLocations } from '../messages/locations-store.ts'

/** The server may file sent mail in Sent by itself; we wait this long before we do it. */
export const APPEND_MS = 10_000
/** After this many were found in a row, the server files sent mail itself and the rest need no lookup. */
const FOUND_IN_A_ROW = 3
/** Messages appended to Sent in one pass; the rest follow in the next. */
const APPENDS_PER_PASS = 200
/** Name of the folder for sent mail where the server has none. */
const SENT_NAME = 'Sent'

/**
 * Appends sent messages to the account's Sent folder unless the server has done so itself; the first ones of a pass are
 * looked up by their Message-ID, and then all among the newest of Sent: some servers give their copies another one. Each message is marked as filed before the next one is appended, so a lost connection
 * duplicates none.
 *
 * @returns true when there are more
 * @throws ImapFailure
 */
export async function appendSent(pass: SyncPass, folders: readonly ReadFolder[]): Promise<boolean> {
  const { context, mailbox, session } = pass
  const now = context.clock.now()
  const before = new Date(now.getTime() - APPEND_MS)
  const mails = await unfiledMails(context.db, mailbox.user_id, mailbox.id, before, APPENDS_PER_PASS, now)
  const user = mails.length === 0 ? undefined : await findUser(context.db, mailbox.user_id)
  if (user === undefined) return false
  const path = folders.find(({ role }) => role === 'sent')?.path ?? (await session.createFolder(SENT_NAME))
  const compose = mimeRenderer(context, senderOf(mailbox, user))
  deselect(pass)

  const later: LaterItems = { inARow: 0 }
  let found = 0
  let filed: ReadonlySet<number> | undefined
  for (const [index, mail] of mails.entries()) {
    if (!mayGoOn(pass)) return true
    if (index === found && found < FOUND_IN_A_ROW) {
      const there = await session.findByMessageId(path, mail.messageId)
      if (there.length > 0) {
        found += 1
        await noteFiled(pass, [mail.emailId])
        continue
      }
    }
    if (found === FOUND_IN_A_ROW) {
      await noteFiled(
        pass,
        mails.slice(index).map(({ emailId }) => emailId),
      )
      break
    }
    if (filed === undefined) {
      const folder = { userId: mailbox.user_id, mailboxId: mailbox.id, path }
      filed = (await findSentCopies(context.db, session, folder, mails.slice(index))).filed
      await selectForWriting(pass, path)
    }
    if (filed.has(mail.emailId)) await noteFiled(pass, [mail.emailId])
    else await append(pass, path, mail, compose, later)
  }
  return mails.length === APPENDS_PER_PASS
}

async function append(
  pass: SyncPass,
  path: string,
  mail: Unfiled,
  compose: ReturnType<typeof mimeRenderer>,
  later: LaterItems,
): Promise<void> {
  const { context, mailbox, session } = pass
  const { raw } = await compose(mail)
  try {
    const { uid, uidValidity } = await session.append(path, raw, ['\\Seen'], mail.sentAt)
    if (uid !== undefined && uidValidity !== undefined) {
      const at = { userId: mailbox.user_id, mailboxId: mailbox.id, path, uidValidity }
      await insertLocations(context.db, at, [{ uid, emailId: mail.emailId }])
    }
  } catch (error) {
    // A message that the server refuses (too large, over quota) must not hold up the others.
    if (!isOfItem(pass, error, later)) throw error
    context.log.warn({ err: error, emailId: mail.emailId }, 'a sent message could not be appended to Sent')
    await noteTrouble(pass, { kind: 'sent_copy', emailId: mail.emailId }, reasonOf(error), ITEM_GROWTH)
    return
  }
  later.inARow = 0
  await noteFiled(pass, [mail.emailId])
}

async function noteFiled(pass: SyncPass, emailIds: readonly number[]): Promise<void> {
  await markInSent(pass.context.db, pass.mailbox.user_id, emailIds)
  for (const emailId of emailIds) await clearTrouble(pass, { kind: 'sent_copy', emailId })
}
