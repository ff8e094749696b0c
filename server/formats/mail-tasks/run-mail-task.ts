import { Refusal, TooManyRequests } from '../../platform/errors.ts'
import { MAIL_TASKS, type MailTasks, type TaskResult, type TaskName } from './mail-tasks.ts'
import { makeThreadPool, type PoolOptions, ThreadEnded } from '../../platform/worker-threads/thread-pool.ts'
import { type Asker, QueueRefused } from '../../platform/worker-threads/turn-queue.ts'

/** Two even on two cores: one user has one mail read at a time, so the other thread stays free for everybody else. */
const THREADS = 2
/** The limits of one user. A browser makes about six calls at once and gives up on one after 30 seconds. */
const PER_USER = { running: THREADS - 1, waiting: 30, waitMs: 20_000 }
/** A refused call may try again after this, when a few of the user's mails have been read. */
const TRY_AGAIN_MS = 5000
/** A user is waiting. The worst mail with 2 MB of HTML takes about two seconds. */
const DEADLINE_MS = 10_000
/** A thread takes a while to start, and a user who reads one mail usually reads the next. */
const IDLE_MS = 5 * 60_000
/**
 * Up to this many characters and bytes are processed in place: the most hostile mails of this size take less than 20 ms
 * (`linear.test.ts` measures them), and most mails that people write are smaller. Larger ones go to a thread.
 */
const HERE_MAX = 12_000

const TOO_MANY_MAILS = 'Other emails of yours are still being read. Please try again in a moment.'

/** 422: a mail could not be read. It takes too long, or its thread crashed. */
export class MailTaskFailed extends Refusal {
  override readonly name = 'MailTaskFailed'
  constructor(cause: unknown) {
    super(422, 'This email could not be read in full. Its source has all of it.')
    this.cause = cause
  }
}

/** The user whose mail it is. */
export type MailReader = Omit<Asker, 'owner'> & { userId: number }

export type RunMailTask = <Name extends TaskName>(
  reader: MailReader,
  name: Name,
  ...args: Parameters<MailTasks[Name]>
) => Promise<Awaited<ReturnType<MailTasks[Name]>>>

/** Does some work on a mail: a little one here, a large one in a thread, under a deadline. */
export function makeMailTaskRunner({
  threads = THREADS,
  deadlineMs = DEADLINE_MS,
  idleMs = IDLE_MS,
  entry = new URL('./mail-task-worker.ts', import.meta.url),
  perOwner = PER_USER,
}: Partial<PoolOptions> = {}): RunMailTask {
  const pool = makeThreadPool({ threads, deadlineMs, idleMs, entry, perOwner })

  const doThere = async (asker: Asker, name: TaskName, args: unknown[]): Promise<unknown> => {
    const done = (await pool.ask(() => ({ message: { name, args }, handOver: [] }), asker)) as TaskResult
    if ('error' in done) throw new MailTaskFailed(new Error(done.error))
    return done.value
  }

  return async ({ userId, ...rest }, name, ...args) => {
    const work = MAIL_TASKS[name] as (...args: unknown[]) => never
    if (weight(args) <= HERE_MAX) return work(...args)
    try {
      return (await doThere({ owner: userId, ...rest }, name, args)) as never
    } catch (error) {
      if (error instanceof QueueRefused) throw new TooManyRequests(TRY_AGAIN_MS, TOO_MANY_MAILS)
      if (error instanceof ThreadEnded) throw new MailTaskFailed(error)
      throw error
    }
  }
}

/** How many characters and bytes there are to go through. */
function weight(given: unknown): number {
  if (typeof given === 'string' || given instanceof Uint8Array) return given.length
  if (given instanceof Date || typeof given !== 'object' || given === null) return 0
  const values: Iterable<unknown> =
    given instanceof Map ? given.values() : Array.isArray(given) ? given : Object.values(given)
  let sum = 0
  for (const value of values) sum += weight(value)
  return sum
}

/**
 * Does work on the words of strangers for somebody who waits. Users take turns.
 *
 * @throws MailTaskFailed where a mail was made to stop its reader; UnreadableMail where there is nothing in it; Refusal 429 where
 *   the user has too many mails read at once; the signal's reason
 */
export const runMailTask = makeMailTaskRunner()
