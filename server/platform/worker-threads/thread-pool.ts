import { type TransferListItem, Worker } from 'node:worker_threads'
import { startProcess, type WorkerProcess } from './worker-process.ts'
import { type Asker, makeTurnQueue, type OwnerLimits } from './turn-queue.ts'

/**
 * Memory of a thread; 50 MB in short lines take a quarter of it. Below 2 GB V8 lets a heap grow by little before it goes
 * through the whole of it again.
 */
const HEAP_MB = 2048
/** … and of that for what is young: the words of a batch are dropped before anybody looks at what may be thrown away. */
const YOUNG_MB = 48

/** On a busy machine a thread takes seconds until it is there. */
const START_MS = 30_000

/** A thread died of what it was asked, or took too long over it. Another one does what comes next. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
}

export type ThreadPool = {
  /** True while a thread runs, or is about to. */
  readonly isRunning: boolean
  /**
   * Asks a thread, as soon as one is free; `question` makes the message and says what of it is handed over. Owners take
   * turns. Long work leaves one thread free for the rest.
   *
   * @throws ThreadEnded when it died or did not answer in time; QueueRefused when the owner has too many waiting or this one
   *   waited too long; the signal's reason; Error when no thread can be started
   */
  ask(question: () => { message: unknown; handOver: TransferListItem[] }, asker?: Asker): Promise<unknown>
}

export type PoolOptions = {
  threads: number
  deadlineMs: number
  idleMs: number
  entry: URL
  /** Without it one owner may take up everything. */
  perOwner?: OwnerLimits
  /**
   * Processes instead of threads, for native code: it does not stop when its thread is ended, and a fault in it ends its whole
   * process. Nothing is handed over to a process.
   */
  inProcesses?: boolean
}

type Thread = { worker: Worker | WorkerProcess; idle: NodeJS.Timeout | undefined }

const NO_OWNER: Asker = { owner: 0 }
const NO_LIMITS: OwnerLimits = { running: Infinity, waiting: Infinity, waitMs: Infinity }

/** Threads that are started when there is work, say "ready", and answer one message at a time. */
export function makeThreadPool({
  threads,
  deadlineMs,
  idleMs,
  entry,
  perOwner = NO_LIMITS,
  inProcesses = false,
}: PoolOptions): ThreadPool {
  const resting: Thread[] = []
  const queue = makeTurnQueue<Promise<Thread>>(perOwner)
  const longMost = Math.max(1, threads - 1)
  let longAtWork = 0
  let started = 0

  /** Gives free threads to whoever is next. */
  const serve = (): void => {
    for (;;) {
      if (resting.length === 0 && started >= threads) return
      const next = queue.next(longAtWork < longMost)
      if (next === undefined) return
      if (next.isLong) longAtWork += 1
      // Long work can wait for a new thread: the one that is warm is left to the short.
      const rested = next.isLong && started < threads ? undefined : resting.pop()
      clearTimeout(rested?.idle)
      next.admit(rested === undefined ? start() : Promise.resolve(rested))
    }
  }

  const start = async (): Promise<Thread> => {
    started += 1
    const worker = inProcesses
      ? startProcess(entry)
      : new Worker(entry, {
          resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
        })
    // Whoever waits for an answer hears of it; an error that nobody hears would end the process.
    worker.on('error', () => {})
    const thread: Thread = { worker, idle: undefined }
    try {
      await answerOf(worker, START_MS)
    } catch (error) {
      end(thread)
      throw error
    }
    return thread
  }

  const rest = (thread: Thread): void => {
    thread.worker.unref()
    thread.idle = setTimeout(() => {
      resting.splice(resting.indexOf(thread), 1)
      end(thread)
    }, idleMs).unref()
    resting.push(thread)
  }

  const end = ({ worker }: Thread): void => {
    started -= 1
    // Nobody waits for it: there are loops that V8 does not get out of.
    worker.unref()
    void worker.terminate()
  }

  const answer = async (
    thread: Thread,
    question: () => { message: unknown; handOver: TransferListItem[] },
  ): Promise<unknown> => {
    const { message, handOver } = question()
    thread.worker.ref()
    let said: unknown
    try {
      const coming = answerOf(thread.worker, deadlineMs)
      thread.worker.postMessage(message, handOver)
      said = await coming
    } catch (error) {
      end(thread)
      throw new ThreadEnded((error as Error).message, { cause: error })
    }
    rest(thread)
    return said
  }

  return {
    get isRunning() {
      return started > 0
    },
    async ask(question, asker = NO_OWNER) {
      const place = queue.enter(asker)
      serve()
      const admitted = await place
      try {
        return await answer(await admitted.grant, question)
      } finally {
        if (asker.isLong === true) longAtWork -= 1
        admitted.leave()
        serve()
      }
    },
  }
}

/** The next message of a thread. @throws Error when it ends before, or does not answer in time */
function answerOf(worker: Thread['worker'], deadlineMs: number): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onExit = () => reject(new Error('its reader ended'))
  const timer = setTimeout(() => reject(new Error('it takes too long')), deadlineMs)
  worker.once('message', resolve).once('error', reject).once('exit', onExit)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', resolve).off('error', reject).off('exit', onExit)
  })
}
