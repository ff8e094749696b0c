import type { ImapFailure, UidList } from '../../../platform/gateways/imap.ts'
import { authservIdOf } from '../../../formats/mail-text/authentication-results.ts'
import { type MailboxFolder, newFolder, saveFolder } from '../../mailboxes/mailboxes.ts'
import { bodiless, countKnown, dropGone, dropOldUids, incompleteMails } from './folder-state-store.ts'
import { factsOf, incomingEnvelope } from '../ingest/incoming-message.ts'
import { mailsNamed } from '../ingest/ingest-store.ts'
import { maybeKnown } from '../ingest/match-known.ts'
import { mailRow } from '../ingest/message-rows.ts'
import { askFlags, compareFlags, seenFlags, storeFlags } from './compare-flags.ts'
import { noteUidValidityChanged } from './relocations-store.ts'
import { type Block, type NextBlock, storeBlocks } from './store-blocks.ts'
import {
  accountOf,
  checkPass,
  type OpenFolder,
  type ReadFolder,
  select,
  type SyncPass,
  updatePass,
  whileHeld,
} from './sync-pass.ts'
import { atFolder, refusalOf, withReconnect } from './fetch-messages.ts'
import { knownUids } from '../messages/locations-store.ts'
import { emptiedUntil, listedIfNeeded, lookForMissed, uidsAreOthers } from './compare-folder.ts'
import {
  type CursorMove,
  type Entry,
  type FolderReader,
  makeFolderReader,
  noteSaved,
  updateReader,
} from './folder-reader.ts'

/** Messages in the first block: the newest should show up at once. */
const FIRST_BLOCK = 200
/** Messages in each later block; the newest still come first. */
const WHOLE_BLOCK = 500
/** Blocks follow each other without a pause for this long; then the inbox is checked again. */
const RUN_MS = 5000
/** Bodies fetched at once for messages that are already listed, newest first. */
const INCOMPLETE_FETCH = 1000
/** Messages fetched once more in one block: each that is refused costs a command of its own, in every pass. */
const AGAIN_BLOCK = 20
/** Envelopes fetched in one command. */
const ENVELOPE_FETCH = 500
/** Up to this many messages are fetched whole at once, whatever their size. */
const WHOLE_MAX = 200
/**
 * Where most messages are our own or known from another folder, more than this many are cheaper to recognize by
 * envelope.
 */
const WHOLE_WHERE_KNOWN_MAX = 20
/** When fetching whole messages would take longer than this, the list is filled from envelopes first. */
const SLOW_FETCH_MS = 5000
const FLAGS_AT_ONCE = 1000

/**
 * Inspects a folder: what is new, what is still missing, what has changed or gone. Stores no messages yet.
 *
 * @param saved where the last sync of the folder ended
 * @throws ImapFailure
 */
export async function inspectFolder(
  pass: SyncPass,
  folder: ReadFolder,
  saved: MailboxFolder | undefined,
): Promise<FolderReader> {
  return withReconnect(pass, async () => {
    const status = await select(pass, folder.path)
    if (folder.role === 'inbox') updatePass(pass, { inbox: status })
    const { user_id: userId, id: mailboxId } = pass.mailbox
    const at = { userId, mailboxId, path: folder.path, uidValidity: status.uidValidity }
    if (await uidsAreOthers(pass, at, status)) at.uidValidity = String(Number(at.uidValidity) + 1)
    const uidValidityChanged = saved?.uid_validity != null && saved.uid_validity !== at.uidValidity
    const begun = saved !== undefined && saved.uid_validity === at.uidValidity
    const listed = await listedIfNeeded(pass, status, begun ? saved.high_uid : 0)
    const newestUid = Math.max((status.uidNext ?? 1) - 1, listed?.uids.at(-1) ?? 0)
    const reader = makeFolderReader({
      pass,
      folder,
      folderContext: {
        role: folder.role,
        ownKeys: pass.ownKeys,
        authservId: authservIdOf(pass.context.config.authservIds, pass.mailbox.imap_host ?? ''),
      },
      at,
      saved: begun
        ? { ...saved, role: folder.role }
        : freshCursor(pass, folder, { ...status, ...at }, newestUid),
      newestUid,
      uidValidityChanged,
    })
    if (uidValidityChanged) await resetUidValidity(reader)
    const { low_uid: low, high_uid: high } = reader.saved
    const between = async (from: number, to?: number) =>
      listed?.uids.filter((uid) => uid >= from && uid <= (to ?? uid)) ??
      pass.session.existingUids(to === undefined ? { from } : { from, to })
    const newerUids = status.exists > 0 && newestUid > high ? await between(high + 1) : []
    const olderUids = status.exists > 0 && low > 1 ? await between(1, low - 1) : []
    updateReader(reader, { newerUids, olderUids })
    // UIDs that were assigned and are gone again are skipped, or they would look like new mail forever.
    if (newerUids.length === 0) noteSaved(reader, { high_uid: Math.max(high, reader.newestUid) })
    if (olderUids.length === 0) noteSaved(reader, { low_uid: 1 })
    await lookForChanges(reader, status, listed)
    return reader
  })
}

