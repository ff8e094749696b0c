import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { PreparingClient } from './preparing-client.ts'
import type { Tables } from './tables.ts'
import type { Database } from './handles.ts'

/** Connections one process opens at most; PostgreSQL's own limit is 100. */
const POOL_SIZE = 16

// Ids and counts stay below 2^53; as strings they would compare wrongly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Opens a pool of connections. Errors of idle connections (the database restarts) go to `onError` instead of ending
 * the process; the next query opens a new connection.
 */
export function connect(
  url: string,
  onError: (error: Error) => void,
): { db: Database; close: () => Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: 10_000,
    application_name: 'howl',
    Client: PreparingClient,
  })
  pool.on('error', onError)
  // The pool does not listen to connections in use: without our listener, losing one would end the process. The
  // current query fails anyway.
  pool.on('connect', (client) => client.on('error', onError))
  const db = Object.assign(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), { pool })
  return { db, close: () => db.destroy() }
}

/**
 * Listens on channels of NOTIFY, across reconnects; `onGap` is called when notifications may have been missed.
 *
 * @param onNotes the handler of each channel's notifications
 */
export function listen(
  url: string,
  onNotes: Readonly<Record<string, (payload: string) => void>>,
  onGap: (error: Error | null) => void,
): { close: () => Promise<void> } {
  const commands = Object.keys(onNotes)
    .map((channel) => `LISTEN ${pg.escapeIdentifier(channel)};`)
    .join(' ')
  let client: pg.Client | null = null
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const again = (error: Error | null) => {
    client = null
    if (closed) return
    onGap(error)
    timer = setTimeout(open, 500)
  }

  const open = () => {
    const next = new pg.Client({ connectionString: url, application_name: 'howl-listen', keepAlive: true })
    client = next
    next.on('notification', ({ channel, payload }) => onNotes[channel]?.(payload ?? ''))
    let failed = false
    const fail = (error: Error | null) => {
      if (failed) return
      failed = true
      next.end().catch(() => {})
      again(error)
    }
    next.on('error', fail)
    next.on('end', () => fail(null))
    next
      .connect()
      .then(() => next.query(commands))
      .then(() => onGap(null))
      .catch(fail)
  }

  open()
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
