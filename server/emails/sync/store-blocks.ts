import { inTransaction, confirmLater } from '../../database/transaction.ts'
import { saveFolder } from '../../mailboxes/mailboxes.ts'
import { type ChunkMail, type ReadyChunk, readyChunk, storeChunk } from '../ingest/ingest-chunk.ts'
import { type PutAside, putAside } from './folder-state-store.ts'
import { freeRowBuffers } from '../ingest/message-rows.ts'
import { analyzeWhileSyncing } from './analyze-grown-tables.ts'
import { checkPass } from './sync-pass.ts'
import { makeRowReader, type RowReader } from './parse-fetched.ts'
import { fetchMessages } from './fetch-messages.ts'
import type { FolderReader, CursorMove, Entry, Waiting } from './folder-reader.ts'
import { assertHeld } from './folder-reader.ts'

/** Mails written in one transaction … */
const CHUNK_MAILS = 1000
/** … and bytes at most, so that memory stays flat. */
const CHUNK_BYTES = 8 * 1024 * 1024
/** Chunks that have been fetched and are still being read or written. */
const CHUNKS_IN_HAND = 3
/** Mails that are stored one after the other: what is listed by its envelope, and what is fetched whole. */
export type Block = {
  listed: Entry[]
  whole: readonly number[]
  /** Rows that wait for the words of mails in `whole`. */
  waiting: Waiting
  move: CursorMove
}

/** Says what to store next, knowing how many milliseconds it took from one mail to the next; null is the end. */
export type NextBlock = (pace: number | null) => Promise<Block | null>

/**
 * Stores blocks of mails, in chunks of bounded size. The cursor moves with a block's last chunk; those before it are known
 * by their places if reading is cut off in between. While mails are being fetched, those before them are read in another
 * thread, and those before these are written, in their order.
 */
export async function storeBlocks(reader: FolderReader, next: NextBlock): Promise<void> {
  let writing: Promise<void> = Promise.resolve()
  const inHand: Promise<void>[] = []
  const flush = (rows: RowReader, listed: Entry[], move: CursorMove | null) => {
    const before = writing
    const read = rows.finish()
    const write = async () => {
      const outcomes = await read
      const mails = [...listed, ...outcomes.filter((each) => 'mail' in each)]
      const aside = outcomes.filter((each) => 'reason' in each)
      const ready = await readyMails(reader, mails)
      await before
      await writeChunk(reader, { ready, aside, move })
      freeRowBuffers(mails.map(({ row }) => row))
    }
    writing = write()
    // Whoever awaits it next hears of the failure.
    writing.catch(() => {})
    inHand.push(writing)
  }
  const fetchBlock = async ({ listed, whole, waiting, move }: Block): Promise<number | null> => {
    const rows = makeRowReader(reader, waiting)
    let [firstAt, came] = [0, 0]
    try {
      for await (const found of fetchMessages(reader.turn, reader.at, whole)) {
        if (came === 0) firstAt = performance.now()
        came += 1
        rows.add(found)
        if (rows.bytes < CHUNK_BYTES && rows.count < CHUNK_MAILS) continue
        flush(rows, listed.splice(0), null)
        if (inHand.length >= CHUNKS_IN_HAND) await inHand.shift()
        checkPass(reader.turn)
      }
    } catch (error) {
      // What has come is kept, so that a poor connection gets on a little each time.
      if (rows.count > 0) flush(rows, listed, null)
      throw error
    }
    const pace = came > 1 ? (performance.now() - firstAt) / (came - 1) : null
    flush(rows, listed, move)
    return pace
  }
  try {
    for (let block = await next(null); block !== null;) {
      const pace = await fetchBlock(block)
      block = await next(pace)
      if (block === null) break
      if (inHand.length >= CHUNKS_IN_HAND) await inHand.shift()
      checkPass(reader.turn)
    }
    await writing
  } catch (error) {
    await writing.catch(() => {})
    throw error
  }
}

type FolderChunk = { ready: ReadyChunk; aside: readonly PutAside[]; move: CursorMove | null }

function readyMails({ turn, at }: FolderReader, mails: readonly ChunkMail[]): Promise<ReadyChunk> {
  return readyChunk(turn.context, turn.context.db, { ...at, at, mails })
}

async function writeChunk(reader: FolderReader, chunk: FolderChunk): Promise<void> {
  try {
    await commitChunk(reader, chunk)
  } catch (error) {
    if (!isAboutContent(error)) throw error
    // One of the mails holds something that the database refuses: find out which, the others are fine.
    const aside = [...chunk.aside]
    for (const mail of chunk.ready.mails) {
      const alone = { ready: await readyMails(reader, [mail]), aside: [], move: null }
      await commitChunk(reader, alone).catch((fault: unknown) => {
        if (!isAboutContent(fault)) throw fault
        const { uid } = mail
        reader.turn.context.log.error({ err: fault, uid }, 'a mail could not be stored and was put aside')
        if (uid !== null) aside.push({ uid, reason: 'This mail could not be stored.', size: mail.mail.size })
      })
    }
    await commitChunk(reader, { ready: await readyMails(reader, []), aside, move: chunk.move })
  }
}

/** SQLSTATE classes of what is wrong with the data itself: data exception, limits exceeded. */
function isAboutContent(error: unknown): boolean {
  return /^(22|54)/.test((error as { code?: string }).code ?? '')
}

/** Mails, what follows from them, and the cursor: all or nothing. */
async function commitChunk(reader: FolderReader, { ready, aside, move }: FolderChunk): Promise<void> {
  const { turn, at } = reader
  const { context } = turn
  const { above = reader.newerUids, below = reader.olderUids, ...cursor } = move ?? {}
  const saved = { ...reader.saved, ...cursor }
  const stored = await inTransaction(context.db, async (tx) => {
    await confirmLater(tx)
    await assertHeld(reader, tx)
    const result = await storeChunk(context, tx, ready)
    await putAside(tx, at, aside, context.clock.now())
    const incomplete = Math.max(0, reader.incomplete + result.incomplete)
    saved.behind = above.length + below.length + incomplete
    await saveFolder(tx, saved)
    if (ready.mails.length > 0) await context.live.publish(tx, at.userId, { topic: 'emails' })
    if (result.touchesContacts) await context.live.publish(tx, at.userId, { topic: 'contacts' })
    await context.live.publish(tx, at.userId, { topic: 'mailboxes' })
    return { ...result, incomplete }
  })
  Object.assign(reader, { saved, above, below, incomplete: stored.incomplete })
  turn.added += stored.added
  analyzeWhileSyncing(turn)
  for (const key of stored.unusedBlobs) await context.blobs.delete(key)
}
