import { CompiledQuery, sql } from 'kysely'
import type { Database, Queryable, Tx } from './handles.ts'

/** SQLSTATEs after which the same transaction may succeed: serialization failure, deadlock. */
const TRY_AGAIN = new Set(['40001', '40P01'])
const ATTEMPTS = 4

/** What has to hold until the end of a transaction: locks what it reads, and throws where it does not hold. */
export type Guard = (tx: Tx) => Promise<void>

const guards = new WeakMap<Queryable, Guard>()

/**
 * The same database for one call, whose first transaction begins with the guard. Those after it only settle what that one has
 * begun: an email that was refused, an answer that is ready.
 */
export function guarded(db: Database, guard: Guard): Database {
  const handle = Object.assign(db.withoutPlugins(), { pool: db.pool })
  guards.set(handle, guard)
  return handle
}

/**
 * Runs `work` in one transaction. It is retried after a deadlock or serialization failure; any other error rolls it
 * back.
 */
export async function inTransaction<T>(db: Queryable, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Tx)
  for (let attempt = 1; ; attempt++) {
    try {
      const done = await db.transaction().execute(async (tx) => {
        await guards.get(db)?.(tx)
        return work(tx)
      })
      guards.delete(db)
      return done
    } catch (error) {
      if (attempt === ATTEMPTS || !TRY_AGAIN.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}

/** Runs SQL text with `$1` parameters on the database or transaction; for libraries that bring their own SQL. */
export async function runSql(
  db: Queryable,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: unknown[] }> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]))
  return { rows }
}

/** True when the database answers. */
export async function databaseAnswers(db: Queryable): Promise<boolean> {
  try {
    await sql`select 1`.execute(db)
    return true
  } catch {
    return false
  }
}

/** True for a unique violation (SQLSTATE 23505), of the named constraint if one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const fault = error as { code?: string; constraint?: string }
  return fault.code === '23505' && (constraint === undefined || fault.constraint === constraint)
}

/** True where a change would have left nobody who can administer this Howl (`keep_an_administrator`). */
export function isLastAdministrator(error: unknown): boolean {
  return (error as { code?: string }).code === 'HW001'
}

/** The name of the violated foreign key (SQLSTATE 23503); null for any other error. */
export function violatedForeignKey(error: unknown): string | null {
  const fault = error as { code?: string; constraint?: string }
  return fault.code === '23503' ? (fault.constraint ?? '') : null
}

/**
 * Commits this transaction without waiting for the disk. If the database crashes right then, it loses mails and
 * cursor together, and both are fetched from the server again.
 */
export async function confirmLater(tx: Tx): Promise<void> {
  await sql`SET LOCAL synchronous_commit TO off`.execute(tx)
}
