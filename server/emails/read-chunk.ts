import { setImmediate as breathe } from 'node:timers/promises'
import type { Tx } from '../database/connect.ts'
import { inTransaction } from '../database/transaction.ts'
import { parseMail } from '../mail/parse.ts'
import { holdsMailbox, type MailboxFolder, saveFolder } from '../mailboxes/mailboxes.ts'
import { type ChunkMail, readyChunk, storeChunk } from './ingest-chunk.ts'
import { knowGrownTables, type PutAside, putAside } from './ingest-folder-store.ts'
import { incomingMail, type Place } from './ingest-mail.ts'
import type { UidSpace } from './ingest-store.ts'
import { checkTurn, MailboxTaken, type ReadFolder, type Turn } from './read-turn.ts'
import { fetchSurely, isCut, type WindowRow } from './read-window.ts'

/** Mails written in one transaction … */
const CHUNK_MAILS = 200
/** … and bytes at most, so that memory stays flat. */
const CHUNK_BYTES = 8 * 1024 * 1024

/** A folder while it is being read: how far it is stored, and what is still to come. */
export type FolderReader = {
  turn: Turn
  folder: ReadFolder
  place: Place
  at: UidSpace
  /** As it is saved with every chunk. */
  saved: MailboxFolder
  /** The highest UID that was given out when the folder was looked into. */
  newestUid: number
  /** UIDs above the stored range, ascending. */
  above: number[]
  /** UIDs below the stored range, ascending: the next ones are at the end. */
  below: number[]
  /** Mails whose words are still to come. */
  incomplete: number
  /** The folder was numbered anew: its mails are mostly known, by their Message-ID. */
  renumbered: boolean
  msPerMail: number | null
}

/** Where the cursor stands when a window is stored, and what is then still to come. */
export type Move = { low_uid?: number; high_uid?: number; above?: number[]; below?: number[] }

/** @throws MailboxTaken when the account is no longer this worker's */
export async function assertHeld({ turn }: FolderReader, tx: Tx): Promise<void> {
  const held = await holdsMailbox(tx, turn.mailbox.user_id, turn.mailbox.id, turn.context.workerId)
  if (!held) throw new MailboxTaken()
}

export type Entry = ChunkMail & { uid: number }
export type Waiting = ReadonlyMap<number, { emailId: number; threadId: number }>

/**
 * Stores a window: what is listed by its envelope, and what is fetched whole, in chunks of bounded size. The cursor moves
 * with the last chunk; those before it are known by their places if reading is cut off in between. While a chunk is
 * being written the next one is being fetched.
 */
export async function storeWindow(
  reader: FolderReader,
  listed: Entry[],
  whole: readonly number[],
  waiting: Waiting,
  move: Move,
): Promise<void> {
  let reading: Promise<Entry | PutAside>[] = listed.map((entry) => Promise.resolve(entry))
  let bytes = 0
  let writing: Promise<void> = Promise.resolve()
  const flush = async (last: boolean) => {
    const read = await Promise.all(reading)
    ;[reading, bytes] = [[], 0]
    await writing
    const aside = read.filter((each) => 'reason' in each)
    writing = writeChunk(reader, {
      mails: read.filter((each) => 'mail' in each),
      aside,
      move: last ? move : null,
    })
    // Whoever awaits it next hears of the failure.
    writing.catch(() => {})
  }
  try {
    for await (const found of fetchSurely(reader.turn, reader.at, whole)) {
      // Mails are read while the next ones come in: reading waits more than it works.
      reading.push(readRow(reader, found, waiting))
      bytes += 'row' in found ? (found.row.raw?.length ?? 0) : 0
      if (bytes < CHUNK_BYTES && reading.length < CHUNK_MAILS) continue
      await flush(false)
      checkTurn(reader.turn)
    }
    await flush(true)
    await writing
  } catch (error) {
    // What has come is kept, so that a poor connection gets on a little each time.
    if (reading.length > 0)
      await writing
        .then(() => flush(false))
        .then(
          () => writing,
          () => {},
        )
    throw error
  }
}

