import { findUser } from '../../auth/auth.ts'
import { ImapFailure } from '../../gateways/imap.ts'
import { senderOf } from '../../mailboxes/mailboxes.ts'
import { markInSent, type Unfiled, unfiledMails } from './unfiled-store.ts'
import { mimeRenderer } from '../content/render-mime.ts'
import { mayGoOn, type ReadFolder, type SyncPass } from './sync-pass.ts'
import { insertLocations } from '../messages/locations-store.ts'

/** The server may be putting sent mail into Sent itself: it gets this long before we do. */
export const APPEND_MS = 10_000
/** So many found in a row: the server does it, the rest need not be looked up. */
const FOUND_IN_A_ROW = 3
/** Mails put into Sent in one turn; the rest in the next. */
const APPENDS_PER_TURN = 200
/** A name for the folder where the server has none for sent mail. */
const SENT_NAME = 'Sent'

/**
 * Puts sent mails into the account's Sent folder, unless the server did so itself: the first ones of a turn are looked up
 * by their Message-ID. A mail is noted as filed before the next one goes, so that a lost connection doubles none.
 *
 * @returns true when there are more
 * @throws ImapFailure
 */
export async function appendSent(turn: SyncPass, folders: readonly ReadFolder[]): Promise<boolean> {
  const { context, mailbox, session } = turn
  const before = new Date(context.clock.now().getTime() - APPEND_MS)
  const mails = await unfiledMails(context.db, mailbox.user_id, mailbox.id, before, APPENDS_PER_TURN)
  const user = mails.length === 0 ? undefined : await findUser(context.db, mailbox.user_id)
  if (user === undefined) return false
  const path = folders.find(({ role }) => role === 'sent')?.path ?? (await session.createFolder(SENT_NAME))
  const compose = mimeRenderer(context, senderOf(mailbox, user))
  turn.selected = null

  let found = 0
  for (const [index, mail] of mails.entries()) {
    if (!mayGoOn(turn)) return true
    if (index === found && found < FOUND_IN_A_ROW) {
      const there = await session.findByMessageId(path, mail.messageId)
      if (there.length > 0) {
        found += 1
        await markInSent(context.db, mailbox.user_id, [mail.emailId])
        continue
      }
      // Open for writing: in a folder that is only looked at "seen" would be left out.
      await session.openFolder(path, false)
    }
    if (found === FOUND_IN_A_ROW) {
      await markInSent(
        context.db,
        mailbox.user_id,
        mails.slice(index).map(({ emailId }) => emailId),
      )
      break
    }
    await append(turn, path, mail, compose)
  }
  return mails.length === APPENDS_PER_TURN
}

async function append(
  turn: SyncPass,
  path: string,
  mail: Unfiled,
  compose: ReturnType<typeof mimeRenderer>,
): Promise<void> {
  const { context, mailbox, session } = turn
  const { raw } = await compose(mail)
  try {
    const { uid, uidValidity } = await session.append(path, raw, ['\\Seen'], mail.sentAt)
    if (uid !== undefined && uidValidity !== undefined) {
      const at = { userId: mailbox.user_id, mailboxId: mailbox.id, path, uidValidity }
      await insertLocations(context.db, at, [{ uid, emailId: mail.emailId }])
    }
  } catch (error) {
    // A server that will not have one mail (too large, quota) must not keep the rest from being read.
    if (!(error instanceof ImapFailure) || error.kind !== 'refused' || !session.usable) throw error
    context.log.warn({ err: error, emailId: mail.emailId }, 'a sent mail could not be put into Sent')
  }
  await markInSent(context.db, mailbox.user_id, [mail.emailId])
}
