import type { ImapRawRow } from '../../../platform/gateways/imap.ts'
import { freeBuffer } from '../ingest/message-rows.ts'
import type { PutAside } from './folder-state-store.ts'
import { RAW_IN_DATABASE_MAX } from '../content/pack-raw.ts'
import type { ParseResult } from '../ingest/parse-batch.ts'
import { makeParsePool } from '../ingest/parse-pool.ts'
import { isCut, type FetchedMessage } from './fetch-messages.ts'
import type { Entry, FolderReader, Waiting } from './folder-reader.ts'
import { UNREADABLE_GROWTH } from './poll-intervals.ts'

/** Messages sent to a parser thread together: each transfer costs as much as parsing a small message … */
const BATCH_MAILS = 100
/** … and bytes; beyond this the transfer costs nothing compared with the parsing. */
const BATCH_BYTES = 512 * 1024

const pool = makeParsePool()

type Row = ImapRawRow & { raw: Buffer }

/** Messages collected for one transfer. Those that are not needed afterwards share `memory`. */
type Collected = { rows: Row[]; bytes: number; memory: Buffer<ArrayBuffer> | null; used: number }

const nothing = (): Collected => ({ rows: [], bytes: 0, memory: null, used: 0 })

function collect(batch: Collected, row: Row): void {
  const { raw } = row
  batch.bytes += raw.length
  // A large message is kept until it is in the blob store.
  if (raw.length > RAW_IN_DATABASE_MAX) {
    batch.rows.push(row)
    return
  }
  batch.memory ??= Buffer.allocUnsafeSlow(BATCH_BYTES + RAW_IN_DATABASE_MAX)
  const moved = batch.memory.subarray(batch.used, batch.used + raw.length)
  moved.set(raw)
  batch.used += raw.length
  batch.rows.push({ ...row, raw: moved })
}

export type BatchParser = ReturnType<typeof makeBatchParser>

/** Parses messages as they arrive. `finish` returns the results since the last call and starts over. */
export function makeBatchParser(reader: FolderReader, waiting: Waiting) {
  let reading: Promise<(Entry | PutAside)[]>[] = []
  let batch = nothing()
  let [count, bytes] = [0, 0]

  const send = () => {
    const { rows, memory } = batch
    batch = nothing()
    if (rows.length === 0) return
    const sent = readBatch(reader, rows, waiting).finally(() => {
      if (memory !== null) freeBuffer(memory)
    })
    // Whoever awaits the chunk sees the failure.
    sent.catch(() => {})
    reading.push(sent)
  }

  return {
    get count() {
      return count
    },
    get bytes() {
      return bytes
    },
    add(found: FetchedMessage): void {
      count += 1
      const ready = toRead(found)
      if ('reason' in ready) {
        reading.push(Promise.resolve([ready]))
        return
      }
      collect(batch, ready)
      bytes += ready.raw.length
      if (batch.rows.length >= BATCH_MAILS || batch.bytes >= BATCH_BYTES) send()
    },
    finish(): Promise<(Entry | PutAside)[]> {
      send()
      const all = Promise.all(reading).then((batches) => batches.flat())
      ;[reading, count, bytes] = [[], 0, 0]
      return all
    },
  }
}

function toRead(found: FetchedMessage): Row | PutAside {
  if ('refused' in found)
    return { uid: found.uid, reason: found.refused, size: found.size, growth: found.growth }
  const { row } = found
  if (row.raw === null || isCut(row))
    return { uid: row.uid, reason: 'This email is too large.', size: row.size, growth: UNREADABLE_GROWTH }
  return { ...row, raw: row.raw }
}

async function readBatch(
  reader: FolderReader,
  rows: readonly Row[],
  waiting: Waiting,
): Promise<(Entry | PutAside)[]> {
  const mails = rows.map(({ raw, flags, size, internalDate }) => ({
    raw,
    arrival: { flags, size, receivedAt: internalDate ?? reader.pass.context.clock.now() },
  }))
  const read = await pool.parseMails(mails, reader.folderContext)
  return rows.map((row, index) => entryOf(reader, row, read[index], waiting))
}

function entryOf(
  reader: FolderReader,
  { uid, size, raw }: Row,
  read: ParseResult | undefined,
  waiting: Waiting,
): Entry | PutAside {
  if (read !== undefined && 'mail' in read) {
    const completes = waiting.get(uid)
    const large = raw.length > RAW_IN_DATABASE_MAX ? raw : null
    return {
      uid,
      mail: read.mail,
      row: read.row,
      raw: large,
      ...(completes === undefined ? {} : { completes }),
    }
  }
  const reason = read?.fault ?? 'This email cannot be read.'
  const { context } = reader.pass
  context.log.warn(
    { uid, path: reader.folder.path, reason },
    'a message could not be parsed and was put aside',
  )
  return { uid, reason, size, growth: UNREADABLE_GROWTH }
}
