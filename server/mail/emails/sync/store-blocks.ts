import { inTransaction, confirmLater } from '../../../platform/database/transaction.ts'
import { saveFolder } from '../../mailboxes/mailboxes.ts'
import { type ChunkMail, type ReadyChunk, readyChunk, storeChunk } from '../ingest/ingest-chunk.ts'
import { type PutAside, putAside, takeBack } from './folder-state-store.ts'
import { freeRowBuffers } from '../ingest/message-rows.ts'
import { withOldDigests } from '../ingest/old-digests.ts'
import { analyzeWhileSyncing } from './analyze-grown-tables.ts'
import { assertHeld, checkPass, updatePass } from './sync-pass.ts'
import { makeBatchParser, type BatchParser } from './parse-fetched.ts'
import { fetchMessages } from './fetch-messages.ts'
import { UNREADABLE_GROWTH } from './poll-intervals.ts'
import {
  type FolderReader,
  type CursorMove,
  type Entry,
  updateReader,
  type Waiting,
} from './folder-reader.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/** Messages written in one transaction … */
const CHUNK_MAILS = 1000
/** … and bytes at most, so that memory stays flat. */
const CHUNK_BYTES = 8 * 1024 * 1024
/** Chunks that are fetched but not yet parsed or written. */
const CHUNKS_IN_HAND = 3
/** Messages to store in one go: those listed from their envelopes, and those to fetch whole. */
export type Block = {
  listed: Entry[]
  whole: readonly number[]
  /** Rows that wait for the bodies of messages in `whole`. */
  waiting: Waiting
  move: CursorMove
  /** Messages that were put aside are among them. */
  again?: boolean
}

/** Returns the next block, given the milliseconds from one message to the next; null at the end. */
export type NextBlock = (pace: number | null) => Promise<Block | null>

/**
 * Stores blocks of messages in chunks of bounded size. The cursor moves with a block's last chunk; if the sync is cut
 * off earlier, the chunks before it are recognized by their locations. While messages are fetched, earlier ones are
 * parsed in another thread and those before them are written, in order.
 *
 * @returns how many messages the server refused
 */
export async function storeBlocks(reader: FolderReader, next: NextBlock): Promise<number> {
  let refused = 0
  let writing: Promise<void> = Promise.resolve()
  const inHand: Promise<void>[] = []
  const flush = (rows: BatchParser, listed: Entry[], move: CursorMove | null, again = false) => {
    const before = writing
    const read = rows.finish()
    const write = async () => {
      const parsed = await read
      const mails = [...listed, ...parsed.filter((each) => 'mail' in each)]
      const aside = parsed.filter((each) => 'reason' in each)
      const ready = await readyMails(reader, mails)
      await before
      await writeChunk(reader, { ready, aside, move, again })
      freeRowBuffers(mails.map(({ row }) => row))
    }
    writing = write()
    // Whoever awaits it next sees the failure.
    writing.catch(() => {})
    inHand.push(writing)
  }
  const fetchBlock = async ({ listed, whole, waiting, move, again }: Block): Promise<number | null> => {
    const rows = makeBatchParser(reader, waiting)
    let [firstAt, came] = [0, 0]
    try {
      for await (const found of fetchMessages(reader.pass, reader.at, whole)) {
        if (came === 0) firstAt = performance.now()
        came += 1
        if ('refused' in found) refused += 1
        rows.add(found)
        if (rows.bytes < CHUNK_BYTES && rows.count < CHUNK_MAILS) continue
        flush(rows, listed.splice(0), null, again)
        if (inHand.length >= CHUNKS_IN_HAND) await inHand.shift()
        checkPass(reader.pass)
      }
    } catch (error) {
      // What has arrived is kept, so that a poor connection still makes progress.
      if (rows.count > 0 || listed.length > 0) flush(rows, listed, null, again)
      throw error
    }
    const pace = came > 1 ? (performance.now() - firstAt) / (came - 1) : null
    flush(rows, listed, move, again)
    return pace
  }
  try {
    for (let block = await next(null); block !== null;) {
      const pace = await fetchBlock(block)
      block = await next(pace)
      if (block === null) break
      if (inHand.length >= CHUNKS_IN_HAND) await inHand.shift()
      checkPass(reader.pass)
    }
    await writing
    return refused
  } catch (error) {
    await writing.catch(() => {})
    throw error
  }
}

