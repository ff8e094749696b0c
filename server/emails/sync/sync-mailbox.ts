import type { Context } from '../../context.ts'
import { type FolderRole, ImapFailure, type ImapSession, openImap } from '../../gateways/imap.ts'
import {
  dialGuardOf,
  forgetFolders,
  imapAccountOf,
  loadFolders,
  type Mailbox,
  type MailboxFolder,
  newFolder,
  saveFolder,
} from '../../mailboxes/mailboxes.ts'
import { appendSent } from './append-sent.ts'
import { appendDrafts } from './append-drafts.ts'
import { ownKeys } from '../ingest/ingest-raw.ts'
import { analyzeAfterSync } from './analyze-grown-tables.ts'
import { hasRelocations } from './relocations-store.ts'
import {
  clearTrouble,
  loadPutAside,
  noteTrouble,
  pausedUntil,
  reasonOf,
  runBeside,
  troubleWith,
} from './put-aside.ts'
import { pushActions } from './push-actions.ts'
import {
  hasOlder,
  hasIncomplete,
  hasNewer,
  hasAgain,
  inspectFolder,
  noteFolderRead,
  fetchAgain,
  fetchOlder,
  fetchIncomplete,
  fetchNewer,
} from './sync-folder.ts'
import {
  accountOf,
  checkPass,
  MailboxTaken,
  makePass,
  noteFailure,
  noteReadable,
  noteRenumbered,
  PassOver,
  type ReadFolder,
  reconnect,
  select,
  startPass,
  type SyncPass,
  whileHeld,
} from './sync-pass.ts'
import { BROKEN_OFF_GROWTH } from './poll-intervals.ts'
import type { Suspects } from './suspects.ts'
import { isLost, UidValidityChanged } from './fetch-messages.ts'
import { reconcileLocations } from './reconcile-locations.ts'
import { type FolderReader, takeOver } from './folder-reader.ts'

/** One account may occupy a slot for this long; then the next account is synced, and the rest follows later. */
const PASS_MS = 5 * 60_000
/** While older messages are being fetched, the inbox is checked for new ones this often. */
const INBOX_EVERY_MS = 5000

/** After so many folders in a row that the server wants to open later, the pass may have to end. */
const LATER_IN_A_ROW = 3

/** A refused folder is asked for in each pass. After so many refusals, and so long, it counts as one that never opens. */
const AT_ONCE = [0]
const GIVEN_UP_TRIES = 5
const GIVEN_UP_MS = 10 * 60_000

const INBOX: ReadFolder = { path: 'INBOX', role: 'inbox' }
/**
 * What people look at first comes first. Folders without a role come last: most of their messages are known by then.
 */
const ROLE_ORDER = ['inbox', 'sent', 'junk', 'drafts', 'archive', 'trash', null]

/** `actions`: only push pending actions. */
export type PassScope = { folders: 'inbox' | 'all' | 'actions' }

/**
 * The result of a pass. `more`: messages are still to be fetched. `unreconciled`: messages are missing that the next
 * pass over all folders may find.
 */
export type PassResult = { more: boolean; unreconciled: boolean }

/**
 * Connects to an account's IMAP server.
 *
 * @throws ImapFailure, Refusal IMAP_NOT_CONFIGURED
 */
export async function openPass(
  context: Context,
  mailbox: Mailbox,
  suspects: Suspects,
  signal: AbortSignal,
): Promise<SyncPass> {
  const dial = async (): Promise<ImapSession> => {
    const account = imapAccountOf(context, mailbox)
    if (account === null) throw new MailboxTaken()
    return unlessAborted(openImap(account, { guard: dialGuardOf(context, mailbox) }), signal)
  }
  const keys = await ownKeys(context, mailbox.user_id)
  const pass = await makePass({ context, mailbox, ownKeys: keys, dial, suspects, signal })
  // Anything that hangs ends when the pass is aborted.
  signal.addEventListener('abort', () => pass.session.close(), { once: true })
  return pass
}

