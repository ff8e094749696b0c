import { availableParallelism } from 'node:os'
import type { FolderContext } from './incoming-message.ts'
import {
  type ParsedBatch,
  type ParseResult,
  type MailToParse,
  pack,
  parseOne,
  unpack,
} from './parse-batch.ts'
import {
  makeThreadPool,
  type PoolOptions,
  ThreadEnded,
} from '../../../platform/worker-threads/thread-pool.ts'

/** Parser threads; one core is left for everything else. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1))
/** The worst message within the parser's limits takes a few seconds; anything slower was built to be slow. */
const DEADLINE_MS = 30_000
/** Threads without work end after this: each holds some 20 MB. */
const IDLE_MS = 30_000
/**
 * Batches this small are parsed in this thread while no parser thread is running, because starting one takes longer.
 * The most hostile batch of this size takes less than 20 ms.
 */
const AT_ONCE = { mails: 5, bytes: 12_000 }

export type ParsePool = {
  /**
   * Parses messages, in the order given. A message that kills its thread or takes too long comes back as a fault,
   * alone.
   *
   * @throws Error when no thread can be started
   */
  parseMails(mails: readonly MailToParse[], folder: FolderContext): Promise<ParseResult[]>
}

/** Threads that parse messages, started when there is work. A message built to stop its parser stops nothing else. */
export function makeParsePool({
  threads = THREADS,
  deadlineMs = DEADLINE_MS,
  idleMs = IDLE_MS,
  entry = new URL('./parse-worker.ts', import.meta.url),
}: Partial<PoolOptions> = {}): ParsePool {
  const pool = makeThreadPool({ threads, deadlineMs, idleMs, entry })

  const parseInThread = async (
    mails: readonly MailToParse[],
    folder: FolderContext,
  ): Promise<ParseResult[]> => {
    try {
      const read = await pool.ask(() => {
        const batch = pack(mails, folder)
        return { message: batch, handOver: [batch.bytes.buffer] }
      })
      return unpack(read as ParsedBatch)
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error
      if (mails.length === 1) return [{ fault: `This mail cannot be read: ${error.message}` }]
      return (await Promise.all(mails.map((mail) => parseInThread([mail], folder)))).flat()
    }
  }

  return {
    async parseMails(mails, folder) {
      const bytes = mails.reduce((sum, { raw }) => sum + raw.length, 0)
      if (pool.isRunning || mails.length > AT_ONCE.mails || bytes > AT_ONCE.bytes)
        return parseInThread(mails, folder)
      return Promise.all(mails.map((mail) => parseOne(mail, folder)))
    },
  }
}
