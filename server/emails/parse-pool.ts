import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Place } from './ingest-mail.ts'
import { type BatchRead, type MailRead, type MailToRead, pack, readMail, unpack } from './parse-batch.ts'

/** Threads that read mails; one core is left for everything else. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1))
/** The worst mail that keeps the limits of the parser takes a few seconds; whatever takes longer was made for it. */
const DEADLINE_MS = 30_000
/** Threads without work end after this: they hold some 20 MB. */
const IDLE_MS = 30_000
/**
 * Memory of a thread; 50 MB in short lines take a quarter of it. Below 2 GB V8 lets a heap grow by little before it goes
 * through the whole of it again.
 */
const HEAP_MB = 2048
/** … and of that for what is young: the words of a batch are dropped before anybody looks at what may be thrown away. */
const YOUNG_MB = 48
/** So few and small mails are read at once, where they are, while no thread is running: one takes longer to start. */
const AT_ONCE = { mails: 5, bytes: 64 * 1024 }

export type ParsePool = {
  /**
   * Reads mails, in the order given. A mail that ends its thread or takes too long comes back as a fault, alone.
   *
   * @throws Error when no thread can be started
   */
  readMails(mails: readonly MailToRead[], place: Place): Promise<MailRead[]>
}

type Thread = { worker: Worker; idle: NodeJS.Timeout | undefined }
type Options = { threads?: number; deadlineMs?: number; idleMs?: number; entry?: URL }

/** Threads that read mails, started when there is work: a mail that is made to stop its reader stops nothing else. */
export function makeParsePool({
  threads = THREADS,
  deadlineMs = DEADLINE_MS,
  idleMs = IDLE_MS,
  entry = new URL('./parse-worker.ts', import.meta.url),
}: Options = {}): ParsePool {
  const resting: Thread[] = []
  const queue: ((thread: Promise<Thread>) => void)[] = []
  let started = 0

  const take = (): Promise<Thread> => {
    const rested = resting.pop()
    clearTimeout(rested?.idle)
    if (rested !== undefined) return Promise.resolve(rested)
    if (started < threads) return start()
    return new Promise((resolve) => queue.push(resolve))
  }

  const start = async (): Promise<Thread> => {
    started += 1
    const worker = new Worker(entry, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    })
    // Whoever waits for an answer hears of it; an error that nobody hears would end the process.
    worker.on('error', () => {})
    const thread: Thread = { worker, idle: undefined }
    try {
      await answerOf(worker, deadlineMs)
    } catch (error) {
      await end(thread)
      throw error
    }
    return thread
  }

  const rest = (thread: Thread): void => {
    const next = queue.shift()
    if (next !== undefined) return next(Promise.resolve(thread))
    thread.worker.unref()
    thread.idle = setTimeout(() => {
      resting.splice(resting.indexOf(thread), 1)
      void end(thread)
    }, idleMs).unref()
    resting.push(thread)
  }

  const end = async (thread: Thread): Promise<void> => {
    started -= 1
    await thread.worker.terminate()
    if (started < threads) queue.shift()?.(start())
  }

  const readThere = async (mails: readonly MailToRead[], place: Place): Promise<MailRead[]> => {
    const thread = await take()
    const batch = pack(mails, place)
    thread.worker.ref()
    let read: BatchRead
    try {
      const answer = answerOf(thread.worker, deadlineMs)
      thread.worker.postMessage(batch, [batch.bytes.buffer])
      read = (await answer) as BatchRead
    } catch (error) {
      await end(thread)
      if (mails.length === 1) return [{ fault: `This mail cannot be read: ${(error as Error).message}` }]
      return (await Promise.all(mails.map((mail) => readThere([mail], place)))).flat()
    }
    rest(thread)
    return unpack(read)
  }

  return {
    async readMails(mails, place) {
      const bytes = mails.reduce((sum, { raw }) => sum + raw.length, 0)
      if (started > 0 || mails.length > AT_ONCE.mails || bytes > AT_ONCE.bytes) return readThere(mails, place)
      return Promise.all(mails.map((mail) => readMail(mail, place)))
    },
  }
}

/** The next message of a thread. @throws Error when it ends before, or does not answer in time */
function answerOf(worker: Worker, deadlineMs: number): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onExit = () => reject(new Error('its reader ended'))
  const timer = setTimeout(() => reject(new Error('it takes too long')), deadlineMs)
  worker.once('message', resolve).once('error', reject).once('exit', onExit)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', resolve).off('error', reject).off('exit', onExit)
  })
}
