import { availableParallelism } from 'node:os'
import { Refusal } from '../errors.ts'
import { MAIL_WORK, type MailWork, type WorkDone, type WorkName } from './mail-tasks.ts'
import { makeThreadPool, type PoolOptions, ThreadEnded } from './thread-pool.ts'

const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1))
/** Somebody waits. The worst mail of 2 MB of HTML takes some two seconds. */
const DEADLINE_MS = 10_000
/** A thread takes a while to start; who reads one mail reads the next. */
const IDLE_MS = 5 * 60_000
/**
 * Characters and bytes that are worked on where they are: the most hostile of that size take less than 20 ms (measured:
 * `linear.test.ts` has them all), and most mails people write are smaller. What is more goes to a thread.
 */
const HERE_MAX = 12_000

/** 422: what a mail says could not be made out. It takes too long, or its reader died of it. */
export class WorkFailed extends Refusal {
  override readonly name = 'WorkFailed'
  constructor(cause: unknown) {
    super(422, 'This email could not be read in full. Its source has all of it.')
    this.cause = cause
  }
}

export type DoMailWork = <Name extends WorkName>(
  name: Name,
  ...args: Parameters<MailWork[Name]>
) => Promise<Awaited<ReturnType<MailWork[Name]>>>

/** Does some work on a mail: a little one here, a large one in a thread, under a deadline. */
export function makeMailWork({
  threads = THREADS,
  deadlineMs = DEADLINE_MS,
  idleMs = IDLE_MS,
  entry = new URL('./mail-task-worker.ts', import.meta.url),
}: Partial<PoolOptions> = {}): DoMailWork {
  const pool = makeThreadPool({ threads, deadlineMs, idleMs, entry })

  const doThere = async (name: WorkName, args: unknown[]): Promise<unknown> => {
    const done = (await pool.ask(() => ({ message: { name, args }, handOver: [] }))) as WorkDone
    if ('error' in done) throw new WorkFailed(new Error(done.error))
    return done.value
  }

  return async (name, ...args) => {
    const work = MAIL_WORK[name] as (...args: unknown[]) => never
    if (weight(args) <= HERE_MAX) return work(...args)
    try {
      return (await doThere(name, args)) as never
    } catch (error) {
      if (error instanceof ThreadEnded) throw new WorkFailed(error)
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
 * Does work on the words of strangers for somebody who waits.
 *
 * @throws WorkFailed where a mail was made to stop its reader; UnreadableMail where there is nothing in it
 */
export const doMailWork = makeMailWork()