function freshCursor(
  pass: SyncPass,
  folder: ReadFolder,
  status: OpenFolder,
  newestUid: number,
): MailboxFolder {
  return {
    ...newFolder(accountOf(pass), folder),
    uid_validity: status.uidValidity,
    low_uid: newestUid + 1,
    high_uid: newestUid,
    mod_seq: status.highestModSeq ?? null,
    behind: status.exists,
  }
}

/** The stored UIDs are no longer valid. The messages stay and are recognized by their Message-ID. */
async function resetUidValidity(reader: FolderReader): Promise<void> {
  await whileHeld(reader.pass, async (tx) => {
    await noteUidValidityChanged(tx, reader.at, reader.pass.context.clock.now())
    await dropOldUids(tx, reader.at)
    await saveFolder(tx, reader.saved)
  })
}

/** Takes over flags that changed elsewhere, forgets locations that are gone, and counts what is still missing. */
async function lookForChanges(
  reader: FolderReader,
  status: OpenFolder,
  listed: UidList | null,
): Promise<void> {
  const { pass, at, saved } = reader
  const { context } = pass
  const { mod_seq: since } = saved
  let modSeq = status.highestModSeq ?? null
  if (since !== null && modSeq !== null && since !== modSeq) {
    const rows = await askFlags(reader, () => seenFlags(pass.session.flagsChangedSince(since)))
    if (rows === null) modSeq = since
    else
      for (let from = 0; from < rows.length; from += FLAGS_AT_ONCE)
        await storeFlags(pass, at, rows.slice(from, from + FLAGS_AT_ONCE))
  }
  const compares = modSeq === null && status.exists > 0
  // One may have gone while another came: the count does not tell that.
  const isAnyGone = compares && (await askFlags(reader, () => compareFlags(reader))) === false
  let known = await countKnown(context.db, at, context.clock.now())
  const unread = reader.newerUids.length + reader.olderUids.length
  if (isAnyGone || known.located + known.aside + unread > status.exists) {
    listed ??= await pass.session.listedUids()
    // With an incomplete list, messages that still exist would be taken for deleted.
    if (listed.complete) {
      const { uids } = listed
      const until = await emptiedUntil(reader, status, known.located)
      await whileHeld(pass, (tx) => dropGone(tx, at, uids, context.clock.now(), until))
      known = await countKnown(context.db, at, context.clock.now())
    }
  }
  await lookForMissed(reader, status, known, listed)
  updateReader(reader, { incomplete: known.incomplete })
  // A block that broke off has left some of them behind the cursor.
  const toCome = Math.min(unread, Math.max(0, status.exists - known.located - known.aside))
  noteSaved(reader, { mod_seq: modSeq, behind: toCome + known.incomplete })
}

/** Whether messages newer than the stored ones are missing. */
export function hasNewer(reader: FolderReader): boolean {
  return reader.newerUids.length > 0
}

