import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { baseline } from './baseline/baseline.ts'
import { proofOfAccess } from './migrations/0101-proof-of-access.ts'
import { draftVersions } from './migrations/0102-draft-versions.ts'
import { runsAreJobs } from './migrations/0103-runs-are-jobs.ts'
import { workDue } from './migrations/0104-work-due.ts'
import { linesOfCommands } from './migrations/0110-lines-of-commands.ts'
import { houseDays } from './migrations/0130-house-days.ts'
import { spreadRuns } from './migrations/0131-spread-runs.ts'
import { friendsAtOnce } from './migrations/0132-friends-at-once.ts'
import { saidNo } from './migrations/0133-said-no.ts'
import { unpaidInvoices } from './migrations/0134-unpaid-invoices.ts'
import { judgedAtClaim } from './migrations/0135-judged-at-claim.ts'
import { modelWaits } from './migrations/0136-model-waits.ts'
import type { Database, Queryable } from './handles.ts'
import { inTransaction } from './transaction.ts'
import { rowOf } from './rows.ts'

const BASELINE = '0100-baseline'

/** Every migration by name, in order; a released one is never edited. */
export const MIGRATIONS: Readonly<Record<string, string>> = {
  [BASELINE]: baseline,
  '0101-proof-of-access': proofOfAccess,
  '0102-draft-versions': draftVersions,
  '0103-runs-are-jobs': runsAreJobs,
  '0104-work-due': workDue,
  '0110-lines-of-commands': linesOfCommands,
  '0130-house-days': houseDays,
  '0131-spread-runs': spreadRuns,
  '0132-friends-at-once': friendsAtOnce,
  '0133-said-no': saidNo,
  '0134-unpaid-invoices': unpaidInvoices,
  '0135-judged-at-claim': judgedAtClaim,
  '0136-model-waits': modelWaits,
}

/** The newest of the migrations that the baseline stands for: its schema is the baseline's. */
const LAST_BEFORE_BASELINE = '0090-mail-identity'

/** What this version makes of the migrations of a database or a backup. */
export type SchemaState = {
  /** The newest migration, by the name that this version knows. */
  last: string | undefined
  /** Migrations of this version that are missing. */
  pending: string[]
  /** Migrations that only another version knows. */
  newer: string[]
  /** The newest migration of a schema from before the baseline that cannot be brought up to date; else null. */
  tooOld: string | null
}

/** What this version makes of these names of migrations. */
export function schemaStateOf(names: readonly string[]): SchemaState {
  const newest = names.toSorted().at(-1)
  const done = newest === LAST_BEFORE_BASELINE ? [BASELINE] : names.toSorted()
  const tooOld = newest !== undefined && newest < LAST_BEFORE_BASELINE ? newest : null
  return {
    last: done.at(-1),
    pending: Object.keys(MIGRATIONS).filter((name) => !done.includes(name)),
    newer: tooOld === null ? done.filter((name) => !(name in MIGRATIONS)) : [],
    tooOld,
  }
}

const isUpToDate = ({ pending, newer, tooOld }: SchemaState): boolean =>
  pending.length + newer.length === 0 && tooOld === null

/** For sentences: what brings a schema that is too old up to the baseline. */
export const LAST_OLD_HOWL = `the last Howl that still has the change ${LAST_BEFORE_BASELINE}`

/**
 * Brings the schema up to date. Runs under Kysely's advisory lock, so that processes starting together do it once.
 *
 * @param last the last migration to run; all of them without it
 * @throws the first migration's error, and that migration is rolled back; Error with a sentence for the operator where the
 *   schema is too old, before anything is written
 */
export async function migrate(
  db: Database,
  last?: string,
  migrations: Readonly<Record<string, string>> = MIGRATIONS,
): Promise<void> {
  // Most starts find nothing to do, and Kysely reads the columns of all tables before it looks.
  if (last === undefined && migrations === MIGRATIONS && isUpToDate(await compareMigrations(db))) return
  const migrator = new Migrator({
    db,
    provider: {
      // Kysely asks once it has the lock, and reads what was done before afterwards.
      getMigrations: async () => {
        await takeAsBaseline(db)
        return Object.fromEntries(
          Object.entries(migrations).map(([name, text]): [string, Migration] => [
            name,
            { up: async (tx) => void (await sql.raw(text).execute(tx)) },
          ]),
        )
      },
    },
  })
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error !== undefined) throw error
}

/** A database of the version before the baseline has its schema: from now on it has its name, too. */
async function takeAsBaseline(db: Database): Promise<void> {
  await checkAge(db)
  await inTransaction(db, async (tx) => {
    const names = await migrationsIn(tx)
    if (names.toSorted().at(-1) !== LAST_BEFORE_BASELINE) return
    await sql`DELETE FROM kysely_migration`.execute(tx)
    await sql`INSERT INTO kysely_migration (name, timestamp) VALUES (${BASELINE}, ${new Date().toISOString()})`.execute(
      tx,
    )
  })
}

/**
 * Looks whether this version can bring the schema up to date, without changing anything.
 *
 * @throws Error with a sentence for the operator where it is too old
 */
export async function checkAge(db: Database): Promise<void> {
  const { tooOld } = await compareMigrations(db)
  if (tooOld === null) return
  throw new Error(
    `Howl cannot start: the database is too old for this version to bring it up to date (its last change is ${tooOld}): start ${LAST_OLD_HOWL} on it once, then start this one.`,
  )
}

/** Compares the migrations of the database with those of this version, without changing anything. */
export async function compareMigrations(db: Database): Promise<SchemaState> {
  return schemaStateOf(await migrationsIn(db))
}

/** True for a database that Howl has been started on. */
export async function isMigrated(db: Queryable): Promise<boolean> {
  const row = await rowOf<{
    there: boolean
  }>(db)`SELECT to_regclass('kysely_migration') IS NOT NULL AS there`
  return row?.there === true
}

async function migrationsIn(db: Queryable): Promise<string[]> {
  if (!(await isMigrated(db))) return []
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}
