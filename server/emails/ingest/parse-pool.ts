import { availableParallelism } from 'node:os'
import type { FolderContext } from './incoming-message.ts'
import { type BatchRead, type MailRead, type MailToRead, pack, readMail, unpack } from './parse-batch.ts'
import { makeThreadPool, type PoolOptions, ThreadEnded } from '../../worker-threads/thread-pool.ts'

/** Threads that read mails; one core is left for everything else. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1))
/** The worst mail that keeps the limits of the parser takes a few seconds; whatever takes longer was made for it. */
const DEADLINE_MS = 30_000
/** Threads without work end after this: they hold some 20 MB. */
const IDLE_MS = 30_000
/**
 * So few and small mails are read at once, where they are, while no thread is running: one takes longer to start. The most
 * hostile ones of this size take less than 20 ms together.
 */
const AT_ONCE = { mails: 5, bytes: 12_000 }

export type ParsePool = {
  /**
   * Reads mails, in the order given. A mail that ends its thread or takes too long comes back as a fault, alone.
   *
   * @throws Error when no thread can be started
   */
  readMails(mails: readonly MailToRead[], folder: FolderContext): Promise<MailRead[]>
}

/** Threads that read mails, started when there is work: a mail that is made to stop its reader stops nothing else. */
export function makeParsePool({
  threads = THREADS,
  deadlineMs = DEADLINE_MS,
  idleMs = IDLE_MS,
  entry = new URL('./parse-worker.ts', import.meta.url),
}: Partial<PoolOptions> = {}): ParsePool {
  const pool = makeThreadPool({ threads, deadlineMs, idleMs, entry })

  const readThere = async (mails: readonly MailToRead[], folder: FolderContext): Promise<MailRead[]> => {
    try {
      const read = await pool.ask(() => {
        const batch = pack(mails, folder)
        return { message: batch, handOver: [batch.bytes.buffer] }
      })
      return unpack(read as BatchRead)
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error
      if (mails.length === 1) return [{ fault: `This mail cannot be read: ${error.message}` }]
      return (await Promise.all(mails.map((mail) => readThere([mail], folder)))).flat()
    }
  }

  return {
    async readMails(mails, folder) {
      const bytes = mails.reduce((sum, { raw }) => sum + raw.length, 0)
      if (pool.isRunning || mails.length > AT_ONCE.mails || bytes > AT_ONCE.bytes)
        return readThere(mails, folder)
      return Promise.all(mails.map((mail) => readMail(mail, folder)))
    },
  }
}
