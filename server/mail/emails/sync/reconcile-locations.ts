import { moveMails } from '../actions/actions-store.ts'
import { applyServerFolder, folderOfRole, type MailPosition } from '../messages/folders.ts'
import { purgeAt } from '../actions/move-emails.ts'
import { type Account, dropUnlocated, hastenLocated } from './pending-actions-store.ts'
import {
  dropDuplicates,
  forgetRelocations,
  hasHeld,
  hasRelocations,
  joinDuplicates,
  noteGone,
  putAsideSince,
  type SeenFlags,
  type RelocatedMail,
  relocatedMails,
} from './relocations-store.ts'
import { accountOf, select, type SyncPass, whileHeld } from './sync-pass.ts'
import { withReconnect } from './fetch-messages.ts'
import { seenFlags, storeFlags } from './compare-flags.ts'
import { clearTrouble } from './put-aside.ts'
import type { EmailFolder } from '../tables.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/** Messages reconciled in one pass; the rest follow in the next. */
const AT_ONCE = 5000
/** Where a message is shown that is in several folders. */
const FOLDER_PRECEDENCE: readonly EmailFolder[] = ['inbox', 'sent', 'drafts', 'spam', 'archived', 'trash']

/**
 * Follows messages that were moved or deleted in another program; runs after the folders were read. A message seen in
 * another folder moves there. A message in no folder is deleted, but only if every folder has been read completely
 * since it went missing: it may be on its way, or in a folder that cannot be read.
 *
 * @param readAllSince when the sync of all folders began; null when one of them could not be read
 * @returns true when the next pass has more to reconcile
 * @throws ImapFailure, MailboxTaken
 */
export async function reconcileLocations(pass: SyncPass, readAllSince: Date | null): Promise<boolean> {
  const { context } = pass
  const account = accountOf(pass)
  if (await hasRelocations(context.db, account, { orWereGone: true })) {
    const { found, unusedBlobs } = await whileHeld(pass, async (tx) => {
      const joined = await joinDuplicates(tx, account)
      const dropped = readAllSince === null ? [] : await dropDuplicates(tx, account, readAllSince)
      return { found: await relocatedMails(tx, account, AT_ONCE), unusedBlobs: [...joined, ...dropped] }
    })
    for (const key of unusedBlobs) await context.blobs.delete(key)
    await syncFlags(pass, account, found)
    await whileHeld(pass, (tx) => reconcile(pass, tx, account, readAllSince))
  }
  await tellWhatIsHeld(pass)
  await hastenLocated(context.db, account, context.clock.now())
  if (readAllSince === null) return false
  await whileHeld(pass, (tx) => dropUnlocated(tx, account, readAllSince))
  return hasRelocations(context.db, account)
}

/** Once nothing is held any more, the emptied folders are no trouble. */
async function tellWhatIsHeld(pass: SyncPass): Promise<void> {
  const emptied = [...pass.troubles.values()].filter(({ kind }) => kind === 'emptied')
  if (emptied.length === 0) return
  if (await hasHeld(pass.context.db, accountOf(pass), pass.context.clock.now())) return
  for (const { path } of emptied) await clearTrouble(pass, { kind: 'emptied', path })
}

async function reconcile(pass: SyncPass, tx: Tx, account: Account, readAllSince: Date | null): Promise<void> {
  const { context } = pass
  const mails = await relocatedMails(tx, account, AT_ONCE)
  const moves: { id: number; to: MailPosition }[] = []
  const located: number[] = []
  const gone: number[] = []
  for (const mail of mails) {
    const isHeld = mail.heldUntil !== null && mail.heldUntil > context.clock.now()
    const overdue = readAllSince !== null && mail.noticedAt < readAllSince && !isHeld
    if (mail.locations.length > 0) {
      located.push(mail.id)
      const to = folderFor(mail)
      if (to !== null) moves.push({ id: mail.id, to })
    } else if (overdue && !(await putAsideSince(tx, account, mail.noticedAt))) {
      gone.push(mail.id)
      const deleted =
        mail.mayBeGone && !mail.unfiled && mail.folder !== 'deleted' && mail.folder !== 'scheduled'
      if (deleted) moves.push({ id: mail.id, to: { ...mail, folder: 'deleted' } })
    }
  }
  await moveMails(tx, account.userId, moves, purgeAt(context))
  await forgetRelocations(tx, account, located)
  await noteGone(tx, account, gone, context.clock.now())
  if (moves.length > 0) await context.live.publish(tx, account.userId, { topic: 'emails' })
}

/** The folder a message moves to because of its locations; null when it stays. A pending action of ours comes first. */
function folderFor(mail: RelocatedMail): MailPosition | null {
  if (mail.pending || mail.folder === 'scheduled') return null
  const folders = new Set(mail.locations.map(({ role }) => folderOfRole(role)))
  const to = folders.has(mail.folder) ? mail.folder : FOLDER_PRECEDENCE.find((folder) => folders.has(folder))
  if (to === undefined || to === mail.folder) return null
  const position = applyServerFolder(to, mail)
  return position.folder === mail.folder ? null : position
}

/** A message may have been flagged while it was moved, and its new folder does not report that by itself. */
async function syncFlags(pass: SyncPass, account: Account, mails: readonly RelocatedMail[]): Promise<void> {
  const locations = mails.flatMap((mail) =>
    mail.locations.filter(({ mailboxId }) => mailboxId === account.mailboxId),
  )
  const folders = Map.groupBy(locations, ({ path, uidValidity }) => JSON.stringify([path, uidValidity]))
  for (const [key, inFolder] of folders) {
    const [path, uidValidity] = JSON.parse(key) as [string, string]
    const rows = await withReconnect(pass, async (): Promise<SeenFlags[]> => {
      const status = await select(pass, path)
      if (status.uidValidity !== uidValidity) return []
      return seenFlags(pass.session.flagsOf(inFolder.map(({ uid }) => uid)))
    })
    await storeFlags(pass, { ...account, path, uidValidity }, rows)
  }
}
