import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { call } from '../../tests/support/client.ts'
import type { TestUser } from '../../tests/support/factories.ts'
import { startHowlProcess } from '../../tests/support/howl-process.ts'
import { mailAccountAt } from '../../tests/support/mail-account.ts'

export type BenchHowl = {
  url: string
  pid: number
  databaseUrl: string
  /** Straight into the database, for rows by the million. */
  sql<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  /** Another empty database on the same server. */
  addDatabase(name: string): Promise<string>
  end(): Promise<void>
}

/**
 * Starts Howl as `npm start` does: one process, and beside it the PostgreSQL that Howl brings, with the settings of the
 * product (every commit is on disk). The database is started from here so that the bare side can use it as well.
 */
export async function startHowl(environment: Record<string, string> = {}): Promise<BenchHowl> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-bench-'))
  const log = { info: () => {}, warn: console.error, error: console.error }
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const howl = await startHowlProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'info',
    SECRET_KEY: 'a secret key that only the benchmark knows',
    ...environment,
  })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  return {
    url: howl.url,
    pid: howl.pid,
    databaseUrl: postgres.url,
    sql: async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await client.query<R>(text, values)).rows,
    addDatabase: async (name) => {
      await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
      const url = new URL(postgres.url)
      url.pathname = `/${name}`
      return url.href
    },
    end: async () => {
      await client.end()
      await howl.stop()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const REST_LIMIT_MS = 120_000
const LOOK_EVERY_MS = 50

/**
 * Waits until Howl has finished the work that new mails and contacts cause: indexing them for the search, and
 * analyzing the database's tables.
 */
export async function untilAtRest(howl: BenchHowl): Promise<void> {
  const limit = performance.now() + REST_LIMIT_MS
  for (;;) {
    const [row] = await howl.sql<{ rests: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM email_search_queue) AND NOT EXISTS (SELECT FROM contact_search_queue)
         AND NOT EXISTS (SELECT FROM pg_stat_progress_analyze) AS rests`,
    )
    if (row?.rests === true) return
    if (performance.now() > limit) throw new Error('Howl did not come to rest')
    await pause(LOOK_EVERY_MS)
  }
}

/** Connects the user's mailbox to these servers, without TLS: they are on this machine. */
export async function connectMailbox(
  howl: BenchHowl,
  user: TestUser,
  smtp: { host: string; port: number },
  imap?: { host: string; port: number; username: string; password: string },
): Promise<void> {
  const saved = await call(howl.url, mailboxSetup.save, {
    token: user.token,
    body: mailAccountAt(smtp, { from: `${user.username}@muster.example`, imap }),
  })
  if (saved.status !== 200) throw new Error(`The mailbox was refused: ${saved.error.detail}`)
}
