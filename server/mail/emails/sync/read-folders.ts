import { ImapFailure } from '../../../platform/gateways/imap.ts'
import { loadFolders, newFolder, saveFolder } from '../../mailboxes/mailboxes.ts'
import { isLost, UidValidityChanged } from './fetch-messages.ts'
import { type FolderReader, takeOver } from './folder-reader.ts'
import { INBOX, type Saved } from './list-folders.ts'
import { BROKEN_OFF_GROWTH } from './poll-intervals.ts'
import { pushActions } from './push-actions.ts'
import { clearTrouble, noteTrouble, pausedUntil, reasonOf, runBeside, troubleWith } from './put-aside.ts'
import {
  fetchAgain,
  fetchIncomplete,
  fetchNewer,
  fetchOlder,
  hasAgain,
  hasIncomplete,
  hasNewer,
  hasOlder,
  inspectFolder,
  noteFolderRead,
} from './sync-folder.ts'
import {
  accountOf,
  checkPass,
  noteFailure,
  noteRenumbered,
  type ReadFolder,
  reconnect,
  select,
  type SyncPass,
  updatePass,
  whileHeld,
} from './sync-pass.ts'

/** While older messages are being fetched, the inbox is checked for new ones this often. */
const INBOX_EVERY_MS = 5000

/** After so many folders in a row that the server wants to open later, the pass may have to end. */
const LATER_IN_A_ROW = 3

/** A refused folder is asked for in each pass. After so many refusals, and so long, it counts as one that never opens. */
const AT_ONCE = [0]
const GIVEN_UP_TRIES = 5
const GIVEN_UP_MS = 10 * 60_000

/** The newest messages of an inbox, and as many more as arrive within a few seconds. */
export async function readFirst(inbox: FolderReader, saved: Saved): Promise<void> {
  await noteFailures(inbox.pass, inbox.folder, saved, async () => {
    await fetchOlder(inbox)
    saved.set(inbox.folder.path, inbox.saved)
    return inbox
  })
}

/** Inspects a folder and fetches what is new. Null when the folder cannot be read; the reason is recorded with it. */
export async function readFresh(
  pass: SyncPass,
  folder: ReadFolder,
  saved: Saved,
): Promise<FolderReader | null> {
  const about = { kind: 'folder', path: folder.path } as const
  if (pausedUntil(pass, about) !== null) return null
  return noteFailures(pass, folder, saved, async () => {
    const reader = await inspectFolder(pass, folder, saved.get(folder.path))
    while (hasNewer(reader)) await fetchNewer(reader)
    // New messages may be on the screen long before the older ones arrive.
    await noteFolderRead(reader)
    if (!hasOlder(reader) && !hasIncomplete(reader) && !hasAgain(reader)) await clearTrouble(pass, about)
    saved.set(folder.path, reader.saved)
    return reader
  })
}

/**
 * Reads the folders: what is new in all of them, then `beside`, then what is older. True when every folder was read
 * completely, apart from those that never open.
 */
export async function readAll(
  pass: SyncPass,
  folders: readonly ReadFolder[],
  saved: Saved,
  inbox: FolderReader | null,
  beside: () => Promise<void>,
): Promise<boolean> {
  const readers: FolderReader[] = []
  for (const folder of folders) {
    checkPass(pass)
    const isRead = folder === INBOX && (inbox !== null || pass.failures.has(INBOX.path))
    const reader = isRead ? inbox : await readFresh(pass, folder, saved)
    if (reader !== null) readers.push(reader)
  }
  await beside()
  let inboxReadAt = Date.now()
  const readInboxIfDue = async () => {
    if (Date.now() - inboxReadAt < INBOX_EVERY_MS) return
    inboxReadAt = Date.now()
    await runBeside(pass, 'actions', () => pushActions(pass))
    await refreshInbox(
      pass,
      readers.find(({ folder }) => folder.role === 'inbox'),
      saved,
    )
  }
  for (const reader of readers) await step(reader, saved, hasOlder, fetchOlder, readInboxIfDue)
  for (const reader of readers) await step(reader, saved, hasIncomplete, fetchIncomplete, readInboxIfDue)
  for (const reader of readers) await step(reader, saved, hasAgain, fetchAgain, readInboxIfDue)
  const complete = new Map(readers.map((reader) => [reader.folder.path, isComplete(reader)]))
  return folders.every(({ path }) => complete.get(path) ?? isGivenUp(pass, path))
}