/** Whether messages older than the stored ones are missing. */
export function hasOlder(reader: FolderReader): boolean {
  return reader.olderUids.length > 0
}

/** Whether listed messages lack their bodies. */
export function hasIncomplete(reader: FolderReader): boolean {
  return reader.incomplete > 0
}

/** Whether messages are to be fetched once more. */
export function hasAgain(reader: FolderReader): boolean {
  return reader.againUids.length > 0
}

/** Fetches newer messages for a while, oldest first: the cursor never skips a message. */
export async function fetchNewer(reader: FolderReader): Promise<void> {
  let left = reader.newerUids
  await readOn(reader, {
    remaining: () => left.length,
    take(count) {
      const uids = left.slice(0, count)
      left = left.slice(count)
      const high = Math.max(uids.at(-1) ?? 0, left.length === 0 ? reader.newestUid : 0)
      return { uids, move: { high_uid: high, newerUids: left } }
    },
  })
}

/** Fetches older messages for a while, newest first. */
export async function fetchOlder(reader: FolderReader): Promise<void> {
  let left = reader.olderUids
  await readOn(reader, {
    remaining: () => left.length,
    take(count) {
      const uids = left.slice(-count)
      left = left.slice(0, -count)
      const low = left.length === 0 ? 1 : (uids[0] ?? reader.saved.low_uid)
      return { uids, move: { low_uid: low, olderUids: left } }
    },
  })
}

/**
 * UIDs that are still to be read. `take` returns the next ones, ascending, and how the cursor moves once they are
 * stored.
 */
type Remaining = { remaining(): number; take(count: number): { uids: number[]; move: CursorMove } }

async function readOn(reader: FolderReader, uids: Remaining): Promise<void> {
  const { pass } = reader
  checkPass(pass)
  if (wantsEnvelopes(reader, uids.remaining())) {
    const { uids: some, move } = uids.take(ENVELOPE_FETCH)
    const wanted = await unknown(reader, some)
    const { entries, later } = await listEnvelopes(reader, wanted)
    const listed = await withoutDoubtful(reader, entries)
    const named = new Set(listed.map(({ uid }) => uid))
    // Where the server wants a pause, the cursor stays before what did not come.
    const came = later === null ? wanted : entries.map(({ uid }) => uid).sort((a, b) => a - b)
    const whole = came.filter((uid) => !named.has(uid))
    const block = { listed, whole, waiting: new Map(), move: later === null ? move : {} }
    await storeBlocks(reader, once(block))
    if (later !== null) throw later
    return
  }
  const until = Date.now() + RUN_MS
  let isFirst = true
  await storeBlocks(reader, async (pace) => {
    if (pace !== null) updateReader(reader, { msPerMail: pace })
    if (!isFirst) {
      const goesOn = uids.remaining() > 0 && reader.msPerMail !== null && Date.now() < until
      if (!goesOn || wantsEnvelopes(reader, uids.remaining())) return null
    }
    isFirst = false
    const { uids: some, move } = uids.take(reader.msPerMail === null ? FIRST_BLOCK : WHOLE_BLOCK)
    return { listed: [], whole: await unknown(reader, some), waiting: new Map(), move }
  })
}

function once(block: Block): NextBlock {
  const left = [block]
  return async () => left.shift() ?? null
}

function wantsEnvelopes(reader: FolderReader, remaining: number): boolean {
  const { role } = reader.folder
  const mostlyKnown = reader.uidValidityChanged || (role !== 'inbox' && role !== 'junk')
  if (mostlyKnown) return remaining > WHOLE_WHERE_KNOWN_MAX
  if (remaining <= WHOLE_MAX || reader.msPerMail === null) return false
  return remaining * reader.msPerMail > SLOW_FETCH_MS
}

/** Which of these ascending UIDs are neither stored nor put aside. */
async function unknown(reader: FolderReader, uids: readonly number[]): Promise<number[]> {
  const known = await knownUids(reader.pass.context.db, reader.at, uids[0] ?? 0, uids.at(-1) ?? 0)
  return uids.filter((uid) => !known.has(uid))
}