type FolderChunk = {
  ready: ReadyChunk
  aside: readonly PutAside[]
  move: CursorMove | null
  again: boolean
}

function readyMails({ pass, at }: FolderReader, mails: readonly ChunkMail[]): Promise<ReadyChunk> {
  return readyChunk(pass.context, pass.context.db, { ...at, at, mails })
}

async function writeChunk(reader: FolderReader, chunk: FolderChunk): Promise<void> {
  try {
    await commitChunk(reader, chunk)
  } catch (error) {
    if (!isAboutContent(error)) throw error
    // The database refuses something in one of the messages. Find out which; the others are fine.
    const aside = [...chunk.aside]
    for (const mail of chunk.ready.mails) {
      const alone = { ...chunk, ready: await readyMails(reader, [mail]), aside: [], move: null }
      await commitChunk(reader, alone).catch((fault: unknown) => {
        if (!isAboutContent(fault)) throw fault
        const { uid } = mail
        reader.pass.context.log.error({ err: fault, uid }, 'a message could not be stored and was put aside')
        if (uid !== null)
          aside.push({
            uid,
            reason: 'This email could not be stored.',
            size: mail.mail.size,
            growth: UNREADABLE_GROWTH,
          })
      })
    }
    await commitChunk(reader, { ...chunk, ready: await readyMails(reader, []), aside })
  }
}

/** SQLSTATE classes of faults in the data itself: data exception, limits exceeded. */
function isAboutContent(error: unknown): boolean {
  return /^(22|54)/.test((error as { code?: string }).code ?? '')
}

/** Messages, what follows from them, and the cursor: all or nothing. */
async function commitChunk(reader: FolderReader, { ready, aside, move, again }: FolderChunk): Promise<void> {
  const { pass, at } = reader
  const { context } = pass
  const { newerUids = reader.newerUids, olderUids = reader.olderUids, ...cursor } = move ?? {}
  const saved = { ...reader.saved, ...cursor }
  const store = async (tx: Tx, digested: ReadonlySet<number>) => {
    await confirmLater(tx)
    await assertHeld(pass, tx)
    if (again) await takeBack(tx, at, uidsOf(ready))
    const result = await storeChunk(context, tx, ready, digested)
    await putAside(tx, at, aside, context.clock.now())
    const incomplete = Math.max(0, reader.incomplete + result.incomplete)
    // In the middle of a block the cursor stays, and what is stored is no longer to come.
    saved.behind =
      move === null && !again
        ? Math.max(0, reader.saved.behind - ready.mails.length)
        : newerUids.length + olderUids.length + incomplete
    await saveFolder(tx, saved)
    if (ready.mails.length > 0) await context.live.publish(tx, at.userId, { topic: 'emails' })
    if (result.touchesContacts) await context.live.publish(tx, at.userId, { topic: 'contacts' })
    await context.live.publish(tx, at.userId, { topic: 'mailboxes' })
    return { ...result, incomplete }
  }
  const stored = await withOldDigests(context, context.db, at.userId, (digested) =>
    inTransaction(context.db, (tx) => store(tx, digested)),
  )
  updateReader(reader, { saved, newerUids, olderUids, incomplete: stored.incomplete })
  updatePass(pass, { added: pass.added + stored.added })
  analyzeWhileSyncing(pass)
  for (const key of stored.unusedBlobs) await context.blobs.delete(key)
}

function uidsOf({ mails }: ReadyChunk): number[] {
  return mails.flatMap(({ uid }) => (uid === null ? [] : [uid]))
}