function completing(waiting: Waiting, uid: number): Pick<ChunkMail, 'completes'> {
  const row = waiting.get(uid)
  return row === undefined ? {} : { completes: row }
}

/** A mail read, or the reason why it is put aside. Never throws. */
async function readRow(reader: FolderReader, found: WindowRow, waiting: Waiting): Promise<Entry | PutAside> {
  const { uid } = found
  if ('refused' in found) return { uid, reason: found.refused, size: found.size }
  const { row } = found
  if (row.raw === null || isCut(row)) return { uid, reason: 'This mail is too large.', size: row.size }
  // Reading mails is work of this thread only; requests get their turn in between.
  await breathe()
  const arrival = {
    flags: row.flags,
    size: row.size,
    receivedAt: row.internalDate ?? reader.turn.context.clock.now(),
  }
  try {
    return {
      uid,
      mail: incomingMail(await parseMail(row.raw), row.raw, reader.place, arrival),
      ...completing(waiting, uid),
    }
  } catch (error) {
    reader.turn.context.log.warn(
      { err: error, uid, path: reader.folder.path },
      'a mail could not be read and was put aside',
    )
    return {
      uid,
      reason: error instanceof Error ? error.message.slice(0, 500) : 'This mail cannot be read.',
      size: row.size,
    }
  }
}

type FolderChunk = { mails: readonly Entry[]; aside: readonly PutAside[]; move: Move | null }

async function writeChunk(reader: FolderReader, chunk: FolderChunk): Promise<void> {
  try {
    await commitChunk(reader, chunk)
  } catch (error) {
    if (!isAboutContent(error)) throw error
    // One of the mails holds something that the database refuses: find out which, the others are fine.
    const aside = [...chunk.aside]
    for (const mail of chunk.mails) {
      await commitChunk(reader, { mails: [mail], aside: [], move: null }).catch((fault: unknown) => {
        if (!isAboutContent(fault)) throw fault
        reader.turn.context.log.error(
          { err: fault, uid: mail.uid },
          'a mail could not be stored and was put aside',
        )
        aside.push({ uid: mail.uid, reason: 'This mail could not be stored.', size: mail.mail.size })
      })
    }
    await commitChunk(reader, { mails: [], aside, move: chunk.move })
  }
}

/** SQLSTATE classes of what is wrong with the data itself: data exception, limits exceeded. */
function isAboutContent(error: unknown): boolean {
  return /^(22|54)/.test((error as { code?: string }).code ?? '')
}

/** Mails, what follows from them, and the cursor: all or nothing. */
async function commitChunk(reader: FolderReader, { mails, aside, move }: FolderChunk): Promise<void> {
  const { turn, at } = reader
  const { context } = turn
  const ready = await readyChunk(context, context.db, { ...at, at, mails })
  const { above = reader.above, below = reader.below, ...cursor } = move ?? {}
  const saved = { ...reader.saved, ...cursor }
  const stored = await inTransaction(context.db, async (tx) => {
    await assertHeld(reader, tx)
    const result = await storeChunk(context, tx, ready)
    await putAside(tx, at, aside, context.clock.now())
    const incomplete = Math.max(0, reader.incomplete + result.incomplete)
    saved.behind = above.length + below.length + incomplete
    await saveFolder(tx, saved)
    if (mails.length > 0) await context.live.publish(tx, at.userId, { topic: 'emails' })
    if (result.touchesContacts) await context.live.publish(tx, at.userId, { topic: 'contacts' })
    await context.live.publish(tx, at.userId, { topic: 'mailboxes' })
    return { ...result, incomplete }
  })
  Object.assign(reader, { saved, above, below, incomplete: stored.incomplete })
  turn.added += stored.added
  if (turn.added >= turn.lookAt) {
    await knowGrownTables(context.db, turn.added)
    turn.lookAt = turn.added * 5
  }
  for (const key of stored.unusedBlobs) await context.blobs.delete(key)
}
