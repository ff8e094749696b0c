import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { restoreBackup, takeBackup } from '#server/operations/backup/backup.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { emptyDatabase, type TestDatabase } from './database.ts'
import { withClient } from './sql.ts'

/** The key of the apps that tests start. */
export const SECRET_KEY = 'a secret key that only the tests know of'

/** A place that a backup is restored into: a database without tables and an empty DATA_DIR. */
export type House = { config: Config; database: TestDatabase; remove(): Promise<void> }

export async function emptyHouse(settings: Record<string, string> = {}): Promise<House> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-restored-'))
  const database = await emptyDatabase()
  return {
    config: readConfig({ DATA_DIR: dataDir, SECRET_KEY, ...settings }),
    database,
    remove: async () => {
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const silent = () => {}

/** Takes a backup of an app's database and files into a folder; returns the archive's path. */
export async function backUp(
  app: { context: { config: Config }; databaseUrl: string; clock: Clock },
  folder: string,
  passphrase: string | null = null,
): Promise<string> {
  const source = { config: app.context.config, url: app.databaseUrl, clock: app.clock, say: silent }
  return (await takeBackup(source, { to: folder, passphrase, keep: null })).file
}

/** Restores an archive into a house. */
export function restoreInto(
  { config, database }: Pick<House, 'config' | 'database'>,
  file: string,
  clock: Clock,
  options: { replace?: boolean; passphrase?: string } = {},
) {
  return restoreBackup(
    { config, url: database.url, clock, say: silent },
    {
      file,
      passphrase: options.passphrase ?? null,
      mayReplace: options.replace === true ? async () => true : null,
    },
  )
}

/** A digest of each table's rows, worked out by the database itself, with their number. */
export async function digestsOf(
  url: string,
  but: Record<string, string[]> = {},
): Promise<Map<string, string>> {
  return withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
         AND relpersistence = 'p' AND relname NOT LIKE 'kysely%' ORDER BY 1`,
    )
    const digests = new Map<string, string>()
    for (const { name } of tables) {
      const left = (but[name] ?? []).map((column) => `- '${column}'`).join(' ')
      const { rows } = await client.query<{ digest: string }>(
        `SELECT count(*) || ' ' || md5(coalesce(string_agg(row, E'\n' ORDER BY row COLLATE "C"), '')) AS digest
         FROM (SELECT (to_jsonb(t) ${left})::text AS row FROM ${pg.escapeIdentifier(name)} t) rows`,
      )
      digests.set(name, rows[0]?.digest ?? '')
    }
    return digests
  })
}

/** The tables in which two sets of digests differ. */
export const differing = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] =>
  [...new Set([...one.keys(), ...other.keys()])]
    .filter((name) => one.get(name) !== other.get(name))
    .toSorted()
