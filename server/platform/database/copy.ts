import { once } from 'node:events'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { makePlaces } from '../places.ts'
import type { Database } from './handles.ts'

/** At most this many connections copy at a time; the rest of the pool stays free for calls that users wait for. */
const places = makePlaces(3)

/** A connection in its own transaction, and a way to fill a table of it by COPY. */
export type CopyConnection = Omit<ReturnType<typeof connectionOn>, 'isCopying'>
export type CopyTarget = ReturnType<typeof copyTargetOn>

/**
 * Runs `work` in one transaction on a pooled connection that supports COPY. Any error, and `signal`, rolls it back.
 *
 * @throws what `work` throws; the signal's reason when it is aborted
 */
export async function withCopyConnection<T>(
  db: Database,
  signal: AbortSignal,
  work: (connection: CopyConnection) => Promise<T>,
): Promise<T> {
  const leave = await places(signal)
  try {
    signal.throwIfAborted()
    return await inCopyTransaction(await db.pool.connect(), signal, work)
  } finally {
    leave()
  }
}

async function inCopyTransaction<T>(
  client: PoolClient,
  signal: AbortSignal,
  work: (connection: CopyConnection) => Promise<T>,
): Promise<T> {
  const connection = connectionOn(client, signal)
  let broken: Error | undefined
  // A running statement cannot be interrupted: when its connection closes, the database rolls the transaction back.
  const abort = () => client.release((broken = new Error('The work was aborted')))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    await client.query('BEGIN')
    const result = await work(connection)
    signal.throwIfAborted()
    await client.query('COMMIT')
    return result
  } catch (error) {
    // In the middle of a COPY the database accepts no ROLLBACK.
    if (connection.isCopying()) broken = new Error('The copy was aborted')
    else if (!signal.aborted) await client.query('ROLLBACK').catch((fault: Error) => (broken = fault))
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', abort)
    if (!signal.aborted) client.release(broken)
  }
}

function connectionOn(client: PoolClient, signal: AbortSignal) {
  let open: CopyFrom | undefined
  return {
    isCopying: () => open !== undefined && !open.writableFinished,
    query: async (
      text: string,
      values: readonly unknown[] = [],
    ): Promise<{ rows: unknown[]; count: number }> => {
      const { rows, rowCount } = await client.query<Record<string, unknown>>(text, [...values])
      return { rows, count: rowCount ?? 0 }
    },
    /** Opens `COPY … FROM STDIN` (text format) into a table with its columns: `staged (line, name)`. */
    copyInto: (target: string) => {
      open = client.query(copyFrom(`COPY ${target} FROM STDIN`))
      return copyTargetOn(open, signal)
    },
  }
}

type CopyFrom = ReturnType<typeof copyFrom>

function copyTargetOn(stream: CopyFrom, signal: AbortSignal) {
  let failure: Error | undefined
  stream.on('error', (error: Error) => (failure = error))
  return {
    /** Passes on rows made by `copyLine`; waits while the database is behind. */
    write: async (lines: string | Uint8Array): Promise<void> => {
      if (failure !== undefined) throw failure
      if (!stream.write(lines)) await once(stream, 'drain', { signal })
    },
    /** Waits until the database has accepted everything. */
    end: async (): Promise<void> => {
      if (failure !== undefined) throw failure
      stream.end()
      await once(stream, 'finish', { signal })
    },
  }
}
