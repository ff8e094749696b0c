import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Database } from './connect.ts'
import { foundation } from './migrations/0001-foundation.ts'

/** Every migration by name, in order; a landed one is never edited. */
const MIGRATIONS: Record<string, string> = {
  '0001-foundation': foundation,
}

/**
 * Brings the database up to date. Runs under Kysely's advisory lock, so that processes that start together do it once.
 *
 * @throws the first migration's error; what that migration did is undone.
 */
export async function migrate(db: Database): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(MIGRATIONS).map(([name, text]): [string, Migration] => [
      name,
      { up: async (tx) => void (await sql.raw(text).execute(tx)) },
    ]),
  )
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  }).migrateToLatest()
  if (error !== undefined) throw error
}
