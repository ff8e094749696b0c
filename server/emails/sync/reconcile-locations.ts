import { inTransaction } from '../../database/transaction.ts'
import { holdsMailbox } from '../../mailboxes/mailboxes.ts'
import { moveMails } from '../actions/actions-store.ts'
import { applyServerFolder, type MailPosition } from '../messages/folders.ts'
import { purgeAt } from '../actions/move-emails.ts'
import { type Account, dropHomeless, hastenLocated } from './pending-actions-store.ts'
import {
  dropDuplicates,
  forgetRelocations,
  hasRelocations,
  joinDuplicates,
  noteGone,
  putAsideSince,
  type SeenFlags,
  type RelocatedMail,
  relocatedMails,
  takeFlags,
} from './relocations-store.ts'
import { MailboxTaken, select, type SyncPass } from './sync-pass.ts'
import { withReconnect } from './fetch-messages.ts'
import type { EmailFolder } from '../tables.ts'
import { folderOfRole } from '../messages/folder-roles.ts'
import type { Tx } from '../../database/handles.ts'

/** Mails settled in one turn; the rest in the next. */
const AT_ONCE = 5000
/** Where a mail is shown that is in several folders. */
const ORDER: readonly EmailFolder[] = ['inbox', 'sent', 'drafts', 'spam', 'archived', 'trash']

/**
 * After the folders were read: follows mails that were moved or deleted in another program. One that was seen elsewhere
 * moves there; one that is in no folder is deleted, but only when every folder has been read from the beginning since it
 * was missed, so that one that is merely on its way, or in a folder that cannot be read, is not.
 *
 * @param readAllSince when the reading of all folders began; null when one of them could not be read
 * @returns true when there are mails that the next reading has to settle
 * @throws ImapFailure, MailboxTaken
 */
export async function reconcileLocations(turn: SyncPass, readAllSince: Date | null): Promise<boolean> {
  const { context, mailbox } = turn
  const account = { userId: mailbox.user_id, mailboxId: mailbox.id }
  if (await hasRelocations(context.db, account, { orWereGone: true })) {
    const { found, unusedBlobs } = await inHeld(turn, account, async (tx) => {
      const joined = await joinDuplicates(tx, account)
      const dropped = readAllSince === null ? [] : await dropDuplicates(tx, account, readAllSince)
      return { found: await relocatedMails(tx, account, AT_ONCE), unusedBlobs: [...joined, ...dropped] }
    })
    for (const key of unusedBlobs) await context.blobs.delete(key)
    await lookAtFlags(turn, account, found)
    await inHeld(turn, account, (tx) => settle(turn, tx, account, readAllSince))
  }
  await hastenLocated(context.db, account, context.clock.now())
  if (readAllSince === null) return false
  await inHeld(turn, account, (tx) => dropHomeless(tx, account, readAllSince))
  return hasRelocations(context.db, account)
}

async function settle(turn: SyncPass, tx: Tx, account: Account, readAllSince: Date | null): Promise<void> {
  const { context } = turn
  const mails = await relocatedMails(tx, account, AT_ONCE)
  const moves: { id: number; to: MailPosition }[] = []
  const settled: number[] = []
  const gone: number[] = []
  for (const mail of mails) {
    const overdue = readAllSince !== null && mail.noticedAt < readAllSince
    if (mail.places.length > 0) {
      settled.push(mail.id)
      const to = shownIn(mail)
      if (to !== null) moves.push({ id: mail.id, to })
    } else if (overdue && !(await putAsideSince(tx, account, mail.noticedAt))) {
      gone.push(mail.id)
      const deleted =
        mail.mayBeGone && !mail.unfiled && mail.folder !== 'deleted' && mail.folder !== 'scheduled'
      if (deleted) moves.push({ id: mail.id, to: { ...mail, folder: 'deleted' } })
    }
  }
  await moveMails(tx, account.userId, moves, purgeAt(context))
  await forgetRelocations(tx, account, settled)
  await noteGone(tx, account, gone, context.clock.now())
  if (moves.length > 0) await context.live.publish(tx, account.userId, { topic: 'emails' })
}

/** Where a mail goes by its places; null where it stays. What was done here and is still to be told goes first. */
function shownIn(mail: RelocatedMail): MailPosition | null {
  if (mail.pending || mail.folder === 'scheduled') return null
  const folders = new Set(mail.places.map(({ role }) => folderOfRole(role)))
  const to = folders.has(mail.folder) ? mail.folder : ORDER.find((folder) => folders.has(folder))
  if (to === undefined || to === mail.folder) return null
  const standing = applyServerFolder(to, mail)
  return standing.folder === mail.folder ? null : standing
}

/** A mail that was moved may have been marked on the way, of which its new folder tells nothing by itself. */
async function lookAtFlags(turn: SyncPass, account: Account, mails: readonly RelocatedMail[]): Promise<void> {
  const places = mails.flatMap((mail) =>
    mail.places.filter(({ mailboxId }) => mailboxId === account.mailboxId),
  )
  const folders = Map.groupBy(places, ({ path, uidValidity }) => JSON.stringify([path, uidValidity]))
  for (const [key, inFolder] of folders) {
    const [path, uidValidity] = JSON.parse(key) as [string, string]
    const rows = await withReconnect(turn, async (): Promise<SeenFlags[]> => {
      const status = await select(turn, path)
      if (status.uidValidity !== uidValidity) return []
      const uids = inFolder.map(({ uid }) => uid)
      const found = await Array.fromAsync(turn.session.flagsOf(uids))
      return found.map(({ uid, flags }) => ({
        uid,
        seen: flags.has('\\Seen'),
        flagged: flags.has('\\Flagged'),
      }))
    })
    await inHeld(turn, account, async (tx) => {
      const changed = await takeFlags(tx, { ...account, path, uidValidity }, rows)
      if (changed > 0) await turn.context.live.publish(tx, account.userId, { topic: 'emails' })
    })
  }
}

async function inHeld<T>(
  { context }: SyncPass,
  { userId, mailboxId }: Account,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inTransaction(context.db, async (tx) => {
    if (!(await holdsMailbox(tx, userId, mailboxId, context.workerId))) throw new MailboxTaken()
    return work(tx)
  })
}
