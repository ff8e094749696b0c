import type { FolderStatus } from '../../gateways/imap.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type MailboxFolder, saveFolder } from '../../mailboxes/mailboxes.ts'
import { countKnown, dropGone, dropOldNumbering, incompleteMails } from './folder-state-store.ts'
import { factsOf, incomingEnvelope } from '../ingest/incoming-message.ts'
import { mailRow } from '../ingest/message-rows.ts'
import { compareFlags } from './compare-flags.ts'
import { noteRenumbered, takeFlags } from './relocations-store.ts'
import { type Block, type NextBlock, storeBlocks } from './store-blocks.ts'
import { checkPass, type ReadFolder, select, type SyncPass } from './sync-pass.ts'
import { atFolder, withReconnect } from './fetch-messages.ts'
import { knownUids } from '../messages/locations-store.ts'
import { assertHeld, type Entry, type FolderReader, type CursorMove } from './folder-reader.ts'

/** Mails of the first block: the newest are to be there at once. */
const FIRST_BLOCK = 200
/** Mails of the blocks after it: the newest are still to come first. */
const WHOLE_BLOCK = 500
/** Blocks follow each other without a pause for so long; then the inbox is looked at again. */
const RUN_MS = 5000
/** Mails that are listed already and whose words are asked for at once, the newest first. */
const WORDS_WINDOW = 1000
/** Envelopes asked for in one command. */
const ENVELOPE_WINDOW = 500
/** Up to this many mails are fetched whole at once, whatever they weigh. */
const WHOLE_MAX = 200
/** Where most mails are known from another folder, or are our own, envelopes tell it cheaply above this many. */
const WHOLE_WHERE_KNOWN_MAX = 20
/** When fetching whole mails would take longer than this, the list is filled from envelopes first. */
const PATIENCE_MS = 5000
const FLAGS_AT_ONCE = 1000

/**
 * Looks into a folder: what is new, what is still to come, what has changed or gone. Stores nothing of mails yet.
 *
 * @param saved where reading came to the last time
 * @throws ImapFailure
 */
export async function inspectFolder(
  turn: SyncPass,
  folder: ReadFolder,
  saved: MailboxFolder | undefined,
): Promise<FolderReader> {
  return withReconnect(turn, async () => {
    const status = await select(turn, folder.path)
    const { user_id: userId, id: mailboxId } = turn.mailbox
    const at = { userId, mailboxId, path: folder.path, uidValidity: status.uidValidity }
    const renumbered = saved?.uid_validity != null && saved.uid_validity !== status.uidValidity
    const begun = saved !== undefined && saved.uid_validity === status.uidValidity
    const reader: FolderReader = {
      turn,
      folder,
      place: { role: folder.role, ownKeys: turn.ownKeys },
      at,
      saved: begun ? { ...saved, role: folder.role } : freshCursor(turn, folder, status),
      newestUid: status.uidNext - 1,
      newerUids: [],
      olderUids: [],
      incomplete: 0,
      renumbered,
      msPerMail: null,
    }
    if (renumbered) await resetUidValidity(reader)
    const { low_uid: low, high_uid: high } = reader.saved
    if (status.exists > 0 && status.uidNext > high + 1)
      reader.newerUids = await turn.session.existingUids({ from: high + 1 })
    if (status.exists > 0 && low > 1)
      reader.olderUids = await turn.session.existingUids({ from: 1, to: low - 1 })
    // UIDs that were given out and are gone again are passed over, or they would look like new mail for ever.
    if (reader.newerUids.length === 0) reader.saved.high_uid = Math.max(high, reader.newestUid)
    if (reader.olderUids.length === 0) reader.saved.low_uid = 1
    await lookForChanges(reader, status)
    return reader
  })
}

