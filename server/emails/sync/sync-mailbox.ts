import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { ImapFailure, type ImapSession, openImap } from '../../gateways/imap.ts'
import {
  dialGuardOf,
  forgetFolders,
  holdsMailbox,
  imapAccountOf,
  loadFolders,
  type Mailbox,
  type MailboxFolder,
  saveFolder,
} from '../../mailboxes/mailboxes.ts'
import { appendSent } from './append-sent.ts'
import { appendDrafts } from './append-drafts.ts'
import { ownKeys } from '../ingest/ingest-raw.ts'
import { analyzeAfterSync } from './analyze-grown-tables.ts'
import { hasRelocations } from './relocations-store.ts'
import { pushActions } from './push-actions.ts'
import {
  hasOlder,
  hasIncomplete,
  hasNewer,
  inspectFolder,
  noteFolderRead,
  fetchOlder,
  fetchIncomplete,
  fetchNewer,
} from './sync-folder.ts'
import { checkPass, MailboxTaken, type ReadFolder, type SyncPass, PassOver } from './sync-pass.ts'
import { isLost, Renumbered, withReconnect } from './fetch-messages.ts'
import { reconcileLocations } from './reconcile-locations.ts'
import type { FolderReader } from './folder-reader.ts'

/** One account may keep a reader this long at a stretch; then the next one's turn comes, and what is left follows. */
const TURN_MS = 5 * 60_000
/** While older mail is being fetched the inbox is looked at this often for new mail. */
const INBOX_EVERY_MS = 5000

const INBOX: ReadFolder = { path: 'INBOX', role: 'inbox' }
/** In this order: what people look at first; folders without a role come last, much of them is known by then. */
const ORDER = ['inbox', 'sent', 'junk', 'drafts', 'archive', 'trash', null]

/** `actions`: only the server is told what was done here. */
export type Reading = { folders: 'inbox' | 'all' | 'actions' }

/**
 * What a turn came to. `more` says that there is still mail to be fetched, `unsettled` that mails were missed which the
 * next reading of all folders may find.
 */
export type PassResult = { more: boolean; unsettled: boolean }

/**
 * Connects to an account's IMAP server.
 *
 * @throws ImapFailure, Refusal IMAP_NOT_CONFIGURED
 */
export async function openPass(context: Context, mailbox: Mailbox, signal: AbortSignal): Promise<SyncPass> {
  const dial = async (): Promise<ImapSession> => {
    const account = imapAccountOf(context, mailbox)
    if (account === null) throw new MailboxTaken()
    return unlessAborted(openImap(account, { guard: dialGuardOf(context, mailbox) }), signal)
  }
  const turn: SyncPass = {
    context,
    mailbox,
    ownKeys: await ownKeys(context, mailbox.user_id),
    session: await dial(),
    dial,
    selected: null,
    reconnects: 0,
    until: 0,
    signal,
    added: 0,
    known: 0,
    asked: 0,
  }
  // Whatever hangs ends when the turn is called off.
  signal.addEventListener('abort', () => turn.session.close(), { once: true })
  return turn
}

/** A connection that is still coming about when the turn is called off is closed as soon as it does. */
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
 * Reads an account on an open connection: puts sent mail into Sent, then new mail of all folders, the inbox first, then
 * older mail, then the words of mails that are only listed. One folder's trouble is noted with it and keeps no other
 * folder waiting.
 *
 * @throws ImapFailure when the account as a whole cannot be read; MailboxTaken
 */
export async function syncMailbox(turn: SyncPass, reading: Reading): Promise<PassResult> {
  turn.until = Date.now() + TURN_MS
  turn.reconnects = 0
  const { context, mailbox } = turn
  const saved = new Map(
    (await loadFolders(context.db, mailbox.user_id, mailbox.id)).map((row) => [row.path, row]),
  )
  try {
    // First what was done here, so that what the server still says of it overwrites nothing.
    const startedAt = context.clock.now()
    await withReconnect(turn, () => pushActions(turn))
    await withReconnect(turn, () => appendDrafts(turn))
    if (reading.folders === 'actions') return { more: false, unsettled: false }
    if (reading.folders === 'inbox') {
      await readAll(turn, [INBOX], saved)
      return { more: false, unsettled: await hasRelocations(context.db, accountOf(turn)) }
    }
    // The inbox before everything else, even before it is known which other folders there are.
    const isFirst = !saved.has(INBOX.path)
    const inbox = await readFresh(turn, INBOX, saved)
    // Of an account that was just connected people want to see mail, not find out which folders there are.
    if (isFirst && inbox !== null && hasOlder(inbox)) await readFirst(inbox, saved)
    const folders = await withReconnect(turn, () => listFolders(turn, saved))
    const unfiled = await withReconnect(turn, () => appendSent(turn, folders))
    const wholly = await readAll(turn, folders, saved, inbox)
    const unsettled = await reconcileLocations(turn, wholly ? startedAt : null)
    return { more: unfiled, unsettled }
  } catch (error) {
    if (error instanceof PassOver) return { more: true, unsettled: false }
    throw error
  } finally {
    analyzeAfterSync(turn)
  }
}

