import type { Readable, Writable } from 'node:stream'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import {
  openCopyClient,
  quoted,
  type SequenceState,
  type TableShape,
  tablesOf,
  targetOf,
} from './snapshot.ts'

/** A database with our schema that gets all its rows from elsewhere. */
export type FilledDatabase = Awaited<ReturnType<typeof beginFilling>>

/**
 * Ids that were given out after the backup stand in links that people have: they are not given out a second time. As many
 * are left out as no house gives out between two backups.
 */
export const LEFT_OUT_IDS = 1_000_000

/**
 * Empties a database that was just migrated and prepares it for rows of all tables, in any order: no triggers, no
 * references, and no indexes but those of keys, which are much faster made afterwards.
 */
export async function beginFilling(url: string) {
  const client = await openCopyClient(url)
  try {
    // The database is thrown away if anything goes wrong.
    await client.query('SET synchronous_commit = off')
    const tables = await tablesOf(client)
    const references = await definitions(`
      SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name, pg_get_constraintdef(oid) AS text
      FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY 1, 2`)
    const indexes = await definitions(`
      SELECT i.indrelid::regclass::text AS "table", i.indexrelid::regclass::text AS name,
        pg_get_indexdef(i.indexrelid) AS text
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
        AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid) ORDER BY 1, 2`)
    for (const { table, name } of references)
      await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
    for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`)
    // Migrations write rows of their own.
    await client.query(`TRUNCATE ${tables.map(({ name }) => quoted(name)).join(', ')}`)
    return {
      tables,
      /** Takes the rows of a table in COPY's text format. */
      intake: (table: TableShape): Writable => client.query(copyFrom(`COPY ${targetOf(table)} FROM STDIN`)),
      /** The rows of a table, to compare them with what was written. */
      rowsOf: (table: TableShape): Readable => client.query(copyTo(`COPY ${targetOf(table)} TO STDOUT`)),
      /** Puts back indexes, references and triggers, sets the sequences and analyzes. @throws where rows do not fit together */
      finish: async (sequences: readonly SequenceState[]) => {
        for (const { text } of indexes) await client.query(text)
        for (const { table, name, text } of references)
          await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${text}`)
        for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`)
        for (const { name, last, called } of sequences) {
          const next = called ? last + LEFT_OUT_IDS : last
          await client.query('SELECT setval($1::regclass, $2, $3)', [quoted(name), next, called])
        }
        await client.query('ANALYZE')
      },
      close: () => client.end(),
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }

  async function definitions(text: string) {
    const { rows } = await client.query<{ table: string; name: string; text: string }>(text)
    return rows
  }
}