function freshCursor(turn: SyncPass, folder: ReadFolder, status: FolderStatus): MailboxFolder {
  return {
    user_id: turn.mailbox.user_id,
    mailbox_id: turn.mailbox.id,
    path: folder.path,
    role: folder.role,
    uid_validity: status.uidValidity,
    low_uid: status.uidNext,
    high_uid: status.uidNext - 1,
    mod_seq: status.highestModSeq ?? null,
    behind: status.exists,
    last_read_at: null,
    last_error: null,
  }
}

/** The UIDs that were noted mean nothing any more. The mails stay, and are known again by their Message-ID. */
async function resetUidValidity(reader: FolderReader): Promise<void> {
  await inTransaction(reader.turn.context.db, async (tx) => {
    await assertHeld(reader, tx)
    await noteRenumbered(tx, reader.at, reader.turn.context.clock.now())
    await dropOldNumbering(tx, reader.at)
    await saveFolder(tx, reader.saved)
  })
}

/** Takes over flags that changed elsewhere, forgets places that are gone, and counts what is still to come. */
async function lookForChanges(reader: FolderReader, status: FolderStatus): Promise<void> {
  const { turn, at, saved } = reader
  const { db } = turn.context
  if (
    saved.mod_seq !== null &&
    status.highestModSeq !== undefined &&
    saved.mod_seq !== status.highestModSeq
  ) {
    const rows: { uid: number; seen: boolean; flagged: boolean }[] = []
    for await (const { uid, flags } of turn.session.flagsChangedSince(saved.mod_seq)) {
      rows.push({ uid, seen: flags.has('\\Seen'), flagged: flags.has('\\Flagged') })
    }
    await storeFlags(reader, rows)
  }
  if (status.highestModSeq === undefined && status.exists > 0) await compareFlags(reader)
  saved.mod_seq = status.highestModSeq ?? null
  let known = await countKnown(db, at)
  const unread = reader.newerUids.length + reader.olderUids.length
  if (known.located + known.aside + unread > status.exists) {
    const existing = await turn.session.existingUids()
    await inTransaction(db, async (tx) => {
      await assertHeld(reader, tx)
      await dropGone(tx, at, existing, turn.context.clock.now())
    })
    known = await countKnown(db, at)
  }
  reader.incomplete = known.incomplete
  saved.behind = unread + known.incomplete
}

async function storeFlags(
  reader: FolderReader,
  rows: readonly { uid: number; seen: boolean; flagged: boolean }[],
): Promise<void> {
  const { context, mailbox } = reader.turn
  for (let from = 0; from < rows.length; from += FLAGS_AT_ONCE) {
    await inTransaction(context.db, async (tx) => {
      await assertHeld(reader, tx)
      const changed = await takeFlags(tx, reader.at, rows.slice(from, from + FLAGS_AT_ONCE))
      if (changed > 0) await context.live.publish(tx, mailbox.user_id, { topic: 'emails' })
    })
  }
}

export function hasNewer(reader: FolderReader): boolean {
  return reader.newerUids.length > 0
}

export function hasOlder(reader: FolderReader): boolean {
  return reader.olderUids.length > 0
}

export function hasIncomplete(reader: FolderReader): boolean {
  return reader.incomplete > 0
}

/** Reads new mail for a while, from the oldest on: the cursor never passes over a mail. */
export async function fetchNewer(reader: FolderReader): Promise<void> {
  let left = reader.newerUids
  await readOn(reader, {
    remaining: () => left.length,
    take(count) {
      const uids = left.slice(0, count)
      left = left.slice(count)
      const high = Math.max(uids.at(-1) ?? 0, left.length === 0 ? reader.newestUid : 0)
      return { uids, move: { high_uid: high, above: left } }
    },
  })
}

/** Reads older mail for a while, the newest first. */
export async function fetchOlder(reader: FolderReader): Promise<void> {
  let left = reader.olderUids
  await readOn(reader, {
    remaining: () => left.length,
    take(count) {
      const uids = left.slice(-count)
      left = left.slice(0, -count)
      const low = left.length === 0 ? 1 : (uids[0] ?? reader.saved.low_uid)
      return { uids, move: { low_uid: low, below: left } }
    },
  })
}

