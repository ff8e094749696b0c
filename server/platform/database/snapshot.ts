import type { Readable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/** A table as it is copied: what PostgreSQL works out by itself (generated columns) is not. */
export type TableShape = { name: string; columns: string[] }
export type SequenceState = { name: string; last: number; called: boolean }

/** Everything in the database at one moment, while others go on writing. */
export type Snapshot = Awaited<ReturnType<typeof openSnapshot>>

/** Another process takes a snapshot for a backup at this moment. */
export class SnapshotTaken extends Error {
  override readonly name = 'SnapshotTaken'
}

/** The same on both sides, whatever the server's settings are: then equal rows are equal bytes. */
const SESSION = `
  SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = 0;
  SET client_encoding = 'UTF8'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET TimeZone = 'UTC';
  SET extra_float_digits = 1; SET bytea_output = 'hex'; SET synchronize_seqscans = off; SET search_path = public;`

/** Opens a connection for copying whole tables. */
export async function openCopyClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'howl-backup' })
  client.on('error', () => {})
  await client.connect()
  await client.query(SESSION)
  return client
}

/**
 * Opens a snapshot: one repeatable-read transaction that lasts until `close`.
 *
 * @throws SnapshotTaken while another one is open
 */
export async function openSnapshot(url: string) {
  const client = await openCopyClient(url)
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      `SELECT pg_try_advisory_lock(hashtext('howl backup')) AS mine`,
    )
    if (rows[0]?.mine !== true) throw new SnapshotTaken()
    const tables = await tablesOf(client)
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    // Before the first query, with which the snapshot begins: nobody can empty or change a table between the two.
    if (tables.length > 0)
      await client.query(
        `LOCK TABLE ${tables.map(({ name }) => quoted(name)).join(', ')} IN ACCESS SHARE MODE`,
      )
    return {
      /** The names of the migrations that made the schema, in order. */
      migrations: await migrationsOf(client),
      tables: await tablesOf(client),
      sequences: await sequencesOf(client),
      /** The rows of a table in COPY's text format; one table at a time. */
      rowsOf: (table: TableShape): Readable => client.query(copyTo(`COPY ${targetOf(table)} TO STDOUT`)),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

export const quoted = (name: string) => pg.escapeIdentifier(name)
/** A table with the columns that are copied, for COPY. */
export const targetOf = ({ name, columns }: TableShape) =>
  `${quoted(name)} (${columns.map(quoted).join(', ')})`

/**
 * All tables of Howl. Not among them: counts of calls that a crash may forget (unlogged), and Kysely's own notes.
 */
export async function tablesOf(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(`
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
      AND c.relname NOT LIKE 'kysely\\_%' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY c.relname ORDER BY c.relname`)
  return rows
}

export async function migrationsOf(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('public.kysely_migration') IS NOT NULL AS there`,
  )
  if (found[0]?.there !== true) return []
  const { rows } = await client.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name')
  return rows.map(({ name }) => name)
}

async function sequencesOf(client: pg.Client): Promise<SequenceState[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' ORDER BY 1`,
  )
  const states: SequenceState[] = []
  for (const { name } of rows) {
    const state = await client.query<{ last: string; called: boolean }>(
      `SELECT last_value AS last, is_called AS called FROM ${quoted(name)}`,
    )
    const { last = '1', called = false } = state.rows[0] ?? {}
    states.push({ name, last: Number(last), called })
  }
  return states
}