/** Fetches the bodies of messages that are listed without them, newest first. */
export async function fetchIncomplete(reader: FolderReader): Promise<void> {
  const { pass, at } = reader
  checkPass(pass)
  const mails = await incompleteMails(pass.context.db, at, INCOMPLETE_FETCH)
  if (mails.length === 0) return updateReader(reader, { incomplete: 0 })
  const waiting = new Map(mails.map((mail) => [mail.uid, mail]))
  const whole = [...waiting.keys()].sort((a, b) => a - b)
  await storeBlocks(reader, once({ listed: [], whole, waiting, move: {} }))
  const { incomplete } = await countKnown(pass.context.db, at, pass.context.clock.now())
  // A message that the server no longer has cannot be completed and must not be fetched over and over.
  const after = await incompleteMails(pass.context.db, at, INCOMPLETE_FETCH)
  const isGone = after.length > 0 && after.every(({ uid }) => waiting.has(uid))
  updateReader(reader, { incomplete: isGone ? 0 : incomplete })
}

/**
 * Fetches a block of messages once more that were put aside, or missed between the others. Where the server still
 * refuses one of them, the other blocks wait for the next pass.
 */
export async function fetchAgain(reader: FolderReader): Promise<void> {
  const { pass, at } = reader
  checkPass(pass)
  const whole = reader.againUids.slice(0, AGAIN_BLOCK).sort((a, b) => a - b)
  const waiting = await bodiless(pass.context.db, at, whole)
  const refused = await storeBlocks(reader, once({ listed: [], whole, waiting, move: {}, again: true }))
  updateReader(reader, { againUids: refused > 0 ? [] : reader.againUids.slice(AGAIN_BLOCK) })
}

/**
 * Lists messages by their envelopes. Those whose envelope the server cannot make are left out; `later` when it wants a
 * pause before the others.
 */
async function listEnvelopes(
  reader: FolderReader,
  uids: readonly number[],
): Promise<{ entries: Entry[]; later: ImapFailure | null }> {
  const { pass, at, folderContext } = reader
  const [from, to] = [uids[0], uids.at(-1)]
  if (from === undefined || to === undefined) return { entries: [], later: null }
  const wanted = new Set(uids)
  return withReconnect(pass, async () => {
    const entries: Entry[] = []
    await atFolder(pass, at)
    try {
      for await (const row of pass.session.envelopes({ from, to })) {
        const mail = wanted.has(row.uid)
          ? incomingEnvelope(row, folderContext, pass.context.clock.now())
          : null
        if (mail !== null) entries.push({ uid: row.uid, mail: factsOf(mail), row: mailRow(mail), raw: null })
      }
    } catch (error) {
      const failure = refusalOf(pass, error)
      return { entries, later: failure.kind === 'later' ? failure : null }
    }
    return { entries, later: null }
  })
}

/**
 * Leaves out messages whose envelope does not tell whether they are copies of a stored one: those are fetched whole.
 */
async function withoutDoubtful({ pass, at }: FolderReader, listed: Entry[]): Promise<Entry[]> {
  const { context } = pass
  const ids = listed.map(({ mail }) => mail.messageId)
  const doubtful = await maybeKnown(
    context,
    context.db,
    at,
    listed,
    await mailsNamed(context.db, at.userId, ids, at),
  )
  return listed.filter((entry) => !doubtful.has(entry))
}

/** Records that the folder was read, as far as it is known. */
export async function noteFolderRead(reader: FolderReader): Promise<void> {
  const { pass } = reader
  const done = !hasNewer(reader) && !hasOlder(reader) && !hasIncomplete(reader)
  const changes = {
    last_read_at: pass.context.clock.now(),
    last_error: null,
    ...(done ? { behind: 0 } : {}),
  }
  await whileHeld(pass, (tx) => saveFolder(tx, { ...reader.saved, ...changes }))
  noteSaved(reader, changes)
}