function isComplete(reader: FolderReader): boolean {
  const isMissing = troubleWith(reader.pass, { kind: 'missing', path: reader.folder.path }) !== undefined
  return !hasNewer(reader) && !hasOlder(reader) && !isMissing
}

/** A folder that has been refused for a while: deletions are followed without it. */
function isGivenUp(pass: SyncPass, path: string): boolean {
  const trouble = troubleWith(pass, { kind: 'folder', path })
  if (trouble === undefined || path === INBOX.path) return false
  const forMs = pass.context.clock.now().getTime() - trouble.since.getTime()
  return trouble.tries >= GIVEN_UP_TRIES && forMs >= GIVEN_UP_MS
}

async function step(
  reader: FolderReader,
  saved: Saved,
  isLeft: (reader: FolderReader) => boolean,
  read: (reader: FolderReader) => Promise<void>,
  between: () => Promise<void>,
): Promise<void> {
  const about = { kind: 'folder', path: reader.folder.path } as const
  if (!isLeft(reader) || pausedUntil(reader.pass, about) !== null) return
  await noteFailures(reader.pass, reader.folder, saved, async () => {
    while (isLeft(reader)) {
      await read(reader)
      saved.set(reader.folder.path, reader.saved)
      await between()
    }
    await noteFolderRead(reader)
    await clearTrouble(reader.pass, about)
    saved.set(reader.folder.path, reader.saved)
    return reader
  })
}

/** Fetches new messages of the inbox while older ones are being read. Its reader keeps its remaining work. */
async function refreshInbox(pass: SyncPass, inbox: FolderReader | undefined, saved: Saved): Promise<void> {
  if (inbox === undefined) return
  const fresh = await readFresh(pass, inbox.folder, new Map([[inbox.folder.path, inbox.saved]]))
  if (fresh === null) return
  takeOver(inbox, fresh)
  saved.set(inbox.folder.path, fresh.saved)
}

/** Runs a step for one folder. A failure of this folder alone is recorded with it, with what the server said. */
async function noteFailures<T>(
  pass: SyncPass,
  folder: ReadFolder,
  saved: Saved,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    const done = await work()
    updatePass(pass, { laterInARow: 0 })
    return done
  } catch (error) {
    if (error instanceof UidValidityChanged) {
      noteRenumbered(pass, folder.path)
      return null
    }
    if (!(error instanceof ImapFailure)) throw error
    await noteFolderError(pass, folder, saved, error)
    if (isLost(pass, error)) {
      if (folder === INBOX) throw error
      await noteTrouble(pass, { kind: 'folder', path: folder.path }, reasonOf(error), BROKEN_OFF_GROWTH)
      // The folder is to blame if a new connection serves the inbox.
      await reconnect(pass, error)
      await openInbox(pass)
    } else if (error.kind !== 'later')
      await noteTrouble(pass, { kind: 'folder', path: folder.path }, reasonOf(error), AT_ONCE)
    noteFailure(pass, folder.path, error)
    // Several folders in a row: if the inbox has to wait, too, it is the account.
    if (pass.laterInARow >= LATER_IN_A_ROW) await openInbox(pass)
    return null
  }
}

/** @throws ImapFailure when not even the inbox can be opened */
async function openInbox(pass: SyncPass): Promise<void> {
  await select(pass, INBOX.path)
  updatePass(pass, { laterInARow: 0 })
}

async function noteFolderError(
  pass: SyncPass,
  folder: ReadFolder,
  saved: Saved,
  failure: ImapFailure,
): Promise<void> {
  const { context, mailbox } = pass
  const before = saved.get(folder.path)
  await whileHeld(pass, async (tx) => {
    const current =
      (await loadFolders(tx, mailbox.user_id, mailbox.id)).find(({ path }) => path === folder.path) ?? before
    const reason = failure.words || 'The mail server gave no reason.'
    if (current?.last_error === reason) return
    // A folder that was never read is listed with its reason, too.
    await saveFolder(tx, { ...(current ?? newFolder(accountOf(pass), folder)), last_error: reason })
    await context.live.publish(tx, mailbox.user_id, { topic: 'mailboxes' })
  })
}