/** Waits for a connection; one that opens only after the abort is closed at once. */
async function unlessAborted(opening: Promise<ImapSession>, signal: AbortSignal): Promise<ImapSession> {
  const aborted = Promise.withResolvers<never>()
  const stop = () => {
    opening.then((session) => session.close()).catch(() => {})
    aborted.reject(new PassOver())
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([opening, aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/**
 * Syncs an account on an open connection: new messages of all folders are fetched, the inbox first, then drafts and
 * sent messages are appended, then older messages and missing bodies are fetched. Every step besides reading may fail
 * without holding up the others. A failure in one folder is recorded there and does not hold up the others either.
 *
 * @throws ImapFailure when the account as a whole, or its inbox, cannot be read; MailboxTaken
 */
export async function syncMailbox(pass: SyncPass, scope: PassScope): Promise<PassResult> {
  startPass(pass, PASS_MS)
  try {
    await loadPutAside(pass)
    const result = await syncFolders(pass, scope)
    const inboxFailure = pass.failures.get(INBOX.path)
    if (inboxFailure !== undefined) throw inboxFailure
    return result
  } catch (error) {
    if (error instanceof PassOver) return { more: true, unreconciled: false }
    throw error
  } finally {
    analyzeAfterSync(pass)
  }
}

async function syncFolders(pass: SyncPass, { folders: scope }: PassScope): Promise<PassResult> {
  const { context, mailbox } = pass
  const startedAt = context.clock.now()
  const saved: Saved = new Map(
    (await loadFolders(context.db, mailbox.user_id, mailbox.id)).map((row) => [row.path, row]),
  )
  const appendDraftsBeside = async () => void (await runBeside(pass, 'drafts', () => appendDrafts(pass)))
  // Pending actions first, so that the server's old state overwrites nothing. Those that wait are guarded while reading.
  await runBeside(pass, 'actions', () => pushActions(pass))
  if (scope === 'actions') {
    await appendDraftsBeside()
    return { more: false, unreconciled: false }
  }
  if (scope === 'inbox') {
    await readAll(pass, [INBOX], saved, null, appendDraftsBeside)
    return { more: false, unreconciled: await hasRelocations(context.db, accountOf(pass)) }
  }
  // The inbox comes first, even before the other folders are listed.
  const isFirst = !saved.has(INBOX.path)
  const inbox = await readFresh(pass, INBOX, saved)
  // In an account that was just connected, people want to see messages before we list its folders.
  if (isFirst && inbox !== null && hasOlder(inbox)) await readFirst(inbox, saved)
  const listed = await runBeside(pass, 'folders', () => listFolders(pass, saved))
  const folders = listed ?? foldersOf(saved)
  let unfiled = false
  const completely = await readAll(pass, folders, saved, inbox, async () => {
    await appendDraftsBeside()
    unfiled = (await runBeside(pass, 'sent', () => appendSent(pass, folders))) ?? false
  })
  const readAllSince = completely && listed !== null ? startedAt : null
  const unreconciled = await runBeside(pass, 'changes', () => reconcileLocations(pass, readAllSince))
  return { more: unfiled, unreconciled: unreconciled ?? false }
}

/** The folders as they were listed last. */
function foldersOf(saved: Saved): ReadFolder[] {
  const folders = [...saved.values()].map(({ path, role }) => ({ path, role: role as FolderRole | null }))
  return byRole([INBOX, ...folders.filter(({ path }) => path !== INBOX.path)])
}

/** The folders to sync. Those that are gone from the server are forgotten; their messages stay. */
async function listFolders(pass: SyncPass, saved: ReadonlyMap<string, MailboxFolder>): Promise<ReadFolder[]> {
  const { mailbox } = pass
  const listed = await pass.session.listFolders()
  const folders = listed.map(({ path, role }) => (path.toUpperCase() === 'INBOX' ? INBOX : { path, role }))
  const paths = new Set(folders.map(({ path }) => path))
  const gone = [...saved.keys()].filter((path) => !paths.has(path))
  if (gone.length > 0 && paths.has(INBOX.path)) {
    await whileHeld(pass, (tx) => forgetFolders(tx, mailbox.user_id, mailbox.id, gone))
  }
  return byRole(folders)
}

function byRole(folders: ReadFolder[]): ReadFolder[] {
  return folders.sort((a, b) => ROLE_ORDER.indexOf(a.role) - ROLE_ORDER.indexOf(b.role))
}

type Saved = Map<string, MailboxFolder>

/** The newest messages of an inbox, and as many more as arrive within a few seconds. */
async function readFirst(inbox: FolderReader, saved: Saved): Promise<void> {
  await noteFailures(inbox.pass, inbox.folder, saved, async () => {
    await fetchOlder(inbox)
    saved.set(inbox.folder.path, inbox.saved)
    return inbox
  })
}

/** Inspects a folder and fetches what is new. Null when the folder cannot be read; the reason is recorded with it. */
async function readFresh(pass: SyncPass, folder: ReadFolder, saved: Saved): Promise<FolderReader | null> {
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
async function readAll(
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
    noteReadable(pass)
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
  noteReadable(pass)
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