/** UIDs that are still to be read; `take` gives the next ones, ascending, and how the cursor moves when they are stored. */
type Remaining = { remaining(): number; take(count: number): { uids: number[]; move: CursorMove } }

async function readOn(reader: FolderReader, uids: Remaining): Promise<void> {
  const { turn } = reader
  checkPass(turn)
  if (wantsEnvelopes(reader, uids.remaining())) {
    const { uids: some, move } = uids.take(ENVELOPE_WINDOW)
    const wanted = await unknown(reader, some)
    const listed = await listEnvelopes(reader, wanted)
    const named = new Set(listed.map(({ uid }) => uid))
    const whole = wanted.filter((uid) => !named.has(uid))
    await storeBlocks(reader, once({ listed, whole, waiting: new Map(), move }))
    return
  }
  const until = Date.now() + RUN_MS
  let isFirst = true
  await storeBlocks(reader, async (pace) => {
    reader.msPerMail = pace ?? reader.msPerMail
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
  const mostlyKnown = reader.renumbered || (role !== 'inbox' && role !== 'junk')
  if (mostlyKnown) return remaining > WHOLE_WHERE_KNOWN_MAX
  if (remaining <= WHOLE_MAX || reader.msPerMail === null) return false
  return remaining * reader.msPerMail > PATIENCE_MS
}

/** Of these ascending UIDs those that are neither stored nor put aside. */
async function unknown(reader: FolderReader, uids: readonly number[]): Promise<number[]> {
  const known = await knownUids(reader.turn.context.db, reader.at, uids[0] ?? 0, uids.at(-1) ?? 0)
  return uids.filter((uid) => !known.has(uid))
}

/** Fetches the words of mails that are listed without them, the newest first. */
export async function fetchIncomplete(reader: FolderReader): Promise<void> {
  const { turn, at } = reader
  checkPass(turn)
  const mails = await incompleteMails(turn.context.db, at, WORDS_WINDOW)
  if (mails.length === 0) {
    reader.incomplete = 0
    return
  }
  const waiting = new Map(mails.map((mail) => [mail.uid, mail]))
  const whole = [...waiting.keys()].sort((a, b) => a - b)
  await storeBlocks(reader, once({ listed: [], whole, waiting, move: {} }))
  reader.incomplete = (await countKnown(turn.context.db, at)).incomplete
  // What the server no longer has cannot be completed; it must not be asked for again and again.
  const after = await incompleteMails(turn.context.db, at, WORDS_WINDOW)
  if (after.length > 0 && after.every(({ uid }) => waiting.has(uid))) reader.incomplete = 0
}

async function listEnvelopes(reader: FolderReader, uids: readonly number[]): Promise<Entry[]> {
  const { turn, at, place } = reader
  const [from, to] = [uids[0], uids.at(-1)]
  if (from === undefined || to === undefined) return []
  const wanted = new Set(uids)
  return withReconnect(turn, async () => {
    const listed: Entry[] = []
    await atFolder(turn, at)
    for await (const row of turn.session.envelopes({ from, to })) {
      const mail = wanted.has(row.uid) ? incomingEnvelope(row, place, turn.context.clock.now()) : null
      if (mail !== null) listed.push({ uid: row.uid, mail: factsOf(mail), row: mailRow(mail), raw: null })
    }
    return listed
  })
}

/** Notes that the folder was read to its end, as far as is known, or why not. */
export async function noteFolderRead(reader: FolderReader): Promise<void> {
  const { turn } = reader
  const done = !hasNewer(reader) && !hasOlder(reader) && !hasIncomplete(reader)
  const saved = {
    ...reader.saved,
    last_read_at: turn.context.clock.now(),
    last_error: null,
    ...(done ? { behind: 0 } : {}),
  }
  await inTransaction(turn.context.db, async (tx) => {
    await assertHeld(reader, tx)
    await saveFolder(tx, saved)
  })
  reader.saved = saved
}