/** The folders to be read; those that are gone from the server are forgotten, their mails stay. */
async function listFolders(turn: SyncPass, saved: ReadonlyMap<string, MailboxFolder>): Promise<ReadFolder[]> {
  const { context, mailbox } = turn
  const listed = await turn.session.listFolders()
  const folders = listed.map(({ path, role }) => (path.toUpperCase() === 'INBOX' ? INBOX : { path, role }))
  const paths = new Set(folders.map(({ path }) => path))
  const gone = [...saved.keys()].filter((path) => !paths.has(path))
  if (gone.length > 0 && paths.has(INBOX.path)) {
    await inTransaction(context.db, async (tx) => {
      if (!(await holdsMailbox(tx, mailbox.user_id, mailbox.id, context.workerId))) throw new MailboxTaken()
      await forgetFolders(tx, mailbox.user_id, mailbox.id, gone)
    })
  }
  return folders.sort((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role))
}

type Saved = Map<string, MailboxFolder>

/** The newest mails of an inbox, and as many more as come in a few seconds. */
async function readFirst(inbox: FolderReader, saved: Saved): Promise<void> {
  await minding(inbox.turn, inbox.folder, saved, async () => {
    await fetchOlder(inbox)
    saved.set(inbox.folder.path, inbox.saved)
    return inbox
  })
}

/** Looks into a folder and reads what is new. Null when the folder cannot be read; why is noted with it. */
async function readFresh(turn: SyncPass, folder: ReadFolder, saved: Saved): Promise<FolderReader | null> {
  return minding(turn, folder, saved, async () => {
    const reader = await inspectFolder(turn, folder, saved.get(folder.path))
    while (hasNewer(reader)) await fetchNewer(reader)
    // What is new may be on the screen long before the older mail is there.
    await noteFolderRead(reader)
    saved.set(folder.path, reader.saved)
    return reader
  })
}

/** True when every folder was read to its end. */
async function readAll(
  turn: SyncPass,
  folders: readonly ReadFolder[],
  saved: Saved,
  inbox: FolderReader | null = null,
): Promise<boolean> {
  const readers: FolderReader[] = []
  for (const folder of folders) {
    checkPass(turn)
    const reader = folder === INBOX && inbox !== null ? inbox : await readFresh(turn, folder, saved)
    if (reader !== null) readers.push(reader)
  }
  let looked = Date.now()
  const lookAtInbox = async () => {
    if (Date.now() - looked < INBOX_EVERY_MS) return
    looked = Date.now()
    await withReconnect(turn, () => pushActions(turn))
    await freshen(
      turn,
      readers.find(({ folder }) => folder.role === 'inbox'),
      saved,
    )
  }
  for (const reader of readers) await step(reader, saved, hasOlder, fetchOlder, lookAtInbox)
  for (const reader of readers) await step(reader, saved, hasIncomplete, fetchIncomplete, lookAtInbox)
  return readers.length === folders.length && !readers.some((reader) => hasNewer(reader) || hasOlder(reader))
}

function accountOf({ mailbox }: SyncPass) {
  return { userId: mailbox.user_id, mailboxId: mailbox.id }
}

async function step(
  reader: FolderReader,
  saved: Saved,
  isLeft: (reader: FolderReader) => boolean,
  read: (reader: FolderReader) => Promise<void>,
  between: () => Promise<void>,
): Promise<void> {
  if (!isLeft(reader)) return
  await minding(reader.turn, reader.folder, saved, async () => {
    while (isLeft(reader)) {
      await read(reader)
      saved.set(reader.folder.path, reader.saved)
      await between()
    }
    await noteFolderRead(reader)
    saved.set(reader.folder.path, reader.saved)
    return reader
  })
}

/** New mail of the inbox, while older mail is being read. Its reader keeps what it had still to do. */
async function freshen(turn: SyncPass, inbox: FolderReader | undefined, saved: Saved): Promise<void> {
  if (inbox === undefined) return
  const fresh = await readFresh(turn, inbox.folder, new Map([[inbox.folder.path, inbox.saved]]))
  if (fresh === null) return
  Object.assign(inbox, {
    saved: fresh.saved,
    at: fresh.at,
    above: fresh.newerUids,
    below: fresh.olderUids,
    incomplete: fresh.incomplete,
  })
  saved.set(inbox.folder.path, fresh.saved)
}

/** Does something with one folder; what is wrong with this folder alone is noted with it, in the server's words. */
async function minding<T>(
  turn: SyncPass,
  folder: ReadFolder,
  saved: Saved,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Renumbered) return null
    if (error instanceof ImapFailure) await noteTrouble(turn, folder, saved, error)
    // Without an inbox nothing works; any other folder may be broken.
    const ofFolder = error instanceof ImapFailure && !isLost(turn, error) && folder.role !== 'inbox'
    if (!ofFolder) throw error
    return null
  }
}

async function noteTrouble(
  turn: SyncPass,
  folder: ReadFolder,
  saved: Saved,
  failure: ImapFailure,
): Promise<void> {
  const { context, mailbox } = turn
  const before = saved.get(folder.path)
  await inTransaction(context.db, async (tx) => {
    if (!(await holdsMailbox(tx, mailbox.user_id, mailbox.id, context.workerId))) throw new MailboxTaken()
    const current =
      (await loadFolders(tx, mailbox.user_id, mailbox.id)).find(({ path }) => path === folder.path) ?? before
    if (current === undefined || current.last_error === failure.words) return
    await saveFolder(tx, { ...current, last_error: failure.words })
    await context.live.publish(tx, mailbox.user_id, { topic: 'mailboxes' })
  })
}
